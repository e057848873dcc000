package io.onefold;

import io.onefold.store.RecordSnapshot;
import io.onefold.store.Status;
import io.onefold.store.StoredRecord;
import org.jspecify.annotations.Nullable;

/**
 * The attempt that a call waits for, where waiters share its failure. The record alone says whether it has failed; a waiter of the same
 * process also hears why.
 */
final class AwaitedAttempt {
    private final OperationPolicy policy;
    private final PayloadComparison payload;

    /** True if the record was read when the call began to wait. */
    private boolean known;

    /** Attempts that were over then, whatever became of them. */
    private int over;

    /** The lowest fence that an attempt may have which was not over then. */
    private long fence;

    private Waiters.@Nullable Waiter waiter;

    AwaitedAttempt(OperationPolicy policy, PayloadComparison payload) {
        this.policy = policy;
        this.payload = payload;
    }

    /** The call has a place among those who wait. */
    void entered(Waiters.Waiter place) {
        waiter = place;
    }

    boolean isKnown() {
        return known;
    }

    /**
     * Notes the record as it is when the call begins to wait. Only the first note counts: whatever fails from then on has failed while the call
     * waited.
     *
     * @param committed the record as the primary store has it, since a cache tier may have a mark, or an attempt that is over; null if there
     *     is none
     */
    void since(@Nullable RecordSnapshot committed) {
        if (known) {
            return;
        }
        known = true;
        fence = Long.MIN_VALUE;
        if (committed != null) {
            StoredRecord record = committed.record();
            boolean inProgress = record.status() == Status.PROCESSING;
            fence = record.fence() + (inProgress ? 0 : 1);
            // a first attempt takes the place of what is gone
            over = record.gone(committed.now()) ? 0 : record.attempts() - (inProgress ? 1 : 0);
        }
    }

    /**
     * Returns true if the record says that the awaited attempt, or one that followed it, was begun and has failed. An
     * attempt that was not begun is taken off the count, so that a call that waited for it may run. If another call has
     * begun the next attempt already, the waiter awaits that one. If the policy repeats lost attempts, a lost attempt
     * counts as failed once another has taken over.
     */
    boolean hasFailed(StoredRecord record) {
        return known
                && policy.sharesFailure()
                && record.status() == Status.FREE
                && record.fence() >= fence
                && record.attempts() > over;
    }

    /**
     * Why the awaited attempt has failed, if it failed in this process. The fence is compared, since an attempt that was taken over may fail later
     * than its successor. The payload is compared, since a waiter cannot compare it before: a transaction at work has written nothing yet.
     */
    @Nullable
    Throwable failure() {
        Waiters.SharedFailure failure = !known || waiter == null || !policy.sharesFailure() ? null : waiter.failure();
        return failure == null || failure.fence() < fence || !payload.isOf(failure.print()) ? null : failure.cause();
    }
}
