package io.onefold.jdbc.mechanism;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A statement in the making. Names are quoted and values are bound: there is no other way in for them. */
final class SqlBuilder {
    private final Connection connection;
    private final DatabaseSyntax database;
    private final StringBuilder text = new StringBuilder();
    private final List<@Nullable Object> values = new ArrayList<>();

    SqlBuilder(Connection connection, DatabaseSyntax database) {
        this.connection = connection;
        this.database = database;
    }

    /** Text that is fixed in the program. */
    SqlBuilder add(String fixed) {
        text.append(fixed);
        return this;
    }

    SqlBuilder name(SqlName name) {
        text.append(database.quoted(name));
        return this;
    }

    SqlBuilder names(List<SqlName> names) {
        String before = "";
        for (SqlName name : names) {
            add(before).name(name);
            before = ", ";
        }
        return this;
    }

    SqlBuilder value(@Nullable Object value) {
        text.append('?');
        values.add(value instanceof Enum<?> constant ? constant.name() : value);
        return this;
    }

    SqlBuilder values(List<? extends @Nullable Object> all) {
        String before = "";
        for (Object value : all) {
            add(before).value(value);
            before = ", ";
        }
        return this;
    }

    /** Adds a condition that each of the columns has its value. */
    SqlBuilder where(List<SqlName> columns, List<? extends @Nullable Object> all) {
        String before = " where ";
        for (int i = 0; i < columns.size(); i++) {
            add(before).name(columns.get(i)).add(" = ").value(all.get(i));
            before = " and ";
        }
        return this;
    }

    int update() throws SQLException {
        try (PreparedStatement statement = prepared(connection.prepareStatement(text.toString()))) {
            return statement.executeUpdate();
        }
    }

    /** Updates and returns the last id that was generated, or 0. */
    long updateForId() throws SQLException {
        try (PreparedStatement statement = prepared(
                        connection.prepareStatement(text.toString(), PreparedStatement.RETURN_GENERATED_KEYS));
                ResultSet ids = updated(statement)) {
            return ids.next() ? ids.getLong(1) : 0;
        }
    }

    <T> List<T> rows(int most, ResultSetMapper<T> mapper) throws SQLException {
        try (PreparedStatement statement = prepared(connection.prepareStatement(text.toString()))) {
            statement.setMaxRows(most);
            try (ResultSet row = statement.executeQuery()) {
                List<T> rows = new ArrayList<>();
                while (row.next()) {
                    rows.add(mapper.map(row));
                }
                return rows;
            }
        }
    }

    private static ResultSet updated(PreparedStatement statement) throws SQLException {
        statement.executeUpdate();
        return statement.getGeneratedKeys();
    }

    private PreparedStatement prepared(PreparedStatement statement) throws SQLException {
        try {
            for (int i = 0; i < values.size(); i++) {
                statement.setObject(i + 1, values.get(i));
            }
            return statement;
        } catch (SQLException | RuntimeException e) {
            try (statement) {
                throw e;
            }
        }
    }
}
