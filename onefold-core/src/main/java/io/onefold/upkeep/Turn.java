package io.onefold.upkeep;

import io.onefold.store.Change;
import io.onefold.store.Claim;
import io.onefold.store.Claimed;
import io.onefold.store.Keep;
import io.onefold.store.RecordId;
import io.onefold.store.Seen;
import io.onefold.store.Store;
import io.onefold.store.StoredRecord;
import io.onefold.store.Take.Grounds;
import io.onefold.store.Ticket;
import io.onefold.store.Updated;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A housekeeping duty that one node does at a time: an ordinary record whose claim is the turn. A node that dies loses its turn when
 * the lease is over; two at work at once would do no harm, only twice the work.
 */
final class Turn {
    private static final String SCOPE = "onefold";
    private static final String OPERATION = "onefold.upkeep";

    private final Store store;
    private final RecordId id;
    private final Duration lease;
    private @Nullable Ticket ticket;

    Turn(Store store, String duty, Duration lease) {
        this.store = store;
        this.id = RecordId.of(SCOPE, OPERATION, duty);
        this.lease = lease;
    }

    static boolean isTurn(RecordId id) {
        return id.scope().equals(SCOPE) && id.operation().equals(OPERATION);
    }

    boolean take() {
        Claim claim = Claim.of(id, UUID.randomUUID(), lease);
        Claimed claimed = store.claim(claim);
        if (claimed instanceof Seen seen) {
            Grounds grounds = grounds(seen.record(), seen.now());
            if (grounds == null) {
                return false;
            }
            claimed = store.claim(claim.replacing(grounds, seen.record(), List.of()));
        }
        ticket = claimed instanceof Claimed.Won won ? new Ticket(id, claim.owner(), won.fence()) : null;
        return ticket != null;
    }

    private static @Nullable Grounds grounds(StoredRecord record, long now) {
        return switch (record.status()) {
            case FREE -> Grounds.FREE;
            case PROCESSING -> record.leaseOver(now) ? Grounds.LEASE_OVER : null;
            case UNKNOWN -> Grounds.UNKNOWN;
            case SUCCESS, FAILED -> record.gone(now) ? Grounds.EXPIRED : null;
        };
    }

    /** Whether it is still this node's turn; to be asked often enough. */
    boolean renew() {
        return ticket != null && store.update(ticket, new Change.Renew(lease)) == Updated.APPLIED;
    }

    void end() {
        if (ticket != null) {
            store.update(ticket, new Change.Release(Keep.of(Duration.ofDays(1))));
        }
    }
}
