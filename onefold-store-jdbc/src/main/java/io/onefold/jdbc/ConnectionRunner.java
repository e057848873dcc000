package io.onefold.jdbc;

import io.onefold.store.RecordLockTimeoutException;
import io.onefold.store.StoreException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Borrows connections and gives them back as they were. Nobody asks for a second while holding one, so that a pool of one
 * connection is enough.
 */
final class ConnectionRunner {
    private static final Logger LOG = LoggerFactory.getLogger(ConnectionRunner.class);
    private static final int TRIES = 12;
    private static final int READ_COMMITTED = Connection.TRANSACTION_READ_COMMITTED;

    /** SQL's own state for a commit of which nobody knows whether it happened. */
    private static final String RESOLUTION_UNKNOWN = "08007";

    private final DataSource source;
    private final Dialect dialect;
    private final StatementPreparer statements;
    private final DatabaseIdentity place;
    private final boolean trusted;

    /** @param trusted whether all connections of the source are taken to be alike */
    ConnectionRunner(
            DataSourceChain source,
            boolean trusted,
            DatabaseIdentity place,
            Dialect dialect,
            StatementPreparer statements) {
        this.source = source.source();
        this.trusted = trusted;
        this.place = place;
        this.dialect = dialect;
        this.statements = statements;
    }

    DataSource source() {
        return source;
    }

    /** Something to be done on a connection. */
    @FunctionalInterface
    interface ConnectionStep<T> {
        T on(Connection connection) throws SQLException;
    }

    /** Runs single statements, each committed by itself, and says what it was only if it failed; repeats the step if another transaction stood in its way. */
    <T> T eachAlone(Supplier<String> what, ConnectionStep<T> step) {
        return repeated(what, () -> borrowed(step));
    }

    <T> T borrowed(ConnectionStep<T> step) throws SQLException {
        try (Connection connection = open()) {
            if (connection.getAutoCommit()) {
                return watched(connection, step);
            }
            try {
                return watched(connection, same -> {
                    connection.setAutoCommit(true);
                    return step.on(connection);
                });
            } finally {
                restore(connection, READ_COMMITTED, false);
            }
        }
    }

    <T> T inTransaction(ConnectionStep<T> step) throws SQLException {
        try (Connection connection = open()) {
            boolean before = connection.getAutoCommit();
            int isolation = READ_COMMITTED;
            try {
                isolation = begun(connection);
                T result = watched(connection, step);
                end(connection, Connection::commit);
                return result;
            } catch (Throwable e) {
                rollback(connection, e);
                throw e;
            } finally {
                restore(connection, isolation, before);
            }
        }
    }

    /** Returns the isolation that is to be restored, also if it was cancelled too late: nothing is committed by it. */
    private int begun(Connection connection) throws SQLException {
        try (StepWatchdog guard = statements.watch(connection)) {
            return begin(connection);
        }
    }

    private int begin(Connection connection) throws SQLException {
        if (connection.getAutoCommit()) {
            connection.setAutoCommit(false);
        }
        int isolation = dialect.readsCommitted() ? connection.getTransactionIsolation() : READ_COMMITTED;
        if (isolation != READ_COMMITTED) {
            connection.setTransactionIsolation(READ_COMMITTED);
        }
        return isolation;
    }

    private <T> T watched(Connection connection, ConnectionStep<T> step) throws SQLException {
        StepWatchdog guard = statements.watch(connection);
        T result;
        try (guard) {
            result = step.on(connection);
        }
        if (guard != null && guard.wasCancelled()) {
            throw new SQLException(
                    "the step was cancelled at its timeout, but PostgreSQL reports success: a synchronous standby may lack the commit",
                    RESOLUTION_UNKNOWN);
        }
        return result;
    }

    private void end(Connection connection, TransactionEnd ending) throws SQLException {
        try (StepWatchdog guard = statements.watchEnd(connection)) {
            ending.on(connection);
        }
    }

    /** A commit, a rollback, or the restoring of a connection's settings. */
    private interface TransactionEnd {
        void on(Connection connection) throws SQLException;
    }

    /** A connection that leads to the records; no transaction is under way on it. */
    Connection open() throws SQLException {
        Connection connection = borrow();
        try {
            boolean asked = dialect.borrowed(statements, connection);
            asked |= trusted ? place.check(connection) : place.checkSession(connection);
            if (asked && !connection.getAutoCommit()) {
                end(connection, Connection::rollback);
            }
            return connection;
        } catch (FormerPrimaryException e) {
            // closed only, it would go back to the pool, which would lend it again
            abort(connection);
            close(connection);
            throw e;
        } catch (SQLException | RuntimeException e) {
            close(connection);
            throw e;
        }
    }

    private static void abort(Connection connection) {
        try {
            connection.abort(Runnable::run);
        } catch (SQLException e) {
            LOG.debug("Cannot abort a connection to a former primary", e);
        }
    }

    private Connection borrow() throws SQLException {
        try {
            return source.getConnection();
        } catch (SQLException e) {
            throw new NoConnectionException(e);
        }
    }

    /** No connection was to be had, for whatever reason a pool or a driver may give: nothing was sent. */
    static final class NoConnectionException extends SQLException {
        private static final long serialVersionUID = 1;

        NoConnectionException(SQLException cause) {
            super(cause.getMessage(), cause.getSQLState(), cause.getErrorCode(), cause);
        }
    }

    private void rollback(Connection connection, Throwable because) {
        try {
            end(connection, Connection::rollback);
        } catch (SQLException e) {
            because.addSuppressed(e);
        }
    }

    /** A connection that cannot even do this is of no use to the next one either; the pool will find out. */
    private void restore(Connection connection, int isolation, boolean autoCommit) {
        try {
            end(connection, same -> {
                try {
                    if (isolation != READ_COMMITTED) {
                        connection.setTransactionIsolation(isolation);
                    }
                } finally {
                    connection.setAutoCommit(autoCommit);
                }
            });
        } catch (SQLException e) {
            LOG.debug("a connection could not be restored", e);
        }
    }

    static void close(@Nullable Connection connection) {
        try {
            if (connection != null) {
                connection.close();
            }
        } catch (SQLException e) {
            LOG.debug("a connection could not be closed", e);
        }
    }

    /** Until the time of one step is over: another try begins only if one that takes as long as the last would end in time. */
    private <T> T repeated(Supplier<String> what, StepTry<T> step) {
        long until = System.nanoTime() + statements.timeout().toNanos();
        for (int tries = 1; ; tries++) {
            long began = System.nanoTime();
            try {
                return step.run();
            } catch (SQLException e) {
                SqlErrorKind trouble = dialect.trouble(e);
                boolean waited = trouble == SqlErrorKind.LOCK_TIMEOUT;
                long now = System.nanoTime();
                if ((trouble != SqlErrorKind.CONFLICT && !waited) || tries == TRIES || now - began >= until - now) {
                    String message = what.get() + " failed: " + e.getMessage();
                    throw waited ? new RecordLockTimeoutException(message, e) : new StoreException(message, e);
                }
                LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(1_000_000L << Math.min(tries, 6)));
            }
        }
    }

    private interface StepTry<T> {
        T run() throws SQLException;
    }
}
