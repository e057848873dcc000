package io.onefold.upkeep;

import io.onefold.Timer;
import io.onefold.store.RecordId;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Runs probes beside the rounds: a bounded number at once, each with a time limit, and never two for one record. Operations take turns.
 *
 * <p>A probe that takes too long is interrupted and no longer counted as running, so that others go on. One that does not heed the
 * interrupt keeps its thread, and its record is not probed again before it ends. It still counts for its operation, which has no more
 * probes begun than may run at once: so the number of threads is bounded, and other operations go on.
 */
final class ProbeRunner {
    private final Executor threads;
    private final Timer timer;
    private final int atOnce;
    private final Duration timeout;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition idle = lock.newCondition();
    private final Map<String, Deque<RunningProbe>> waiting = new LinkedHashMap<>();
    private final Map<RecordId, RunningProbe> begun = new HashMap<>();
    private final Map<String, Integer> begunOf = new HashMap<>();
    private int running;

    /** @param threads one for each probe, or else a probe holds up those after it */
    ProbeRunner(Executor threads, Timer timer, int atOnce, Duration timeout) {
        this.threads = threads;
        this.timer = timer;
        this.atOnce = atOnce;
        this.timeout = timeout;
    }

    /** The records that a probe was begun for and has not ended, also in vain. */
    Set<RecordId> begun() {
        lock.lock();
        try {
            return new HashSet<>(begun.keySet());
        } finally {
            lock.unlock();
        }
    }

    /** Runs these instead of those that still wait: they were chosen with a newer look at the store. */
    void run(List<RunningProbe> probes) {
        lock.lock();
        try {
            waiting.clear();
            for (RunningProbe probe : probes) {
                waiting.computeIfAbsent(probe.id.operation(), operation -> new ArrayDeque<>())
                        .add(probe);
            }
        } finally {
            lock.unlock();
        }
        startNext();
    }

    /** Starts no more; those that run go on. */
    void stop() {
        lock.lock();
        try {
            waiting.clear();
            idle.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits until no probe waits or runs.
     *
     * @return false if some still do
     */
    boolean await(Duration patience) throws InterruptedException {
        long left = patience.toNanos();
        lock.lockInterruptibly();
        try {
            while (running > 0 || !waiting.isEmpty()) {
                if (left <= 0) {
                    return false;
                }
                left = idle.awaitNanos(left);
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    void interrupt() {
        lock.lock();
        try {
            begun.values().forEach(RunningProbe::interrupt);
        } finally {
            lock.unlock();
        }
    }

    private void startNext() {
        for (RunningProbe next = next(); next != null; next = next()) {
            try {
                threads.execute(next);
            } catch (RejectedExecutionException | OutOfMemoryError e) {
                // no thread is to be had; a next round tries again
                stop();
                next.ended();
                next.notStarted(e);
            }
        }
    }

    private @Nullable RunningProbe next() {
        lock.lock();
        try {
            Iterator<Map.Entry<String, Deque<RunningProbe>>> operations =
                    waiting.entrySet().iterator();
            while (running < atOnce && operations.hasNext()) {
                Map.Entry<String, Deque<RunningProbe>> each = operations.next();
                String operation = each.getKey();
                Deque<RunningProbe> probes = each.getValue();
                operations.remove();
                RunningProbe next = begunOf.getOrDefault(operation, 0) < atOnce ? unbegun(probes) : null;
                if (next != null) {
                    if (!probes.isEmpty()) {
                        waiting.put(operation, probes); // behind the others
                    }
                    running++;
                    begun.put(next.id, next);
                    begunOf.merge(operation, 1, Integer::sum);
                    return next;
                }
            }
            idle.signalAll();
            return null;
        } finally {
            lock.unlock();
        }
    }

    private @Nullable RunningProbe unbegun(Deque<RunningProbe> probes) {
        RunningProbe next = probes.poll();
        while (next != null && begun.containsKey(next.id)) {
            next = probes.poll();
        }
        return next;
    }

    /** A probe of one record. What it found out is heard also after its time, as long as it ends. */
    abstract class RunningProbe implements Runnable {
        final RecordId id;
        private @Nullable Thread asking;
        private boolean interrupted;
        private boolean late;

        RunningProbe(RecordId id) {
            this.id = id;
        }

        /** Asks; may be interrupted. */
        abstract void ask();

        /** Does what follows from it; is not interrupted. */
        abstract void conclude();

        /** Its time is over; it may end all the same, or never. */
        abstract void overdue();

        /** There is no thread for it. */
        abstract void notStarted(Throwable why);

        @Override
        public final void run() {
            try {
                Timer.Cancellable limit = begin();
                try {
                    ask();
                } finally {
                    limit.cancel();
                    asked();
                }
                conclude();
            } finally {
                ended();
            }
            startNext();
        }

        private Timer.Cancellable begin() {
            lock.lock();
            try {
                asking = Thread.currentThread();
            } finally {
                lock.unlock();
            }
            return timer.after(timeout, this::timeOut);
        }

        /** From here on nobody interrupts it: an interrupt in the middle of a write would close the files of some databases. */
        private void asked() {
            lock.lock();
            try {
                asking = null;
                if (interrupted) {
                    var unused = Thread.interrupted();
                }
            } finally {
                lock.unlock();
            }
        }

        private void timeOut() {
            lock.lock();
            try {
                if (asking == null) {
                    return;
                }
                late = true;
                running--;
                interrupt();
                idle.signalAll();
            } finally {
                lock.unlock();
            }
            overdue();
            startNext();
        }

        /** Returns true if the probe was interrupted, because its time was over or the node ends. */
        final boolean isInterrupted() {
            lock.lock();
            try {
                return interrupted;
            } finally {
                lock.unlock();
            }
        }

        final void interrupt() {
            if (asking != null) {
                interrupted = true;
                asking.interrupt();
            }
        }

        final void ended() {
            lock.lock();
            try {
                begun.remove(id);
                begunOf.computeIfPresent(id.operation(), (operation, many) -> many == 1 ? null : many - 1);
                running -= late ? 0 : 1;
                idle.signalAll();
            } finally {
                lock.unlock();
            }
        }
    }
}
