package io.onefold.store;

import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The claims that were won through one {@link TieredStore} and have not ended, so that an end can be copied without reading the record
 * again. A claim is held for as long as its lease: an owner that was lost never ends it. Who ends it later finds nothing here, and the
 * record is read again.
 */
final class LocalClaims {
    /** Between two searches for leases that are over: what is over stays for this long at most while there are claims. */
    private static final long PAUSE = Duration.ofSeconds(1).toNanos();

    private final ConcurrentHashMap<RecordId, LocalClaim> held = new ConcurrentHashMap<>();
    private final AtomicLong nextSearch;

    LocalClaims(long now) {
        this.nextSearch = new AtomicLong(now + PAUSE);
    }

    /**
     * @param asked when the claim was sent, by the monotonic clock
     */
    void won(Claim claim, long asked) {
        held.put(claim.id(), new LocalClaim(claim, asked + claim.lease().toNanos()));
        long next = nextSearch.get();
        if (asked - next >= 0 && nextSearch.compareAndSet(next, asked + PAUSE)) {
            held.values().removeIf(own -> asked - own.until >= 0);
        }
    }

    void renewed(Ticket ticket, Duration lease, long asked) {
        held.computeIfPresent(
                ticket.id(),
                (id, own) -> own.isOf(ticket)
                        ? new LocalClaim(own.claim, Math.max(own.until, asked + lease.toNanos()))
                        : own);
    }

    /** The claim that this ticket was won by, if it is held here. It ends once: should the truth fail, it is looked up there later. */
    @Nullable
    Claim ended(Ticket ticket) {
        LocalClaim own = held.get(ticket.id());
        return own != null && own.isOf(ticket) && held.remove(ticket.id(), own) ? own.claim : null;
    }

    int size() {
        return held.size();
    }

    /** Compared as the one object that it is, so that nobody removes what another has renewed. */
    private static final class LocalClaim {
        final Claim claim;
        final long until;

        LocalClaim(Claim claim, long until) {
            this.claim = claim;
            this.until = until;
        }

        boolean isOf(Ticket ticket) {
            return claim.owner().equals(ticket.owner());
        }
    }
}
