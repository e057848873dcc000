package io.onefold.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
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

    private static final Set<Guard> UNDER_WAY = ConcurrentHashMap.newKeySet();
    private static volatile boolean looking;

    private Watch() {}

    /** How to end what runs on a connection. */
    @FunctionalInterface
    interface Cancel {
        void on(Connection connection) throws SQLException;
    }

    /** To be closed when the connection is no longer used for this step. */
    static Guard over(Connection connection, Duration timeout, Cancel cancel) {
        Guard guard = new Guard(connection, System.nanoTime() + timeout.toNanos(), cancel);
        UNDER_WAY.add(guard);
        if (!looking) {
            look();
        }
        return guard;
    }

    private static synchronized void look() {
        if (!looking) {
            looking = true;
            start(Watch::run, "onefold-watch");
        }
    }

    private static void run() {
        int idle = 0;
        while (idle < IDLE_LOOKS) {
            LockSupport.parkNanos(LOOK_NANOS);
            List<Guard> underWay = List.copyOf(UNDER_WAY);
            idle = underWay.isEmpty() ? idle + 1 : 0;
            long now = System.nanoTime();
            for (Guard guard : underWay) {
                if (now - guard.until >= 0 && UNDER_WAY.remove(guard)) {
                    // a thread of its own: it talks to a server that may not answer
                    start(guard::cancel, "onefold-cancel");
                }
            }
        }
        looking = false;
        if (!UNDER_WAY.isEmpty()) {
            look();
        }
    }

    private static void start(Runnable task, String name) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        thread.start();
    }

    /** One step on one connection. */
    static final class Guard implements AutoCloseable {
        private final Connection connection;
        private final long until;
        private final Cancel cancel;
        private boolean closed;

        private Guard(Connection connection, long until, Cancel cancel) {
            this.connection = connection;
            this.until = until;
            this.cancel = cancel;
        }

        /** Whoever uses the connection next must not be the one who is cancelled: closing waits until this is over. */
        private synchronized void cancel() {
            if (!closed) {
                try {
                    cancel.on(connection);
                } catch (SQLException | RuntimeException e) {
                    LOG.debug("what took too long could not be cancelled", e);
                }
            }
        }

        @Override
        public void close() {
            if (!UNDER_WAY.remove(this)) {
                end();
            }
        }

        private synchronized void end() {
            closed = true;
        }
    }
}
