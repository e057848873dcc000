package io.onefold.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;

/** Prepares statements that do not wait for ever. */
record Statements(Duration timeout) {

    PreparedStatement prepare(Connection connection, String sql) throws SQLException {
        PreparedStatement statement = connection.prepareStatement(sql);
        statement.setQueryTimeout((int) Math.max(1, timeout.toSeconds()));
        return statement;
    }
}
