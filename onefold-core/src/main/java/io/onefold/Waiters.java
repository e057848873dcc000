package io.onefold;

import io.onefold.store.RecordId;
import io.onefold.store.RecordSignals;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The calls that wait for an execution of another call, by record. They are bounded per record and in all, so that a
 * storm of duplicates is turned away instead of piling up. Waking is a hint: a waiter that is woken asks the store.
 */
final class Waiters {
    private static final Logger LOG = LoggerFactory.getLogger(Waiters.class);

    private final int perKey;
    private final int inAll;
    private final @Nullable RecordSignals signals;
    private final ConcurrentHashMap<RecordId, RecordQueue> queues = new ConcurrentHashMap<>();
    private final AtomicInteger total = new AtomicInteger();

    Waiters(int perKey, int inAll, @Nullable RecordSignals signals) {
        this.perKey = perKey;
        this.inAll = inAll;
        this.signals = signals;
    }

    /** A place among those who wait for the record, or null if there is none left. */
    @Nullable
    Waiter enter(RecordId id) {
        Waiter waiter = new Waiter(id);
        queues.compute(id, (same, queue) -> {
            int before = queue == null ? 0 : queue.waiters.size();
            if (before >= perKey || !reserve()) {
                return queue;
            }
            RecordQueue all = queue == null ? new RecordQueue(id) : queue;
            all.waiters.add(waiter);
            waiter.entered = true;
            return all;
        });
        return waiter.entered ? waiter : null;
    }

    private boolean reserve() {
        return total.getAndUpdate(count -> Math.min(count + 1, inAll)) < inAll;
    }

    /** The record may have changed. */
    void wake(RecordId id) {
        List<Waiter> woken = new ArrayList<>();
        queues.computeIfPresent(id, (same, queue) -> {
            woken.addAll(queue.waiters);
            return queue;
        });
        woken.forEach(Waiter::wake);
    }

    /**
     * The failure of an attempt in this process.
     *
     * @param print the hash of the attempt's payload as it is stored; null if it has none
     * @param fence of the attempt; {@link Long#MAX_VALUE} for a joined one, since its lock keeps all other attempts out
     */
    record SharedFailure(Throwable cause, byte @Nullable [] print, long fence) {}

    /** Tells the waiters of this process why an attempt has failed. They are not woken: the record says when the attempt has ended. */
    void failed(RecordId id, SharedFailure failure) {
        queues.computeIfPresent(id, (same, queue) -> {
            queue.waiters.forEach(waiter -> waiter.failure = failure);
            return queue;
        });
    }

    /** Tells whoever waits, here and in other processes. */
    void publish(RecordId id) {
        wake(id);
        if (signals != null) {
            try {
                signals.publish(id);
            } catch (RuntimeException e) {
                LOG.debug("no signal for {}; others will poll", id, e);
            }
        }
    }

    /** The calls that wait for one record, and the one subscription they share. */
    private final class RecordQueue {
        final List<Waiter> waiters = new ArrayList<>();
        final RecordSignals.@Nullable Subscription subscription;

        RecordQueue(RecordId id) {
            subscription = signals == null ? null : subscribe(signals, id);
        }

        private RecordSignals.@Nullable Subscription subscribe(RecordSignals signals, RecordId id) {
            try {
                return signals.subscribe(id, () -> wake(id));
            } catch (RuntimeException e) {
                LOG.debug("no signals for {}; polling", id, e);
                return null;
            }
        }
    }

    /** A place in a queue. A wake-up that comes while nobody sleeps is kept for the next sleep. */
    final class Waiter {
        private final RecordId id;
        private @Nullable Runnable sleeper;
        private boolean woken;
        private boolean entered;
        private volatile @Nullable SharedFailure failure;

        Waiter(RecordId id) {
            this.id = id;
        }

        /** The last failure of an attempt in this process since the waiter entered; null if none has failed. */
        @Nullable
        SharedFailure failure() {
            return failure;
        }

        /** Runs the continuation once at the next wake-up, or at once if that was missed. */
        void sleep(Runnable continuation) {
            synchronized (this) {
                if (!woken) {
                    sleeper = continuation;
                    return;
                }
                woken = false;
            }
            continuation.run();
        }

        void wake() {
            Runnable continuation;
            synchronized (this) {
                continuation = sleeper;
                sleeper = null;
                woken = continuation == null;
            }
            if (continuation != null) {
                continuation.run();
            }
        }

        /** Gives the place up, once. */
        void leave() {
            List<RecordSignals.Subscription> ended = new ArrayList<>(1);
            queues.computeIfPresent(id, (same, queue) -> {
                queue.waiters.remove(this);
                total.decrementAndGet();
                if (!queue.waiters.isEmpty()) {
                    return queue;
                }
                if (queue.subscription != null) {
                    ended.add(queue.subscription);
                }
                return null;
            });
            for (RecordSignals.Subscription subscription : ended) {
                try {
                    subscription.close();
                } catch (RuntimeException e) {
                    LOG.debug("signals for {} did not end", id, e);
                }
            }
        }
    }
}
