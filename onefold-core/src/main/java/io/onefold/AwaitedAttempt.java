package io.onefold;

import io.onefold.store.Seen;
import io.onefold.store.StoredRecord;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The attempt that a call waits for, where waiters share its failure. The record alone says whether it has failed; a waiter of the same
 * process also hears why.
 */
final class AwaitedAttempt {
    private final Settings policy;
    private long fence;

    /** 0 for a mark at a front, which is only the wish to begin one. */
    private int number;

    /** Null for a transaction, and as long as the call has waited for nobody. */
    private @Nullable UUID owner;

    private boolean waits;

    private Waiters.@Nullable Waiter waiter;

    AwaitedAttempt(Settings policy) {
        this.policy = policy;
    }

    /** The call has a place among those who wait. */
    void entered(Waiters.Waiter place) {
        waiter = place;
    }

    /** The call waits for the owner of this record. */
    void is(StoredRecord inProgress) {
        fence = inProgress.fence();
        number = inProgress.attempts();
        owner = inProgress.owner();
        waits = true;
    }

    /**
     * The call waits for a transaction that has written nothing yet.
     *
     * @param committed what the transaction takes, if anything
     * @param attempt the number that its attempt has
     */
    void isTransaction(@Nullable Seen committed, int attempt) {
        fence = committed == null ? Long.MIN_VALUE : committed.record().fence() + 1;
        number = attempt;
        owner = null;
        waits = true;
    }

    /**
     * Whether the record says that the awaited attempt was begun and has failed. A release that does not count takes its number back, so that
     * who waited for it may run. If another call has begun the next attempt already, the awaited one has failed, too, unless lost attempts
     * are repeated as well. Of a mark it is not known what the record was before: only the failure of its owner counts.
     */
    boolean hasFailed(StoredRecord record) {
        boolean another = number == 0 && !record.owner().equals(owner);
        if (!waits || another || !policy.sharesFailure() || record.fence() < fence) {
            return false;
        }
        return switch (record.status()) {
            case FREE -> record.attempts() >= Math.max(number, 1);
            case PROCESSING -> number > 0 && record.attempts() > number && !policy.safeToRepeat;
            case SUCCESS, FAILED, UNKNOWN -> false;
        };
    }

    /** Why an attempt in this process has failed while the call waited; null if none has. */
    @Nullable
    Throwable failure() {
        return !waits || waiter == null || !policy.sharesFailure() ? null : waiter.failure();
    }
}
