package io.onefold.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends what takes too long on a connection: first by asking the server to cancel it, once a second; some time later by
 * closing the socket, since a server that hangs does not cancel either. A driver would set a timer for every statement, and wake a
 * thread to do so; here one thread looks at all that is under way, every now and then, and a step costs next to nothing. The thread
 * goes when there was nothing to look at for a while. Those that talk to the server may hang with it, so they are few, whatever there
 * is to end.
 */
final class QueryWatchdog {
    private static final Logger LOG = LoggerFactory.getLogger(QueryWatchdog.class);
    private static final long LOOK_NANOS = 100_000_000;
    private static final int IDLE_LOOKS = 100;
    private static final long AGAIN_NANOS = 1_000_000_000;
    private static final int THREADS = 4;

    private final long timeout;
    private final long grace;
    private final QueryCancel cancel;
    private final Executor cancelling = threads("onefold-cancel");
    private final Executor aborting = threads("onefold-abort");
    private final Set<WatchedStep> underWay = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean looking = new AtomicBoolean();

    /**
     * @param timeout after which a step is cancelled
     * @param grace how much later its connection is closed, if that was of no use
     */
    QueryWatchdog(Duration timeout, Duration grace, QueryCancel cancel) {
        this.timeout = timeout.toNanos();
        this.grace = grace.toNanos();
        this.cancel = cancel;
    }

    private static Executor threads(String name) {
        ThreadPoolExecutor threads = new ThreadPoolExecutor(
                THREADS, THREADS, 10, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), task -> daemon(task, name));
        threads.allowCoreThreadTimeOut(true);
        return threads;
    }

    private static Thread daemon(Runnable task, String name) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        return thread;
    }

    /** Ends the running step of a connection. */
    @FunctionalInterface
    interface QueryCancel {
        void on(Connection connection) throws SQLException;
    }

    /** Watches a step. Close the guard when the connection is no longer used for this step. */
    WatchedStep over(Connection connection) {
        return begun(new WatchedStep(connection, System.nanoTime() + timeout, true));
    }

    /**
     * Watches a step that ends a transaction. It is never cancelled: PostgreSQL would then report success for a commit that a standby lacks. Its
     * connection is closed when that of any other step would be; the caller then looks up whether the commit happened.
     */
    WatchedStep overEnd(Connection connection) {
        return begun(new WatchedStep(connection, System.nanoTime() + timeout, false));
    }

    private WatchedStep begun(WatchedStep guard) {
        underWay.add(guard);
        look();
        return guard;
    }

    private void look() {
        if (!looking.get()
                && looking.compareAndSet(false, true)
                && !begun(() -> daemon(this::run, "onefold-watch").start())) {
            looking.set(false);
        }
    }

    private void run() {
        for (int idle = 0; idle < IDLE_LOOKS; idle = underWay.isEmpty() ? idle + 1 : 0) {
            LockSupport.parkNanos(LOOK_NANOS);
            long now = System.nanoTime();
            underWay.forEach(guard -> guard.look(now));
        }
        looking.set(false);
        if (!underWay.isEmpty()) {
            look();
        }
    }

    /** A machine that has no more threads now may have some for the next look. */
    private static boolean begun(Runnable start) {
        try {
            start.run();
            return true;
        } catch (OutOfMemoryError e) {
            LOG.warn("what takes too long cannot be ended now", e);
            return false;
        }
    }

    /** One step on one connection. */
    final class WatchedStep implements StepWatchdog {
        private final Connection connection;
        private final long abortAt;
        private long cancelAt;
        private final boolean cancellable;
        private boolean queued;
        private boolean cancelled;
        private boolean cancels;
        private boolean aborts;
        private boolean aborted;
        private boolean abortBegan;
        private boolean closed;

        private WatchedStep(Connection connection, long until, boolean cancellable) {
            this.cancellable = cancellable;
            this.connection = connection;
            this.cancelAt = until;
            this.abortAt = until + grace;
        }

        private synchronized void look(long now) {
            if (closed || aborted) {
                return;
            }
            if (now - abortAt >= 0) {
                aborted = begun(() -> aborting.execute(this::abort));
            } else if (cancellable && now - cancelAt >= 0 && !queued) {
                // once a second from then on: a step may go on with its next statement
                cancelAt = now + AGAIN_NANOS;
                queued = begun(() -> cancelling.execute(this::cancel));
            }
        }

        private void cancel() {
            synchronized (this) {
                queued = false;
                if (closed || aborted) {
                    return;
                }
                cancels = true;
                cancelled = true;
            }
            try {
                cancel.on(connection);
            } catch (SQLException | RuntimeException e) {
                LOG.warn("A step that took too long could not be cancelled", e);
            } finally {
                synchronized (this) {
                    cancels = false;
                    notifyAll();
                }
            }
        }

        private void abort() {
            synchronized (this) {
                if (closed) {
                    return;
                }
                aborts = true;
                abortBegan = true;
            }
            try {
                LOG.warn("the database neither answers nor cancels a step: its connection is closed");
                connection.abort(Runnable::run);
            } catch (SQLException | RuntimeException e) {
                LOG.warn("The connection of a hung step could not be closed", e);
            } finally {
                synchronized (this) {
                    aborts = false;
                    notifyAll();
                }
            }
        }

        @Override
        public synchronized boolean wasCancelled() {
            return cancelled;
        }

        /**
         * Waits for a cancel or abort that is under way, so that it cannot hit the next user of the connection. It does not wait after an
         * abort: nobody uses that connection again, and a server that hangs may delay the cancel for long.
         */
        @Override
        public void close() {
            underWay.remove(this);
            boolean interrupted = false;
            synchronized (this) {
                closed = true;
                while (aborts || (cancels && !abortBegan)) {
                    try {
                        wait();
                    } catch (InterruptedException e) {
                        interrupted = true;
                    }
                }
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
