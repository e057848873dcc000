package io.onefold;

import io.onefold.store.CacheTier;
import io.onefold.store.Change;
import io.onefold.store.Claim;
import io.onefold.store.PayloadRejectedException;
import io.onefold.store.RecordId;
import io.onefold.store.RecordSnapshot;
import io.onefold.store.RetentionPeriod;
import io.onefold.store.StoreTransactions;
import io.onefold.store.StoreTransactions.RecordLockResult;
import io.onefold.store.StoreTransactions.RecordTransaction;
import io.onefold.store.StoredRecord;
import io.onefold.store.Takeover;
import io.onefold.store.Takeover.TakeoverReason;
import io.onefold.store.Ticket;
import io.onefold.store.TransactionConflictException;
import java.time.Duration;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One call's way through a transaction: lock the record without waiting, read it, work, write the record at its end. There is no
 * lease and no PROCESSING record: whoever is lost takes its effect along, and the lock is gone with its transaction. Whoever else
 * gets in between, a leased claim say, makes the last write fail, and with it the transaction.
 */
final class TransactionalCall<T, X extends Exception> {
    final EngineContext engine;
    final Operation<T> operation;
    final RecordId id;
    final DuplicateOutcomes<T> retelling;
    final long began;
    private final OperationPolicy policy;
    private final Key key;
    private final TransactionalWork<T, X> work;
    private final PayloadComparison payload;
    private final AwaitedAttempt awaited;
    private final ResultEncoder<T> ending;
    private final UUID owner;
    private boolean interrupted;
    private boolean entered;
    private boolean atWork;

    TransactionalCall(EngineContext engine, Operation<T> operation, Key key, TransactionalWork<T, X> work) {
        this.engine = engine;
        this.operation = operation;
        this.policy = operation.settings();
        this.key = key;
        this.work = work;
        this.payload = new PayloadComparison(engine.prints(), key.fingerprint());
        this.id = EngineContext.id(operation, key);
        this.retelling = new DuplicateOutcomes<>(engine, operation, id, payload);
        this.awaited = new AwaitedAttempt(policy, payload);
        this.ending = new ResultEncoder<>(engine, operation, id);
        this.owner = engine.owners().get();
        this.began = engine.timer().nanos();
    }

    /** The result of one pass through a transaction. */
    sealed interface PassResult<T> {
        /**
         * The request has its answer; the transaction has written nothing.
         *
         * @param finished whether the record is at its end
         */
        record OutcomeKnown<T>(DuplicateOutcomes.ReportedOutcome<T> told, boolean finished) implements PassResult<T> {}

        /** Another holds the record. */
        record LockedByOther<T>(@Nullable RecordSnapshot seen) implements PassResult<T> {}

        /** The owner's lease is over, as leased calls write it down. */
        record OwnerLost<T>(RecordSnapshot seen) implements PassResult<T> {}

        /** Nobody has it: the work may run. */
        record MayRun<T>(Claim claim, long fence) implements PassResult<T> {}

        /**
         * The work ran; its record is to be written.
         *
         * @param failure what the work threw, if its effect is to stay all the same
         */
        record WorkReturned<T>(
                @Nullable T value,
                Claim claim,
                long fence,
                Change end,
                @Nullable Throwable failure) implements PassResult<T> {}

        /** The work threw; nothing must stay of it but this. */
        record WorkThrew<T>(Throwable thrown, Claim claim) implements PassResult<T> {}
    }

    /** The token's word comes before the transaction: it may need a connection of its own. */
    DuplicateOutcomes.@Nullable ReportedOutcome<T> lookBefore() {
        Key.IssuedToken token = key.token();
        if (token == null) {
            return null;
        }
        Outcome.RejectionReason refusal = engine.stands(id) ? null : engine.refusal(token, operation);
        return refusal == null || engine.stands(id) ? null : retelling.refused(refusal);
    }

    /** Returns the outcome that a cache tier knows, without a transaction; null if it knows none. */
    DuplicateOutcomes.@Nullable ReportedOutcome<T> lookNearby() {
        CacheTier tier = policy.overwrite ? null : engine.store().tier();
        RecordSnapshot seen = tier == null ? null : tier.known(id);
        return seen == null ? null : told(Decision.of(policy, payload.with(seen.record()), seen), seen.record());
    }

    /**
     * Brings the finished record to the cache tier. To be called when its transaction is over and no connection is held, since it reads what is
     * committed. What may be amended is copied by the amendment.
     */
    void copyNearby() {
        CacheTier tier = policy.changes() ? null : engine.store().tier();
        if (tier != null) {
            tier.refresh(id);
        }
    }

    /** Looks, and runs the work if nobody has the record. */
    PassResult<T> pass(RecordTransaction transaction) {
        atWork = false;
        PassResult<T> look = look(transaction);
        if (!(look instanceof PassResult.MayRun<T> free)) {
            return look;
        }
        // waiters are told of a failure before the rollback frees the lock; the record counts it only afterwards
        return awaited.failure() == null ? run(transaction, free.claim(), free.fence()) : attemptFailed();
    }

