package io.onefold.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Prepares statements that do not wait for ever, in the words of the database. */
final class StatementPreparer {
    private final Dialect dialect;
    private final Duration timeout;
    private final int seconds;
    private final @Nullable QueryWatchdog watch;

    StatementPreparer(Duration timeout, Dialect dialect) {
        this.dialect = dialect;
        this.timeout = timeout;
        this.seconds = (int) Math.max(1, timeout.toSeconds());
        QueryWatchdog.QueryCancel cancel = dialect.cancel();
        this.watch = cancel == null ? null : new QueryWatchdog(timeout, timeout, cancel);
    }

    /** Returns the time limit of a step, repetitions included. */
    Duration timeout() {
        return timeout;
    }

    PreparedStatement prepare(Connection connection, String sql) throws SQLException {
        PreparedStatement statement = connection.prepareStatement(dialect.words(sql));
        if (watch == null) {
            statement.setQueryTimeout(seconds);
        }
        return statement;
    }

    /** Returns a guard to hold during a step; null if there is no server that could hang. */
    @Nullable
    StepWatchdog watch(Connection connection) {
        return watch == null ? limited(connection) : watch.over(connection);
    }

    /** Returns a guard to hold during a commit or a rollback; null if there is no server that could hang. */
    @Nullable
    StepWatchdog watchEnd(Connection connection) {
        return watch == null ? limited(connection) : watch.overEnd(connection);
    }

    private @Nullable StepWatchdog limited(Connection connection) {
        return dialect.isRemote() ? NetworkTimeout.on(connection, timeout.multipliedBy(2)) : null;
    }
}
