package io.onefold.store;

import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The selection of records that a listing shows.
 *
 * @param operation only this operation's, or all
 * @param bizId only those of this business id, or all
 * @param leaseOver only what somebody has to care for: of PROCESSING records those whose lease is over, and no holds,
 * which are free then
 */
public record RecordFilter(
        Set<Status> statuses,
        @Nullable String operation,
        @Nullable String bizId,
        boolean leaseOver) {
    public RecordFilter {
        if (statuses.isEmpty()) {
            throw new IllegalArgumentException("a filter needs at least one status");
        }
        statuses = Set.copyOf(statuses);
    }

    public static RecordFilter of(Status first, Status... more) {
        return new RecordFilter(EnumSet.of(first, more), null, null, false);
    }

    /** Selects the records that need someone's care: unknown outcomes, and owners whose lease is over. */
    public static RecordFilter stuck() {
        return new RecordFilter(EnumSet.of(Status.UNKNOWN, Status.PROCESSING), null, null, true);
    }

    public RecordFilter operation(String only) {
        return new RecordFilter(statuses, only, bizId, leaseOver);
    }

    public RecordFilter bizId(String only) {
        return new RecordFilter(statuses, operation, only, leaseOver);
    }

    public boolean matches(StoredRecord record, long now) {
        return statuses.contains(record.status())
                && (operation == null || operation.equals(record.id().operation()))
                && (bizId == null || bizId.equals(record.bizId()))
                && (!leaseOver || isStuck(record, now));
    }

    private static boolean isStuck(StoredRecord record, long now) {
        return !record.id().isHold() && (record.status() != Status.PROCESSING || record.leaseOver(now));
    }
}