    private PassResult<T> attemptFailed() {
        return new PassResult.OutcomeKnown<>(retelling.attemptFailed(awaited), false);
    }

    /** The call has a place among those who wait. */
    void waitsAt(Waiters.Waiter place) {
        awaited.entered(place);
    }

    /** Returns the state of the request. Nothing runs. */
    PassResult<T> look(RecordTransaction transaction) {
        RecordLockResult entry = transaction.enter(id);
        RecordSnapshot seen = entry.seen();
        Claim claim = firstClaim();
        if (seen != null) {
            StoredRecord record = seen.record();
            Decision decision = Decision.of(policy, payload.with(record), seen);
            DuplicateOutcomes.ReportedOutcome<T> told = told(decision, record);
            if (told != null) {
                return new PassResult.OutcomeKnown<>(told, record.status().finished());
            } else if (awaited.hasFailed(record)) {
                return attemptFailed();
            } else if (decision.verb() == Decision.DecisionAction.WAIT) {
                awaited.since(seen);
                return new PassResult.LockedByOther<>(seen);
            } else if (decision.verb() == Decision.DecisionAction.DOUBT) {
                return new PassResult.OwnerLost<>(seen);
            }
            claim = taking(claim, decision, record);
        }
        if (entry.locked()) {
            return new PassResult.MayRun<>(claim, entry.fence());
        }
        awaited.since(seen);
        return new PassResult.LockedByOther<>(null);
    }

    /** Returns the outcome that the record gives the request; null if it does not answer the request. */
    private DuplicateOutcomes.@Nullable ReportedOutcome<T> told(Decision decision, StoredRecord record) {
        return switch (decision.verb()) {
            case REPLAY -> retelling.replayed(record);
            case REPLAY_FAILURE -> retelling.failed(record);
            case REFUSE -> retelling.refused(Objects.requireNonNull(decision.reason()));
            case CONFLICT -> retelling.conflict(record);
            case UNKNOWN -> retelling.unknown(record.times().updatedAt());
            case WAIT, DOUBT, RETAKE, REPLACE -> null;
        };
    }

    private Claim firstClaim() {
        return Claim.of(id, owner, policy.lease)
                .print(payload.print(owner.getLeastSignificantBits()))
                .bizId(key.bizId());
    }

    private Claim taking(Claim claim, Decision decision, StoredRecord record) {
        TakeoverReason grounds = Objects.requireNonNull(decision.grounds());
        if (decision.verb() == Decision.DecisionAction.RETAKE) {
            return claim.retaking(grounds, record, record.prints().superseded());
        }
        return claim.replacing(grounds, record, PayloadComparison.superseded(policy, grounds, record));
    }

    private PassResult<T> run(RecordTransaction transaction, Claim claim, long fence) {
        Ticket ticket = new Ticket(id, owner, fence);
        Attempt attempt = new Attempt(ticket, null, claim.attempts(), engine.timer());
        T value;
        entered = true;
        atWork = true;
        try {
            value = work.run(attempt, transaction.connection());
        } catch (Throwable e) {
            interrupted |= Thread.interrupted();
            if (transaction.conflicts(e)) {
                throw transaction.conflict("the work of " + id + " was given up for another's", e);
            }
            if (e instanceof CommittedFailureException kept) {
                Throwable failure = kept.failure();
                return new PassResult.WorkReturned<>(
                        null, claim, fence, new Change.Fail(ending.failure(failure), keep()), failure);
            }
            tellWaiters(e);
            return new PassResult.WorkThrew<>(e, claim);
        } finally {
            attempt.end();
        }
        // a driver may refuse to talk on a thread that is interrupted
        interrupted |= Thread.interrupted();
        return new PassResult.WorkReturned<>(
                value, claim, fence, new Change.Complete(ending.result(value), keep()), null);
    }

    /** Tells the waiters of this process why the attempt has failed. Work that was not begun is no attempt. */
    void tellWaiters(Throwable thrown) {
        Throwable failure = thrown instanceof UncountedFailureException ? thrown.getCause() : thrown;
        if (policy.sharesFailure() && failure != null && !(failure instanceof WorkNotStartedException)) {
            byte[] print = payload.print(owner.getLeastSignificantBits()).hash();
            engine.waiters().failed(id, new Waiters.SharedFailure(failure, print, Long.MAX_VALUE));
        }
    }

    void write(RecordTransaction transaction, PassResult.WorkReturned<T> ran) {
        try {
            require(transaction.write(ran.claim, ran.fence, ran.end));
        } catch (PayloadRejectedException e) {
            require(transaction.write(ran.claim, ran.fence, withoutResult(ran, e)));
        }
    }

