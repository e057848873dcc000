package io.onefold.redis;

import io.onefold.store.BatchItemResult;
import io.onefold.store.Change;
import io.onefold.store.RecordId;
import io.onefold.store.RecordUpdate;
import io.onefold.store.Store;
import io.onefold.store.UpdateResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Renews all locks that are held here, in one batch every third of a lease. Its one thread is a daemon and ends when idle. */
final class LockRenewals {
    private static final Logger LOG = LoggerFactory.getLogger(LockRenewals.class);

    private final Store store;
    private final Duration lease;
    private final LongSupplier nanos;
    private final Set<LockLease> held = ConcurrentHashMap.newKeySet();
    private final ScheduledThreadPoolExecutor thread;
    private @Nullable Future<?> ticking;
    private boolean closed;

    LockRenewals(Store store, Duration lease, LongSupplier nanos) {
        this.store = store;
        this.lease = lease;
        this.nanos = nanos;
        this.thread = new ScheduledThreadPoolExecutor(1, task -> {
            Thread daemon = new Thread(task, "onefold-locks");
            daemon.setDaemon(true);
            return daemon;
        });
        thread.setRemoveOnCancelPolicy(true);
        thread.setKeepAliveTime(10, TimeUnit.SECONDS);
        thread.allowCoreThreadTimeOut(true);
    }

    boolean isHeldHere(RecordId id) {
        return held.stream().anyMatch(one -> one.ticket.id().equals(id) && one.thread.equals(Thread.currentThread()));
    }

    synchronized boolean isClosed() {
        return closed;
    }

    /** Whether it will be renewed: not once this is closed. */
    synchronized boolean begin(LockLease holding) {
        if (closed) {
            return false;
        }
        held.add(holding);
        if (ticking == null) {
            long third = lease.toNanos() / 3;
            ticking = thread.scheduleWithFixedDelay(this::renew, third, third, TimeUnit.NANOSECONDS);
        }
        return true;
    }

    synchronized void end(LockLease holding) {
        held.remove(holding);
        if (held.isEmpty() && ticking != null) {
            ticking.cancel(false);
            ticking = null;
        }
        endThread();
    }

    /** What is held is renewed until its section has ended. */
    synchronized void close() {
        closed = true;
        endThread();
    }

    private void endThread() {
        if (closed && held.isEmpty()) {
            thread.shutdown();
        }
    }

    private void renew() {
        List<LockLease> all = List.copyOf(held);
        List<RecordUpdate> updates = new ArrayList<>(all.size());
        all.forEach(holding -> updates.add(new RecordUpdate(holding.ticket, new Change.Renew(lease))));
        long asked = nanos.getAsLong();
        try {
            List<BatchItemResult<UpdateResult>> answers = store.updateAll(updates);
            for (int i = 0; i < all.size(); i++) {
                renewed(all.get(i), answers.get(i), asked);
            }
        } catch (RuntimeException e) {
            LOG.warn("{} locks could not be renewed; they are lost when their leases end", all.size(), e);
        }
    }

    private static void renewed(LockLease holding, BatchItemResult<UpdateResult> answer, long asked) {
        try {
            if (answer.get() == UpdateResult.APPLIED) {
                holding.renewed(asked);
            } else {
                holding.lose();
            }
        } catch (RuntimeException e) {
            LOG.warn("lock {} could not be renewed; it is lost when its lease ends", holding.name(), e);
        }
    }
}
