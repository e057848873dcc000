package io.onefold;

import io.onefold.store.Change;
import io.onefold.store.Claim;
import io.onefold.store.ClaimResult;
import io.onefold.store.PossiblyExecutedException;
import io.onefold.store.RecordId;
import io.onefold.store.RecordLockTimeoutException;
import io.onefold.store.RecordSnapshot;
import io.onefold.store.RetentionPeriod;
import io.onefold.store.StoreException;
import io.onefold.store.StoredFingerprint;
import io.onefold.store.StoredRecord;
import io.onefold.store.Takeover;
import io.onefold.store.Takeover.TakeoverReason;
import io.onefold.store.UpdateResult;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * One call's way through the engine.
 *
 * <pre>
 *   claim ── won ──> {@link WorkExecution} ──> answer
 *     ^ └─── met ──> decide ──> answer
 *     │                 ├──> doubt ──> answer
 *     │                 ├──> take what was met ─┐
 *     └─────────────────┴──> wait ──────────────┴─ claim again
 * </pre>
 *
 * Each step makes at most one store call and runs on the flight's lane. Between two steps nothing is held, neither a thread nor a
 * connection. A step whose answer from the store was lost is repeated: the store recognises claims by their owner and changes by
 * their ticket.
 */
abstract class OperationCall<T> {
    private static final int CLAIM_TRIES = 4;
    private static final int MAX_ROUNDS = 100;

    final CompletableFuture<Outcome<T>> answer = new CompletableFuture<>();
    final EngineContext engine;
    final Operation<T> operation;
    final StepExecutor lane;
    private final OperationPolicy policy;
    private final Key key;
    private final PayloadComparison payload;
    private final DuplicateOutcomes<T> retelling;
    private final AwaitedAttempt awaited;
    private final RecordId id;
    final long began;

    private Claim claim;
    private long asked;
    private int failures;
    private int rounds;
    private boolean standing;
    private volatile Waiters.@Nullable Waiter waiter;
    private volatile boolean hurried;
    private long waitUntil;
    private int polls;

    OperationCall(EngineContext engine, Operation<T> operation, Key key, Executor home) {
        this.engine = engine;
        this.operation = operation;
        this.policy = operation.settings();
        this.key = key;
        this.payload = new PayloadComparison(engine.prints(), key.fingerprint());
        this.id = EngineContext.id(operation, key);
        this.retelling = new DuplicateOutcomes<>(engine, operation, id, payload);
        this.awaited = new AwaitedAttempt(policy, payload);
        this.lane = new StepExecutor(this, home);
        this.began = engine.timer().nanos();
        this.claim = firstClaim();
    }

    private Claim firstClaim() {
        UUID owner = engine.owners().get();
        StoredFingerprint print = payload.print(owner.getLeastSignificantBits());
        return new Claim(
                id, owner, policy.lease, 1, print, List.of(), null, key.bizId(), null, policy.changes(), false);
    }

    /** Runs the work and tells the execution how it ended. */
    abstract void work(Attempt attempt, WorkExecution<T> execution);

    /**
     * The first step; on the lane.
     *
     * @param now by the monotonic clock
     */
    final void begin(long now) {
        asked = now;
        lane.guarded(key.token() == null ? this::claim : this::lookBeforeToken);
    }

    /** Wait no longer, whatever the policy grants. */
    final void hurry() {
        hurried = true;
        Waiters.Waiter waiting = waiter;
        if (waiting != null) {
            waiting.wake();
        }
    }

    /** A token is asked for only where no record stands: else the record answers. */
    private void lookBeforeToken() {
        Key.IssuedToken token = Objects.requireNonNull(key.token(), "token");
        Outcome.RejectionReason refusal = engine.stands(id) ? null : engine.refusal(token, operation);
        lane.next(refusal == null ? this::claim : () -> lookAfterToken(refusal));
    }

    /**
     * Looks for the record once more before the token is rejected. A call that has used the token in the meantime
     * claimed the record before it removed the token, so that record answers.
     */
    private void lookAfterToken(Outcome.RejectionReason refusal) {
        if (engine.stands(id)) {
            lane.next(this::claim);
        } else {
            tell(retelling.refused(refusal));
        }
    }

    private void claim() {
        if (answer.isDone()) {
            leave();
            if (failures > 0) {
                lane.insist(this::withdraw);
            }
            return;
        }
        if (failures == 0 && (rounds > 0 || waiter != null)) {
            asked = engine.timer().nanos();
        }
        ClaimResult claimed;
        try {
            claimed = engine.store().claim(claim);
        } catch (RuntimeException e) {
            if (++failures < CLAIM_TRIES && e instanceof StoreException && !(e instanceof RecordLockTimeoutException)) {
                later(this::claim);
            } else {
                fail(PossiblyExecutedException.of(e, standing));
                later(this::withdraw);
            }
            return;
        }
        failures = 0;
        if (claimed instanceof ClaimResult.Acquired won) {
            won(won.fence());
        } else {
            met((RecordSnapshot) claimed);
        }
    }

    /** Nobody will work under a claim whose answers were all lost: if it stands after all, it is released. */
    private void withdraw() {
        try {
            RecordSnapshot seen = engine.store().find(id);
            if (seen != null && seen.record().owner().equals(claim.owner())) {
                engine.store().update(seen.record().ticket(), new Change.Release(keep(), false));
                engine.waiters().publish(id);
            }
        } catch (StoreException e) {
            if (engine.timer().nanos() - asked < policy.lease.toNanos()) {
                failures++;
                later(this::withdraw);
            }
        }
    }

