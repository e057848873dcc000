package io.onefold.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The network timeout of a connection, set for one step. MariaDB's and MySQL's drivers leave the timeout of a statement to the server,
 * so that a server that hangs would hold the caller for ever. The limit is an option of the socket: it costs no round trip.
 */
final class NetworkTimeout implements StepWatchdog {
    private static final Logger LOG = LoggerFactory.getLogger(NetworkTimeout.class);

    private final Connection connection;
    private final int before;
    private final boolean changed;

    private NetworkTimeout(Connection connection, int before, boolean changed) {
        this.connection = connection;
        this.before = before;
        this.changed = changed;
    }

    /** Sets the limit, unless the connection has a shorter one already. */
    static NetworkTimeout on(Connection connection, Duration limit) {
        int millis = (int) Math.min(Integer.MAX_VALUE, limit.toMillis());
        try {
            int before = connection.getNetworkTimeout();
            boolean changes = before == 0 || before > millis;
            if (changes) {
                connection.setNetworkTimeout(Runnable::run, millis);
            }
            return new NetworkTimeout(connection, before, changes);
        } catch (SQLException | RuntimeException | AbstractMethodError e) {
            // some wrappers of connections are older than network timeouts
            LOG.debug("Cannot set the network timeout of a connection", e);
            return new NetworkTimeout(connection, 0, false);
        }
    }

    @Override
    public void close() {
        if (changed) {
            try {
                connection.setNetworkTimeout(Runnable::run, before);
            } catch (SQLException | RuntimeException e) {
                LOG.debug("Cannot restore the network timeout of a connection", e);
            }
        }
    }
}
