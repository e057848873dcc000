package io.onefold.jdbc.mechanism;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

final class CurrentNumberQuery {
    private CurrentNumberQuery() {}

    /** The number that a row has now, which stays so until the transaction ends; empty without such a row. */
    static List<@Nullable Long> read(Connection connection, SqlName table, SqlName id, Object rowId, SqlName column)
            throws SQLException {
        DatabaseSyntax database = DatabaseSyntax.of(connection);
        List<@Nullable Long> numbers = new ArrayList<>();
        new SqlBuilder(connection, database)
                .add("select ")
                .name(column)
                .add(" from ")
                .name(table)
                .where(List.of(id), List.of(rowId))
                .add(database.locking())
                .rows(1, row -> numbers.add(number(row)));
        return numbers;
    }

    private static @Nullable Long number(ResultSet row) throws SQLException {
        long number = row.getLong(1);
        return row.wasNull() ? null : number;
    }
}