    private void met(RecordSnapshot seen) {
        standing = true;
        StoredRecord record = seen.record();
        Decision decision = Decision.of(policy, payload.with(record), seen);
        if (++rounds > MAX_ROUNDS) {
            tell(retelling.busy(seen));
            return;
        }
        if (!decision.isAnswer() && awaited.hasFailed(record)) {
            tell(retelling.attemptFailed(awaited));
            return;
        }
        switch (decision.verb()) {
            case REPLAY -> tell(retelling.replayed(record));
            case REPLAY_FAILURE -> tell(retelling.failed(record));
            case REFUSE -> tell(retelling.refused(Objects.requireNonNull(decision.reason())));
            case CONFLICT -> tell(retelling.conflict(record));
            case WAIT -> await(seen);
            case UNKNOWN -> tell(retelling.unknown(record.times().updatedAt()));
            case DOUBT -> lane.next(() -> doubt(seen));
            case RETAKE -> {
                claim = claim.retaking(
                        Objects.requireNonNull(decision.grounds()),
                        record,
                        record.prints().superseded());
                lane.next(this::claim);
            }
            case REPLACE -> {
                TakeoverReason grounds = Objects.requireNonNull(decision.grounds());
                claim = claim.replacing(grounds, record, PayloadComparison.superseded(policy, grounds, record));
                lane.next(this::claim);
            }
        }
    }

    /** The owner's lease is over, and it has not been heard of: from here on nobody knows. */
    private void doubt(RecordSnapshot seen) {
        UpdateResult updated;
        try {
            updated = engine.store().update(seen.record().ticket(), engine.leaseOver(id));
        } catch (StoreException e) {
            if (++failures < CLAIM_TRIES && !(e instanceof RecordLockTimeoutException)) {
                later(() -> doubt(seen));
            } else {
                fail(PossiblyExecutedException.of(e, true));
            }
            return;
        }
        failures = 0;
        if (updated == UpdateResult.APPLIED) {
            engine.events().foundUnknown(id, began);
            engine.waiters().publish(id);
            tell(retelling.unknown(engine.unknownSince(seen)));
        } else {
            claim = claim.fresh();
            lane.next(this::claim);
        }
    }

    private void await(RecordSnapshot seen) {
        claim = claim.fresh();
        if (policy.sharesFailure() && !awaited.isKnown() && !policy.patience().isZero()) {
            lane.next(() -> lookBeforeWaiting(seen));
            return;
        }
        long now = engine.timer().nanos();
        if (waiter == null) {
            waiter = policy.patience().isZero() ? null : engine.waiters().enter(id);
            if (waiter == null) {
                tell(retelling.busy(seen));
                return;
            }
            awaited.entered(waiter);
            waitUntil = now + policy.patience().toNanos();
            payload.condense();
            // what ended between the claim and the entering would wake nobody: look once more
            lane.next(this::claim);
            return;
        }
        Waiters.Waiter waiting = waiter;
        long left = waitUntil - now;
        if (left <= 0 || hurried) {
            tell(retelling.busy(seen));
            return;
        }
        rounds = 0;
        long poll = Math.min(left, StepExecutor.pause(++polls).toNanos());
        long leaseLeft = (seen.record().times().leaseUntil() - seen.now()) * 1_000;
        Timer.Cancellable alarm =
                engine.timer().after(Duration.ofNanos(Math.min(poll, Math.max(leaseLeft, 1))), waiting::wake);
        waiting.sleep(() -> {
            alarm.cancel();
            lane.next(this::claim);
        });
    }

    /** Reads the record from the primary store: a cache tier may have answered the claim with a mark, or with a copy of an attempt that is over. */
    private void lookBeforeWaiting(RecordSnapshot met) {
        try {
            awaited.since(engine.store().find(id));
        } catch (StoreException e) {
            if (++failures < CLAIM_TRIES && !(e instanceof RecordLockTimeoutException)) {
                later(() -> lookBeforeWaiting(met));
            } else {
                fail(PossiblyExecutedException.of(e, true));
            }
            return;
        }
        failures = 0;
        lane.next(() -> await(met));
    }

    private void won(long fence) {
        leave();
        payload.condense();
        Takeover take = claim.take();
        if (take != null && (take.grounds() == TakeoverReason.LEASE_OVER || take.grounds() == TakeoverReason.UNKNOWN)) {
            tell(OperationEvent.Kind.TAKEN_OVER);
        } else if (take != null && take.grounds() == TakeoverReason.EXPIRED) {
            tell(OperationEvent.Kind.LATE_DUPLICATE);
        }
        engine.removeToken(key.token(), id);
        new WorkExecution<>(this, claim, fence, asked).begin();
    }

    private void leave() {
        Waiters.Waiter waiting = waiter;
        if (waiting != null) {
            waiter = null;
            waiting.leave();
        }
    }

    private void tell(DuplicateOutcomes.ReportedOutcome<T> told) {
        leave();
        engine.events().duplicate(told.kind(), id, began);
        answer.complete(told.outcome());
    }

    final void fail(Throwable reason) {
        leave();
        answer.completeExceptionally(reason);
    }

    /** Why an answer is an exception. */
    static Throwable failure(CompletableFuture<?> answer) {
        return Objects.requireNonNull(answer.handle((value, thrown) -> thrown).join());
    }

    final RetentionPeriod keep() {
        return policy.keep(key.window());
    }

    final void tell(OperationEvent.Kind kind) {
        engine.events().tell(kind, id, began);
    }

    private void later(Runnable step) {
        // the step before may have had its effect: this one must not get lost
        engine.timer().after(StepExecutor.pause(failures), () -> lane.insist(step));
    }
}
