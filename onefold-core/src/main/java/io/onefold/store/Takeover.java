package io.onefold.store;

/**
 * The record that a claim wants to take over: the one with this fence, on these grounds. The store checks both, by its
 * own clock, in the step that takes it.
 */
public record Takeover(TakeoverReason grounds, long fence) {

    public enum TakeoverReason {
        /** It was released. */
        FREE,
        /** It is finished or free, and its keep (and tombstone) is over. */
        EXPIRED,
        /** Its owner's lease is over, and the operation is safe to repeat. */
        LEASE_OVER,
        /** Its outcome is unknown, and the operation is safe to repeat. */
        UNKNOWN,
        /**
         * It is finished, and a new payload overwrites it. The store keeps the earlier end for as long as the record is open, also when
         * others take the record over. A {@link Change.Release} or a {@link Change.Settle} as FREE puts it back. Any other end drops it.
         */
        OVERWRITE
    }

    /** Returns true if a new record begins in the old one's place, instead of a next attempt at it. */
    public boolean startsAnew() {
        return grounds == TakeoverReason.EXPIRED || grounds == TakeoverReason.OVERWRITE;
    }

    /** Returns true if the record may be taken on these grounds at the store's {@code now}. */
    public boolean allows(StoredRecord record, long now) {
        if (record.fence() != fence) {
            return false;
        }
        return switch (grounds) {
            case FREE -> record.status() == Status.FREE;
            case EXPIRED -> record.gone(now);
            case LEASE_OVER -> record.leaseOver(now);
            case UNKNOWN -> record.status() == Status.UNKNOWN;
            case OVERWRITE -> record.status().finished();
        };
    }
}
