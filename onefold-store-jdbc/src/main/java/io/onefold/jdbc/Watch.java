package io.onefold.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends what takes too long on a connection. A driver would set a timer for every statement, and wake a thread to do so; here one
 * thread looks at all that is under way, every now and then, and a step costs next to nothing. The thread goes when there was
 * nothing to look at for a while.
 */
final class Watch {
    private static final Logger LOG = LoggerFactory.getLogger(Watch.class);
    private static final long LOOK_NANOS = 100_000_000;
    private static final int IDLE_LOOKS = 100;
    private static final long AGAIN_NANOS = 1_000_000_000;

    private final long timeout;
    private final Cancel cancel;
    private final Set<Guard> underWay = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean looking = new AtomicBoolean();

    Watch(Duration timeout, Cancel cancel) {
        this.timeout = timeout.toNanos();
        this.cancel = cancel;
    }

    /** How to end what runs on a connection. */
    @FunctionalInterface
    interface Cancel {
        void on(Connection connection) throws SQLException;
    }

    /** To be closed when the connection is no longer used for this step. */
    Guard over(Connection connection) {
        Guard guard = new Guard(connection, System.nanoTime() + timeout);
        underWay.add(guard);
        look();
        return guard;
    }

    private void look() {
        if (!looking.get() && looking.compareAndSet(false, true) && !start(this::run, "onefold-watch")) {
            looking.set(false);
        }
    }

    private void run() {
        for (int idle = 0; idle < IDLE_LOOKS; idle = underWay.isEmpty() ? idle + 1 : 0) {
            LockSupport.parkNanos(LOOK_NANOS);
            long now = System.nanoTime();
            // a thread for each: it talks to a server that may not answer
            List.copyOf(underWay).stream()
                    .filter(guard -> guard.overdue(now))
                    .forEach(guard -> start(guard::cancel, "onefold-cancel"));
        }
        looking.set(false);
        if (!underWay.isEmpty()) {
            look();
        }
    }

    /** A machine that has no more threads now may have some for the next look. */
    private static boolean start(Runnable task, String name) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        try {
            thread.start();
            return true;
        } catch (OutOfMemoryError e) {
            LOG.warn("what takes too long cannot be ended now", e);
            return false;
        }
    }

    /** One step on one connection. */
    final class Guard implements AutoCloseable {
        private final Connection connection;
        private long until;
        private boolean closed;

        private Guard(Connection connection, long until) {
            this.connection = connection;
            this.until = until;
        }

        /** Once a second from then on: a step may go on with its next statement. */
        private boolean overdue(long now) {
            if (now - until < 0) {
                return false;
            }
            until = now + AGAIN_NANOS;
            return true;
        }

        /** Whoever uses the connection next must not be the one who is cancelled: closing waits until this is over. */
        private synchronized void cancel() {
            if (!closed) {
                try {
                    cancel.on(connection);
                } catch (SQLException | RuntimeException e) {
                    LOG.warn("what took too long could not be cancelled", e);
                }
            }
        }

        @Override
        public void close() {
            underWay.remove(this);
            synchronized (this) {
                closed = true;
            }
        }
    }
}
