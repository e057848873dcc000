package io.onefold;

import io.onefold.store.Seen;
import io.onefold.store.Status;
import io.onefold.store.StoredRecord;
import org.jspecify.annotations.Nullable;

/**
 * The attempt that a call waits for, where waiters share its failure. The record alone says whether it has failed; a waiter of the same
 * process also hears why.
 */
final class AwaitedAttempt {
    private final Settings policy;
    private final Comparison payload;
    private long fence;

    /** 0 as long as the call has waited for nobody, or for a mark at a front door, which tells nothing of attempts. */
    private int number;

    private boolean transaction;
    private Waiters.@Nullable Waiter waiter;

    AwaitedAttempt(Settings policy, Comparison payload) {
        this.policy = policy;
        this.payload = payload;
    }

    /** The call has a place among those who wait. */
    void entered(Waiters.Waiter place) {
        waiter = place;
    }

    /** The call waits for the owner of this record. */
    void is(StoredRecord inProgress) {
        transaction = false;
        fence = inProgress.fence();
        number = inProgress.attempts();
    }

    /**
     * The call waits for a transaction that has written nothing yet.
     *
     * @param committed what the transaction takes, if anything
     * @param attempt the number that its attempt has
     */
    void isTransaction(@Nullable Seen committed, int attempt) {
        transaction = true;
        fence = committed == null ? Long.MIN_VALUE : committed.record().fence() + 1;
        number = attempt;
    }

    /**
     * Whether the record, which does not answer the call, says that the awaited attempt was begun and has failed. A release that does not count takes its number back, so
     * that a call that waited for it may run. If another call has begun the next attempt already, the awaited one has failed, too, unless
     * lost attempts are repeated as well.
     */
    boolean hasFailed(StoredRecord record) {
        if (!policy.sharesFailure()) {
            return false;
        }
        if (record.status() == Status.FREE && failureSince(record.fence()) != null) {
            return true;
        }
        if (number == 0 || record.fence() < fence) {
            return false;
        }
        // a lost attempt that was taken over is not known to have failed, and its successor may never have begun
        boolean takenOver = policy.safeToRepeat && !transaction && record.fence() > fence;
        return switch (record.status()) {
            case FREE -> record.attempts() >= (takenOver ? number + 1 : number);
            case PROCESSING -> record.attempts() > number && !policy.safeToRepeat;
            case SUCCESS, FAILED, UNKNOWN -> false;
        };
    }

    /** Why an attempt in this process has failed while the call waited; null if none has. */
    @Nullable
    Throwable failure() {
        return failureSince(fence);
    }

    /**
     * An attempt that somebody has taken over from may fail late, and is not the awaited one. Neither is one at another payload: as long as
     * a transaction has written nothing, nobody can compare.
     */
    private @Nullable Throwable failureSince(long least) {
        Waiters.Failure failure = waiter == null || !policy.sharesFailure() ? null : waiter.failure();
        return failure == null || failure.fence() < least || !payload.isOf(failure.print()) ? null : failure.cause();
    }
}
