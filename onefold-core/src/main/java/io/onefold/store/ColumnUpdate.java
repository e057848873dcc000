package io.onefold.store;

import java.time.Duration;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A change as one statement makes it, the same for all kinds: which statuses it may start from, and what the columns become.
 *
 * @param fromOne and {@code fromOther}: the statuses that it may start from
 * @param leaseOver only if the lease is over
 * @param heir a settler, whose name goes with a higher fence
 * @param anew attempts start at zero again
 * @param back how many attempts are given back
 * @param lease microseconds of a new lease, or -1: the old one stays while the record is open
 * @param keep microseconds, or -1 while the record is open
 * @param tombstone microseconds after the keep
 * @param resumes the checkpoint stays; else it becomes {@code checkpoint}
 */
public record ColumnUpdate(
        Status to,
        Status fromOne,
        Status fromOther,
        boolean leaseOver,
        @Nullable UUID heir,
        boolean anew,
        int back,
        long lease,
        long keep,
        long tombstone,
        @Nullable ResultPayload payload,
        boolean resumes,
        byte @Nullable [] checkpoint) {

    public static ColumnUpdate of(Change change) {
        if (change instanceof Change.Complete complete) {
            return end(Status.SUCCESS, Status.PROCESSING, Status.UNKNOWN, complete.result(), complete.keep());
        } else if (change instanceof Change.Amend amend) {
            return end(Status.SUCCESS, Status.SUCCESS, Status.SUCCESS, amend.result(), amend.keep());
        } else if (change instanceof Change.Fail fail) {
            return end(Status.FAILED, Status.PROCESSING, Status.UNKNOWN, fail.failure(), fail.keep());
        } else if (change instanceof Change.Release release) {
            return free(Status.PROCESSING, Status.UNKNOWN, null, false, release.counts() ? 0 : 1, release.keep());
        } else if (change instanceof Change.Settle settle) {
            return settled(settle);
        } else if (change instanceof Change.MarkUnknown unknown) {
            return open(Status.UNKNOWN, unknown.leaseOver(), -1, unknown.note(), true, null);
        } else if (change instanceof Change.Renew renew) {
            return open(Status.PROCESSING, false, micros(renew.lease()), null, true, null);
        } else if (change instanceof Change.SaveCheckpoint checkpoint) {
            return open(Status.PROCESSING, false, -1, null, false, checkpoint.data());
        }
        throw new IllegalArgumentException("not a change under a ticket: " + change);
    }

    private static ColumnUpdate settled(Change.Settle settle) {
        Status other = settle.anyway() ? Status.PROCESSING : Status.UNKNOWN;
        if (settle.to() == Status.FREE) {
            return free(Status.UNKNOWN, other, settle.settler(), settle.anyway(), 0, settle.keep());
        }
        ColumnUpdate end = end(settle.to(), Status.UNKNOWN, other, settle.payload(), settle.keep());
        return new ColumnUpdate(
                end.to,
                end.fromOne,
                end.fromOther,
                false,
                settle.settler(),
                false,
                0,
                -1,
                end.keep,
                end.tombstone,
                end.payload,
                false,
                null);
    }

    private static ColumnUpdate end(
            Status to, Status fromOne, Status fromOther, @Nullable ResultPayload payload, RetentionPeriod keep) {
        return new ColumnUpdate(
                to,
                fromOne,
                fromOther,
                false,
                null,
                false,
                0,
                -1,
                micros(keep.duration()),
                micros(keep.tombstone()),
                payload,
                false,
                null);
    }

    private static ColumnUpdate free(
            Status fromOne, Status fromOther, @Nullable UUID heir, boolean anew, int back, RetentionPeriod keep) {
        long kept = micros(keep.duration());
        return new ColumnUpdate(
                Status.FREE, fromOne, fromOther, false, heir, anew, back, -1, kept, 0, null, true, null);
    }

    private static ColumnUpdate open(
            Status to,
            boolean leaseOver,
            long lease,
            @Nullable ResultPayload note,
            boolean resumes,
            byte @Nullable [] data) {
        Status from = Status.PROCESSING;
        return new ColumnUpdate(to, from, from, leaseOver, null, false, 0, lease, -1, 0, note, resumes, data);
    }

    /**
     * Everything but times and contents, in bits: 1 to 4 the status that it becomes, 8 to 128 those that it may start from, 256 only if
     * the lease is over, 512 attempts start anew, 1024 one attempt is given back, 2048 the checkpoint stays.
     */
    public long what() {
        return to.code()
                | (8L << fromOne.code())
                | (8L << fromOther.code())
                | (leaseOver ? 256 : 0)
                | (anew ? 512 : 0)
                | (back > 0 ? 1024 : 0)
                | (resumes ? 2048 : 0);
    }

    /**
     * Returns true if the record is already in the state that this change leaves, under the same ticket: the change was
     * then made before. A change that frees may have put an earlier end back, under a fence above the ticket's.
     */
    public boolean madeBefore(StoredRecord record, Ticket ticket) {
        if (frees() && record.status().finished()) {
            return record.owner().equals(restorer(ticket)) && record.fence() > ticket.fence();
        }
        if (to == Status.PROCESSING || record.status() != to) {
            return false;
        }
        return heir != null
                ? record.owner().equals(heir)
                : record.owner().equals(ticket.owner()) && record.fence() == ticket.fence();
    }

    /**
     * Returns true if the change says that nothing was carried out. If the attempt was to overwrite an end, that end is
     * then put back.
     */
    public boolean frees() {
        return to == Status.FREE;
    }

    /** The owner of an earlier end that this change puts back. */
    public UUID restorer(Ticket ticket) {
        return heir == null ? ticket.withdrawn() : heir;
    }

    /**
     * Returns true if the record stays PROCESSING or UNKNOWN, so that the end that it was to overwrite is still needed.
     */
    public boolean staysOpen() {
        return to == Status.PROCESSING || to == Status.UNKNOWN;
    }

    public static long micros(Duration duration) {
        return duration.toNanos() / 1_000;
    }
}