    void writeAndCommit(RecordTransaction transaction, PassResult.WorkReturned<T> ran) {
        try {
            require(transaction.writeAndCommit(ran.claim, ran.fence, ran.end));
        } catch (PayloadRejectedException e) {
            require(transaction.writeAndCommit(ran.claim, ran.fence, withoutResult(ran, e)));
        }
    }

    /** The effect is not undone because its result cannot be kept. */
    private Change withoutResult(PassResult.WorkReturned<T> ran, PayloadRejectedException because) {
        return ran.failure == null
                ? new Change.Complete(ending.refused(because), keep())
                : new Change.Fail(ending.refusedFailure(ran.failure), keep());
    }

    private void require(boolean written) {
        if (!written) {
            throw new TransactionConflictException("another has claimed " + id + " meanwhile", null);
        }
    }

    /**
     * Counts a failure, once the transaction that failed is rolled back: unless another attempt holds the record, or has written one
     * that this failure does not know of: their end says more. A failed overwriting leaves the record that it did not overwrite. What
     * was not even begun is no attempt.
     *
     * @return what was written, to be told when it is committed; null if nothing was
     */
    OperationEvent.@Nullable Kind count(RecordTransaction transaction, PassResult.WorkThrew<T> failed) {
        if (failed.thrown() instanceof WorkNotStartedException) {
            return null;
        }
        RecordLockResult entry = transaction.enter(id);
        boolean last = policy.fatal(failed.thrown()) || failed.claim().attempts() >= policy.maxAttempts;
        Change end = last ? new Change.Fail(ending.failure(failed.thrown()), keep()) : new Change.Release(keep());
        Takeover take = failed.claim().take();
        boolean counts = entry.locked() && (take == null || take.grounds() != TakeoverReason.OVERWRITE);
        boolean written = counts && writeFailure(transaction, failed, entry.fence(), end);
        return !written ? null : last ? OperationEvent.Kind.FAILED : OperationEvent.Kind.RELEASED;
    }

    private boolean writeFailure(
            RecordTransaction transaction, PassResult.WorkThrew<T> failed, long fence, Change end) {
        try {
            return transaction.write(failed.claim(), fence, end);
        } catch (PayloadRejectedException e) {
            Change rest = new Change.Fail(ending.refusedFailure(failed.thrown()), keep());
            return transaction.write(failed.claim(), fence, rest);
        }
    }

    /**
     * Tells how the work ended, once that is committed.
     *
     * @param counted what was written; where nothing was, the record is as free as the rollback has left it
     */
    void failed(Throwable thrown, OperationEvent.@Nullable Kind counted) {
        OperationEvent.Kind free = thrown instanceof WorkNotStartedException
                ? OperationEvent.Kind.NOT_BEGUN
                : OperationEvent.Kind.RELEASED;
        engine.events().tell(counted == null ? free : counted, id, began);
        if (counted != null) {
            engine.waiters().publish(id);
        }
    }

    /** Returns true if the work was entered, in this transaction or one before. */
    boolean hasEntered() {
        return entered;
    }

    /** Returns true if the work was entered in the last pass. */
    boolean wasAtWork() {
        return atWork;
    }

    /** Tells that the transaction was given up and that nothing stays of the work, not even an attempt. */
    void givenUp() {
        engine.events().tell(OperationEvent.Kind.NOT_BEGUN, id, began);
    }

    /** Returns true if the record is the one that this call wrote. */
    boolean wrote(@Nullable RecordSnapshot seen) {
        return seen != null && seen.record().owner().equals(owner);
    }

    /** Makes sure that the record which this call wrote is as durable as if its commit had been acknowledged. */
    void confirm(StoreTransactions joining) {
        joining.confirm(id, owner);
    }

    /** Restores the thread's interrupt; called when no more calls to the database are left. */
    void restoreInterrupt() {
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Tells that the work ran, and that its record is written: what the caller gets. */
    <F extends Exception> Outcome<T> executed(PassResult.WorkReturned<T> ran) throws F {
        engine.removeToken(key.token(), id);
        if (ran.failure != null) {
            engine.events().tell(OperationEvent.Kind.FAILED, id, began);
            throw ExceptionRethrower.<F>as(ran.failure);
        }
        engine.events().tell(OperationEvent.Kind.EXECUTED, id, began);
        return new Outcome.Executed<>(ran.value, true);
    }

    Outcome<T> told(DuplicateOutcomes.ReportedOutcome<T> told) {
        engine.events().duplicate(told.kind(), id, began);
        return told.outcome();
    }

    /** Returns the outcome for a record that another transaction holds and has not committed yet. */
    DuplicateOutcomes.ReportedOutcome<T> busy(@Nullable RecordSnapshot seen) {
        if (policy.rejection != null) {
            return retelling.refused(Outcome.RejectionReason.DUPLICATE);
        }
        return seen == null ? retelling.busy(Duration.ofSeconds(1)) : retelling.busy(seen);
    }

    OperationPolicy policy() {
        return policy;
    }

    private RetentionPeriod keep() {
        return policy.keep(key.window());
    }
}
