package io.onefold;

import io.onefold.store.BatchItemResult;
import io.onefold.store.Change;
import io.onefold.store.RecordUpdate;
import io.onefold.store.Store;
import io.onefold.store.UpdateResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the leases of running work alive. Most work ends long before a third of its lease is over, so beginning and ending a lease
 * must cost next to nothing: leases stand in a plain set, and a tick now and then renews those that are due, all in one batch.
 */
final class LeaseRenewals {
    private static final Logger LOG = LoggerFactory.getLogger(LeaseRenewals.class);

    private final Store store;
    private final Timer timer;
    private final Set<Lease> leases = ConcurrentHashMap.newKeySet();
    private volatile @Nullable RenewalTick nextTick;

    LeaseRenewals(Store store, Timer timer) {
        this.store = store;
        this.timer = timer;
    }

    void begin(Lease lease) {
        leases.add(lease);
        tickWithin(lease.length);
    }

    /** Often enough that this lease is renewed on time, and tried again when that fails; an earlier tick serves as well. */
    private void tickWithin(Duration lease) {
        long pause = lease.toNanos() / 10;
        long wish = timer.nanos() + pause;
        RenewalTick next = nextTick;
        if (next != null && next.at - wish <= 0) {
            return;
        }
        synchronized (leases) {
            next = nextTick;
            if (next == null || next.at - wish > 0) {
                RenewalTick sooner = new RenewalTick(wish);
                nextTick = sooner;
                timer.after(Duration.ofNanos(pause), () -> tick(sooner));
            }
        }
    }

    void end(Lease lease) {
        leases.remove(lease);
    }

    /** A tick that a sooner one has replaced does nothing. */
    private void tick(RenewalTick due) {
        synchronized (leases) {
            if (nextTick != due) {
                return;
            }
            // whoever begins a lease from here on sets the next tick, or is seen below
            nextTick = null;
        }
        try {
            renew();
        } catch (RuntimeException e) {
            LOG.warn("leases could not be renewed", e);
        } finally {
            leases.stream()
                    .map(lease -> lease.length)
                    .min(Comparator.naturalOrder())
                    .ifPresent(this::tickWithin);
        }
    }

    private void renew() {
        long now = timer.nanos();
        List<Lease> due = new ArrayList<>();
        leases.removeIf(lease -> lease.lost(now));
        for (Lease lease : leases) {
            if (lease.renewalDue(now)) {
                due.add(lease);
            }
        }
        if (due.isEmpty()) {
            return;
        }
        List<RecordUpdate> updates = new ArrayList<>(due.size());
        for (Lease lease : due) {
            updates.add(new RecordUpdate(lease.ticket, new Change.Renew(lease.length)));
        }
        List<BatchItemResult<UpdateResult>> answers;
        try {
            answers = store.updateAll(updates);
        } catch (RuntimeException e) {
            LOG.warn("{} leases could not be renewed; trying again until they end", due.size(), e);
            due.forEach(lease -> lease.renewalFailed(now));
            return;
        }
        for (int i = 0; i < due.size(); i++) {
            renewed(due.get(i), answers.get(i), now);
        }
    }

    private void renewed(Lease lease, BatchItemResult<UpdateResult> answer, long asked) {
        try {
            if (answer.get() == UpdateResult.APPLIED) {
                lease.heldSince(asked);
            } else if (leases.remove(lease)) {
                lease.lose();
            }
        } catch (RuntimeException e) {
            lease.renewalFailed(asked);
        }
    }

    private static final class RenewalTick {
        final long at;

        RenewalTick(long at) {
            this.at = at;
        }
    }
}
