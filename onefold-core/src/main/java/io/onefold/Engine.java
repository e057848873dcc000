package io.onefold;

import io.onefold.payload.FingerprintKeys;
import io.onefold.payload.Results;
import io.onefold.store.Change;
import io.onefold.store.Payload;
import io.onefold.store.RecordId;
import io.onefold.store.Status;
import io.onefold.store.Store;
import java.nio.ByteBuffer;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What all flights of one {@link Onefold} share. */
record Engine(
        Store store,
        Timer timer,
        Executor executor,
        Results results,
        FingerprintKeys prints,
        Waiters waiters,
        Renewals renewals,
        Events events,
        @Nullable Tokens tokens,
        Supplier<UUID> owners) {

    /** Binds a stored payload to its record and status, so that neither can be exchanged unnoticed where payloads are sealed. */
    static byte[] context(RecordId id, Status status) {
        return ByteBuffer.allocate(17)
                .putLong(id.high())
                .putLong(id.low())
                .put((byte) status.code())
                .array();
    }

    Payload note(RecordId id, String text) {
        return results.note(text, context(id, Status.UNKNOWN));
    }

    /** That nobody knows, because the owner was not heard of in its lease. */
    Change leaseOver(RecordId id) {
        return new Change.Unknown(note(id, "the owner's lease ended"), true);
    }

    static RecordId id(Operation<?> operation, Key key) {
        return operation.settings().hashKeys
                ? RecordId.hashed(key.scope(), operation.name(), key.value())
                : RecordId.of(key.scope(), operation.name(), key.value());
    }
}
