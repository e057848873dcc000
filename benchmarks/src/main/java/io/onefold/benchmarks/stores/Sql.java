package io.onefold.benchmarks.stores;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Plain JDBC: a connection for each statement, each statement its own commit. */
final class Sql {
    private Sql() {}

    static void execute(DataSource source, String... statements) {
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement()) {
            for (String one : statements) {
                statement.execute(one);
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    static int update(DataSource source, String sql, Object... values) throws SQLException {
        try (Connection connection = source.getConnection()) {
            return update(connection, sql, values);
        }
    }

    static int update(Connection connection, String sql, Object... values) throws SQLException {
        try (PreparedStatement statement = prepare(connection, sql, values)) {
            return statement.executeUpdate();
        }
    }

    /** The first column of the first row. */
    static @Nullable String text(DataSource source, String sql, Object... values) throws SQLException {
        try (Connection connection = source.getConnection();
                PreparedStatement statement = prepare(connection, sql, values);
                ResultSet rows = statement.executeQuery()) {
            return rows.next() ? rows.getString(1) : null;
        }
    }

    static long number(DataSource source, String sql, Object... values) {
        try {
            String text = text(source, sql, values);
            if (text == null) {
                throw new IllegalStateException("no row: " + sql);
            }
            return Long.parseLong(text);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    static PreparedStatement prepare(Connection connection, String sql, Object... values) throws SQLException {
        PreparedStatement statement = connection.prepareStatement(sql);
        try {
            for (int i = 0; i < values.length; i++) {
                statement.setObject(i + 1, values[i]);
            }
            return statement;
        } catch (SQLException e) {
            statement.close();
            throw e;
        }
    }

    /** Class 23 of the standard; SQLite gives no states, but 19 for all constraints. */
    static boolean isDuplicate(SQLException e) {
        return e.getSQLState() == null
                ? e.getErrorCode() % 256 == 19
                : e.getSQLState().startsWith("23");
    }
}
