package io.onefold;

import io.onefold.store.Change;
import io.onefold.store.Claim;
import io.onefold.store.StoreException;
import io.onefold.store.Ticket;
import io.onefold.store.UpdateResult;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The owner's half of a flight: work, then record how it ended. Once the work has begun, nothing but the store's own word makes it
 * forgotten: an exception of the store never releases the claim, and neither does an interrupt or a caller who left.
 */
final class WorkExecution<T> {
    private static final int MIN_TRIES = 4;

    private final OperationCall<T> flight;
    private final EngineContext engine;
    private final OperationPolicy policy;
    private final Claim claim;
    private final ResultEncoder<T> ending;
    private final Lease lease;
    private final long stopAt;
    private final Attempt attempt;
    private int failures;

    /**
     * @param asked when the claim was first sent, by the monotonic clock
     */
    WorkExecution(OperationCall<T> flight, Claim claim, long fence, long asked) {
        this.flight = flight;
        this.engine = flight.engine;
        this.policy = flight.operation.settings();
        this.claim = claim;
        this.ending = new ResultEncoder<>(engine, flight.operation, claim.id());
        this.stopAt = asked + policy.maxRun.toNanos();
        this.lease = new Lease(
                new Ticket(claim.id(), claim.owner(), fence),
                policy.lease,
                policy.maxRun,
                asked,
                () -> flight.tell(OperationEvent.Kind.LEASE_LOST));
        this.attempt = new Attempt(lease.ticket, lease, claim.attempts(), engine.timer());
    }

    void begin() {
        if (lease.lost(engine.timer().nanos())) {
            // the answer took longer than the lease: another may be at work, and nothing has happened here
            Change release = new Change.Release(flight.keep(), false);
            record(() -> release, new Outcome.InProgress<>(Duration.ZERO), null, OperationEvent.Kind.NOT_BEGUN);
            return;
        }
        engine.renewals().begin(lease);
        flight.work(attempt, this);
    }

    void finished(@Nullable T value) {
        ended();
        record(
                () -> new Change.Complete(ending.result(value), flight.keep()),
                new Outcome.Executed<>(value, true),
                null,
                OperationEvent.Kind.EXECUTED);
    }

    void threw(Throwable thrown) {
        ended();
        boolean notExecuted = thrown instanceof NotExecutedException || policy.retryable(thrown);
        boolean begun = !(thrown instanceof WorkNotStartedException);
        if (policy.fatal(thrown) || (notExecuted && begun && claim.attempts() >= policy.maxAttempts)) {
            record(
                    () -> new Change.Fail(ending.failure(thrown), flight.keep()),
                    null,
                    thrown,
                    OperationEvent.Kind.FAILED);
        } else if (notExecuted || policy.repeats(claim.attempts())) {
            OperationEvent.Kind kind = begun ? OperationEvent.Kind.RELEASED : OperationEvent.Kind.NOT_BEGUN;
            if (begun && policy.sharesFailure()) {
                engine.waiters().failed(claim.id(), failure(thrown));
            }
            record(() -> new Change.Release(flight.keep(), begun), null, thrown, kind);
        } else {
            String note = thrown.getClass().getName();
            record(
                    () -> new Change.MarkUnknown(engine.note(claim.id(), note), false),
                    null,
                    thrown,
                    OperationEvent.Kind.DOUBTED);
        }
    }

    private Waiters.SharedFailure failure(Throwable thrown) {
        return new Waiters.SharedFailure(thrown, claim.print().hash(), lease.ticket.fence());
    }

    private void ended() {
        attempt.end();
        engine.renewals().end(lease);
    }

    /**
     * Writes how the work ended. Whether the store heard it is unknown until it says so, hence it is told again; so it is when a
     * seal could not be had. What the store refuses for good is told again without it.
     */
    private void record(
            Supplier<Change> change,
            @Nullable Outcome<T> outcome,
            @Nullable Throwable thrown,
            OperationEvent.Kind kind) {
        UpdateResult updated;
        try {
            updated = engine.store().update(lease.ticket, change.get());
        } catch (RuntimeException e) {
            if (ending.leavesOut(e)) {
                record(change, outcome, thrown, kind);
                return;
            }
            failures++;
            notRecorded(e, outcome, thrown);
            retry(() -> record(change, outcome, thrown, kind), e, thrown);
            return;
        }
        engine.waiters().publish(claim.id());
        boolean lost = updated == UpdateResult.LOST;
        if (thrown != null && kind == OperationEvent.Kind.DOUBTED && !lost) {
            engine.events().doubted(claim.id(), flight.began, thrown);
        } else {
            flight.tell(lost ? OperationEvent.Kind.OVERTAKEN : kind);
        }
        if (thrown != null) {
            if (lost && !flight.answer.isDone()) {
                thrown.addSuppressed(new StoreException("this end is not recorded: the record was settled otherwise"));
            }
            flight.answer.completeExceptionally(thrown);
        } else if (lost && outcome instanceof Outcome.Executed<T> executed) {
            flight.answer.complete(new Outcome.Overtaken<>(executed.value()));
        } else {
            flight.answer.complete(outcome);
        }
    }

    /** A result goes out unrecorded only when the lease is over: until then its duplicates would be told to wait. */
    private void notRecorded(RuntimeException e, @Nullable Outcome<T> outcome, @Nullable Throwable thrown) {
        engine.events().notRecorded(claim.id(), e);
        if (thrown != null) {
            if (failures == 1) {
                // whoever hears of the end is to know that the next one may not
                thrown.addSuppressed(new StoreException("this end is not recorded yet", e));
            }
            flight.answer.completeExceptionally(thrown);
        } else if (failures >= MIN_TRIES && engine.timer().nanos() - lease.deadline() >= 0 && !flight.answer.isDone()) {
            if (outcome instanceof Outcome.Executed<T> executed) {
                flight.tell(OperationEvent.Kind.NOT_STORED);
                flight.answer.complete(new Outcome.Executed<>(executed.value(), false));
            } else {
                flight.answer.complete(outcome);
            }
        }
    }

    private void retry(Runnable step, RuntimeException failure, @Nullable Throwable thrown) {
        if (engine.timer().nanos() - stopAt < 0 || !flight.answer.isDone()) {
            engine.timer().after(StepExecutor.pause(failures), () -> flight.lane.insist(step));
        } else {
            engine.events().neverRecorded(claim.id(), failure, thrown);
        }
    }
}
