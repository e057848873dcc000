package io.onefold.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Prepares statements that do not wait for ever, in the words of the database. */
record Statements(Duration timeout, Dialect dialect) {

    PreparedStatement prepare(Connection connection, String sql) throws SQLException {
        PreparedStatement statement = connection.prepareStatement(dialect.words(sql));
        if (dialect.cancel() == null) {
            statement.setQueryTimeout((int) Math.max(1, timeout.toSeconds()));
        }
        return statement;
    }

    /** To be held during a step: null where every statement has its own timeout. */
    Watch.@Nullable Guard watch(Connection connection) {
        Watch.Cancel cancel = dialect.cancel();
        return cancel == null ? null : Watch.over(connection, timeout, cancel);
    }
}
