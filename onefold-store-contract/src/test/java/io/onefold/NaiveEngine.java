package io.onefold;

import io.onefold.payload.FingerprintKeys;
import io.onefold.payload.JsonCodec;
import io.onefold.payload.ResultSerializer;
import io.onefold.store.Change;
import io.onefold.store.Claim;
import io.onefold.store.ClaimResult;
import io.onefold.store.RecordId;
import io.onefold.store.RecordSnapshot;
import io.onefold.store.ResultPayload;
import io.onefold.store.RetentionPeriod;
import io.onefold.store.Status;
import io.onefold.store.Store;
import io.onefold.store.StoreException;
import io.onefold.store.StoredRecord;
import io.onefold.store.Takeover.TakeoverReason;
import io.onefold.store.Ticket;
import io.onefold.store.contract.EngineCaller;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** The engine one writes in an afternoon, with one mistake of one's choice. */
public final class NaiveEngine implements EngineCaller {

    /** The mistakes, all seen in the wild. */
    public enum Mistake {
        NONE,
        DUPLICATE_GETS_NULL,
        WAITER_DELETES_THE_CLAIM,
        STORE_FAILURE_MEANS_GO_AHEAD,
        SUCCESS_BECOMES_FAILURE,
        BUSY_BEFORE_CONFLICT,
        LEASE_OVER_MEANS_FREE,
        OVERSIZE_IS_NOT_STORED
    }

    private static final long PATIENCE = Duration.ofSeconds(10).toNanos();

    private final Store store;
    private final Mistake mistake;
    private final ResultSerializer results = ResultSerializer.with(new JsonCodec());

    public NaiveEngine(Store store, Mistake mistake) {
        this.store = store;
        this.mistake = mistake;
    }

    @Override
    public <T> Outcome<T> attempt(Operation<T> operation, Key key, Work<T, ?> work) throws Exception {
        OperationPolicy policy = operation.settings();
        RecordId id = EngineContext.id(operation, key);
        PayloadComparison payload = new PayloadComparison(FingerprintKeys.none(), key.fingerprint());
        Claim claim = Claim.of(id, UUID.randomUUID(), policy.lease).print(payload.print(1));
        long until = System.nanoTime() + policy.patience().toNanos();
        while (true) {
            ClaimResult claimed = claim(claim);
            if (claimed instanceof ClaimResult.Acquired won) {
                return execute(operation, work, new Ticket(id, claim.owner(), won.fence()));
            }
            RecordSnapshot seen = (RecordSnapshot) claimed;
            StoredRecord record = seen.record();
            boolean busy = record.status() == Status.PROCESSING;
            boolean differs = payload.with(record) != Decision.PayloadMatch.SAME;
            if (differs && !(busy && mistake == Mistake.BUSY_BEFORE_CONFLICT)) {
                return new Outcome.Conflict<>(payload.differing(record));
            }
            if (record.status() == Status.SUCCESS) {
                return replay(operation, record);
            }
            if (record.status() == Status.FAILED) {
                ResultSerializer.StoredFailure failure = results.readFailure(
                        Objects.requireNonNull(record.payload()), EngineContext.context(id, Status.FAILED));
                return new Outcome.Failed<>(failure);
            }
            if (record.leaseOver(seen.now()) && mistake == Mistake.LEASE_OVER_MEANS_FREE) {
                claim = claim.retaking(TakeoverReason.LEASE_OVER, record, List.of());
            } else if (record.leaseOver(seen.now())) {
                store.update(record.ticket(), new Change.MarkUnknown(note(), true));
            } else if (record.status() == Status.UNKNOWN) {
                return new Outcome.Unknown<>(Instant.EPOCH);
            } else if (record.status() == Status.FREE) {
                claim = claim.retaking(TakeoverReason.FREE, record, List.of());
            } else if (mistake == Mistake.DUPLICATE_GETS_NULL) {
                return new Outcome.Replayed<>(null, true);
            } else if (System.nanoTime() - until >= 0) {
                if (mistake == Mistake.WAITER_DELETES_THE_CLAIM) {
                    store.update(record.ticket(), new Change.Release(policy.keep(null)));
                }
                return new Outcome.InProgress<>(Duration.ZERO);
            } else {
                LockSupport.parkNanos(5_000_000);
            }
        }
    }

    private ClaimResult claim(Claim claim) {
        for (int tries = 0; ; tries++) {
            try {
                return store.claim(claim);
            } catch (StoreException e) {
                if (mistake == Mistake.STORE_FAILURE_MEANS_GO_AHEAD) {
                    withdraw(claim);
                    return new ClaimResult.Acquired(0, 0);
                }
                if (tries == 3) {
                    withdraw(claim);
                    throw e;
                }
            }
        }
    }

    private void withdraw(Claim claim) {
        RecordSnapshot seen = store.find(claim.id());
        if (seen != null && seen.record().owner().equals(claim.owner())) {
            store.update(seen.record().ticket(), new Change.Release(keep()));
        }
    }

    private static RetentionPeriod keep() {
        return RetentionPeriod.of(RetentionPresets.DEFAULT);
    }

    private <T> Outcome<T> execute(Operation<T> operation, Work<T, ?> work, Ticket ticket) throws Exception {
        OperationPolicy policy = operation.settings();
        T value;
        try {
            value = work.run(new Attempt(
                    ticket,
                    new Lease(ticket, policy.lease, policy.maxRun, System.nanoTime(), () -> {}),
                    1,
                    Timer.system("naive")));
        } catch (Throwable e) {
            store.update(ticket, new Change.MarkUnknown(note(), false));
            throw e;
        }
        byte[] context = EngineContext.context(ticket.id(), Status.SUCCESS);
        ResultPayload result = results.value(value, operation.type(), policy.maxResultBytes, context);
        if (result.kind() == ResultPayload.Kind.NOT_KEPT && mistake == Mistake.OVERSIZE_IS_NOT_STORED) {
            store.update(ticket, new Change.Release(policy.keep(null)));
            return new Outcome.Executed<>(value, true);
        }
        return complete(ticket, new Change.Complete(result, policy.keep(null)), value);
    }

    private <T> Outcome<T> complete(Ticket ticket, Change complete, @Nullable T value) {
        long until = System.nanoTime() + PATIENCE;
        while (true) {
            try {
                store.update(ticket, complete);
                return new Outcome.Executed<>(value, true);
            } catch (StoreException e) {
                if (mistake == Mistake.SUCCESS_BECOMES_FAILURE) {
                    ResultPayload failure = results.failure(
                            "StoreException", null, null, EngineContext.context(ticket.id(), Status.FAILED));
                    store.update(ticket, new Change.Fail(failure, keep()));
                    throw e;
                }
                if (System.nanoTime() - until >= 0) {
                    return new Outcome.Executed<>(value, false);
                }
            }
        }
    }

    @SuppressWarnings("unchecked") // the codec reads into the operation's own type
    private <T> Outcome<T> replay(Operation<T> operation, StoredRecord record) {
        ResultPayload payload = Objects.requireNonNull(record.payload());
        if (payload.kind() == ResultPayload.Kind.NOT_KEPT) {
            return new Outcome.Replayed<>(null, false);
        }
        Object value = results.read(payload, operation.type(), EngineContext.context(record.id(), Status.SUCCESS));
        return new Outcome.Replayed<>((T) value, true);
    }

    private ResultPayload note() {
        return new ResultPayload(ResultPayload.Kind.NOTE, "none", 1, null, new byte[0]);
    }

    @Override
    public void close() {}
}
