package io.onefold.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.function.UnaryOperator;

/** Prepares statements that do not wait for ever, in the words of the database. */
record Statements(Duration timeout, UnaryOperator<String> words) {

    PreparedStatement prepare(Connection connection, String sql) throws SQLException {
        PreparedStatement statement = connection.prepareStatement(words.apply(sql));
        statement.setQueryTimeout((int) Math.max(1, timeout.toSeconds()));
        return statement;
    }
}
