package io.onefold;

import io.onefold.store.Ticket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An owner's hold on its record as far as it can know: until the deadline by its own monotonic clock, counted from before the claim
 * or renewal was sent, so that it ends no later than the store thinks.
 */
final class Lease {
    private static final Logger LOG = LoggerFactory.getLogger(Lease.class);

    final Ticket ticket;
    final Duration length;
    private final long stopAt;
    private final Runnable lostNotice;
    private final List<Runnable> onLost = new ArrayList<>(0);
    private volatile long deadline;
    private volatile long renewAt;
    private volatile boolean lost;

    Lease(Ticket ticket, Duration length, Duration maxRun, long since, Runnable lostNotice) {
        this.ticket = ticket;
        this.length = length;
        this.stopAt = since + maxRun.toNanos();
        this.lostNotice = lostNotice;
        heldSince(since);
    }

    /** The store confirmed the hold to a question asked at that time. */
    void heldSince(long asked) {
        deadline = asked + length.toNanos();
        renewAt = asked + length.toNanos() / 3;
    }

    /** The renewal failed; ask again well before the deadline. */
    void renewalFailed(long now) {
        renewAt = now + length.toNanos() / 10;
    }

    long deadline() {
        return deadline;
    }

    boolean renewalDue(long now) {
        return now - renewAt >= 0 && now - stopAt < 0;
    }

    /** Notices a deadline that passed, because renewals failed, were too late or had to end. */
    boolean lost(long now) {
        if (!lost && now - deadline >= 0) {
            lose();
        }
        return lost;
    }

    void lose() {
        List<Runnable> told;
        synchronized (onLost) {
            if (lost) {
                return;
            }
            lost = true;
            told = List.copyOf(onLost);
        }
        lostNotice.run();
        told.forEach(this::call);
    }

    void onLost(Runnable callback) {
        synchronized (onLost) {
            if (!lost) {
                onLost.add(callback);
                return;
            }
        }
        call(callback);
    }

    /**
     * Runs a callback and logs its failure. A failing callback must not keep the others from being called, or the
     * leases of others from being renewed.
     */
    private void call(Runnable callback) {
        try {
            callback.run();
        } catch (Throwable e) {
            LOG.warn("who was told of the lost lease of {} failed", ticket.id(), e);
        }
    }
}
