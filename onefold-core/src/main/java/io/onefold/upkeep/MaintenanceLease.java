package io.onefold.upkeep;

import io.onefold.Timer;
import io.onefold.store.Change;
import io.onefold.store.Claim;
import io.onefold.store.ClaimResult;
import io.onefold.store.RecordId;
import io.onefold.store.RecordSnapshot;
import io.onefold.store.RetentionPeriod;
import io.onefold.store.Store;
import io.onefold.store.StoredRecord;
import io.onefold.store.Takeover.TakeoverReason;
import io.onefold.store.Ticket;
import io.onefold.store.UpdateResult;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A duty of maintenance that one node does at a time: a hold whose claim is the turn. A node keeps its turn from round to round, and
 * renews it when a third of the lease is over, however often it is asked. So what it knows of its probes stays with one node, and a round
 * writes nothing for each record. A node that dies loses its turn when the lease is over; two at work at once would do no harm, only twice
 * the work.
 */
final class MaintenanceLease {
    private final Store store;
    private final Timer timer;
    private final RecordId id;
    private final Duration lease;
    private @Nullable Ticket ticket;
    private long confirmed;

    MaintenanceLease(Store store, Timer timer, String duty, Duration lease) {
        this.store = store;
        this.timer = timer;
        this.id = RecordId.hold("upkeep", duty);
        this.lease = lease;
    }

    /** Returns true if it is this node's turn; takes the turn if no node has it. */
    synchronized boolean take() {
        return isMine() || claim();
    }

    /** Returns true if it is still this node's turn. Asks the store only when a third of the lease is over. */
    synchronized boolean isMine() {
        if (ticket == null) {
            return false;
        }
        long now = timer.nanos();
        if (now - confirmed < lease.toNanos() / 3) {
            return true;
        }
        if (store.update(ticket, new Change.Renew(lease)) == UpdateResult.APPLIED) {
            confirmed = now;
            return true;
        }
        ticket = null;
        return false;
    }

    private boolean claim() {
        long now = timer.nanos();
        Claim claim = Claim.of(id, UUID.randomUUID(), lease);
        ClaimResult claimed = store.claim(claim);
        if (claimed instanceof RecordSnapshot seen) {
            TakeoverReason grounds = grounds(seen.record(), seen.now());
            if (grounds == null) {
                return false;
            }
            claimed = store.claim(claim.replacing(grounds, seen.record(), List.of()));
        }
        if (claimed instanceof ClaimResult.Acquired won) {
            ticket = new Ticket(id, claim.owner(), won.fence());
            confirmed = now;
        }
        return ticket != null;
    }

    private static @Nullable TakeoverReason grounds(StoredRecord record, long now) {
        return switch (record.status()) {
            case FREE -> TakeoverReason.FREE;
            case PROCESSING -> record.leaseOver(now) ? TakeoverReason.LEASE_OVER : null;
            case UNKNOWN -> TakeoverReason.UNKNOWN;
            case SUCCESS, FAILED -> record.gone(now) ? TakeoverReason.EXPIRED : null;
        };
    }

    /** Lets another node have the turn at once. */
    synchronized void end() {
        Ticket held = ticket;
        ticket = null;
        if (held != null) {
            store.update(held, new Change.Release(RetentionPeriod.of(Duration.ofDays(1))));
        }
    }
}
