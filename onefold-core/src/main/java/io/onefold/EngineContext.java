package io.onefold;

import io.onefold.payload.FingerprintKeys;
import io.onefold.payload.ResultSerializer;
import io.onefold.store.Change;
import io.onefold.store.RecordId;
import io.onefold.store.RecordSnapshot;
import io.onefold.store.ResultPayload;
import io.onefold.store.Status;
import io.onefold.store.Store;
import io.onefold.store.StoreException;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The parts that all flights of one {@link Onefold} share. */
record EngineContext(
        Store store,
        Timer timer,
        Executor executor,
        ResultSerializer results,
        FingerprintKeys prints,
        Waiters waiters,
        LeaseRenewals renewals,
        EventPublisher events,
        @Nullable TokenStore tokens,
        Supplier<UUID> owners) {
    private static final Logger LOG = LoggerFactory.getLogger(EngineContext.class);

    /** Binds a stored payload to its record and status, so that neither can be exchanged unnoticed where payloads are sealed. */
    static byte[] context(RecordId id, Status status) {
        return ByteBuffer.allocate(17)
                .putLong(id.high())
                .putLong(id.low())
                .put((byte) status.code())
                .array();
    }

    ResultPayload note(RecordId id, String text) {
        return results.note(text, context(id, Status.UNKNOWN));
    }

    /** Returns the change that marks the outcome as unknown because the owner did not renew its lease. */
    Change leaseOver(RecordId id) {
        return new Change.MarkUnknown(note(id, "the owner's lease ended"), true);
    }

    /** Since when the outcome of a record is unknown that was just found so: as the store has recorded it, for all answers to be the same. */
    long unknownSince(RecordSnapshot before) {
        try {
            RecordSnapshot seen = store.find(before.record().id());
            if (seen != null && seen.record().status() == Status.UNKNOWN) {
                return seen.record().times().updatedAt();
            }
        } catch (StoreException e) {
            // then it is told as well as it is known here
        }
        return before.now();
    }

    /**
     * Returns true if there is a record to answer. It is called before a token is checked and again before the token is
     * rejected, because a call that uses up a token claims the record first.
     */
    boolean stands(RecordId id) {
        RecordSnapshot seen = store.find(id);
        return seen != null && !seen.record().gone(seen.now());
    }

    /** Why the token does not let this operation run, or null if it does. */
    Outcome.@Nullable RejectionReason refusal(Key.IssuedToken token, Operation<?> operation) {
        TokenStore issued = Objects.requireNonNull(tokens, "tokens");
        return switch (issued.check(token.value(), operation.name(), token.user())) {
            case VALID -> null;
            case MISSING -> Outcome.RejectionReason.TOKEN_MISSING;
            case FOREIGN -> Outcome.RejectionReason.TOKEN_FOREIGN;
            case EXPIRED -> Outcome.RejectionReason.TOKEN_EXPIRED;
        };
    }

    void removeToken(Key.@Nullable IssuedToken token, RecordId id) {
        if (token == null) {
            return;
        }
        try {
            Objects.requireNonNull(tokens, "tokens").remove(token.value());
        } catch (RuntimeException e) {
            LOG.debug("the token of {} stays until it expires; its record answers", id, e);
        }
    }

    static RecordId id(Operation<?> operation, Key key) {
        return operation.settings().hashKeys
                ? RecordId.hashed(key.scope(), operation.name(), key.value())
                : RecordId.of(key.scope(), operation.name(), key.value());
    }
}
