package io.onefold.jdbc;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A pooler that may stand before PostgreSQL, PgBouncer say. In transaction mode each transaction may have another session, so that nothing
 * may be kept in one: the driver keeps statements there that are run often, and these fail. Once a pooler is noticed, connections keep none.
 */
final class TransactionPooler {
    private static final Logger LOG = LoggerFactory.getLogger(TransactionPooler.class);

    private final AtomicBoolean noticed = new AtomicBoolean();
    private volatile boolean failed;

    /** Returns true if the session's number differs from the one that the driver was told when it connected: then a pooler told it. */
    static boolean isBefore(Connection connection) throws SQLException {
        PGConnection driver = driver(connection);
        if (driver == null) {
            return false;
        }
        // of a plain statement nothing is kept
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select pg_backend_pid()")) {
            return row.next() && row.getInt(1) != driver.getBackendPID();
        }
    }

    /** The driver's own connection; null if a proxy of the application's hides it. */
    private static @Nullable PGConnection driver(Connection connection) throws SQLException {
        Class<?> type = PGConnection.class;
        return connection.isWrapperFor(type) && connection.unwrap(type) instanceof PGConnection driver ? driver : null;
    }

    /** A statement that the driver has kept in a session was not there. */
    void failed(SQLException e) {
        failed = true;
        noticed("a statement that the driver keeps in the session: " + e.getMessage());
    }

    void noticed(String why) {
        if (noticed.compareAndSet(false, true)) {
            LOG.warn(
                    "PostgreSQL is behind a pooler such as PgBouncer ({}). Onefold has set prepareThreshold=0 on the connections that"
                            + " it uses. Set prepareThreshold=0 in the JDBC URL, so that it holds for all statements of the application",
                    why);
        }
    }

    boolean isNoticed() {
        return noticed.get();
    }

    /**
     * Lets the connection keep no statements, if a pooler was noticed: those of work that joins a transaction fail as well.
     *
     * @return whether something was sent
     */
    boolean prepare(StatementPreparer statements, Connection connection) throws SQLException {
        if (isNoticed() && keepNothing(connection) && failed) {
            // the driver forgets by this what it has kept, its own statement that begins transactions included
            try (StepWatchdog guard = statements.watch(connection);
                    Statement statement = connection.createStatement()) {
                statement.execute("deallocate all");
            }
            return true;
        }
        return false;
    }

    /** Stops the connection from keeping statements. Returns true if it kept them until now. */
    static boolean keepNothing(Connection connection) throws SQLException {
        PGConnection driver = driver(connection);
        if (driver == null || driver.getPrepareThreshold() == 0) {
            return false;
        }
        driver.setPrepareThreshold(0);
        return true;
    }
}
