package io.onefold.jdbc.mechanism;

import io.onefold.jdbc.mechanism.ColumnValues.ColumnValue;
import io.onefold.jdbc.mechanism.InsertResult.Existing;
import io.onefold.jdbc.mechanism.InsertResult.Inserted;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransactionRollbackException;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Inserts a row under a business key, or returns the row that is there. The table needs a unique constraint (or the primary key) on
 * exactly these columns: it decides, also between transactions that insert at the same time. Of those, one inserts, and the others
 * wait for its commit.
 *
 * <p>Only this key is recognised. A row that violates another constraint is an {@link SQLException}. What counts as the same value is
 * for the database to say: with a case-insensitive collation {@code a1} is {@code A1}.
 *
 * <p>With MariaDB and MySQL an existing row is locked until the transaction ends, so that whoever updates it next does not run into a
 * deadlock, and the user needs the right to update. If the first of several transactions rolls back there, the others may end in a
 * deadlock all the same; repeat them.
 */
public final class UniqueKeyInsert {
    private final SqlName table;
    private final List<SqlName> columns;

    private UniqueKeyInsert(SqlName table, List<SqlName> columns) {
        this.table = table;
        this.columns = columns;
    }

    public static UniqueKeyInsert of(String table, String column, String... more) {
        return new UniqueKeyInsert(
                SqlName.table(table),
                Stream.concat(Stream.of(column), Stream.of(more))
                        .map(SqlName::column)
                        .toList());
    }

    /**
     * Inserts the row unless one is there under its key.
     *
     * @param row all columns to insert, those of the key among them and not null
     */
    public <T> InsertResult<T> insert(Connection connection, ColumnValues row, ResultSetMapper<T> mapper)
            throws SQLException {
        List<Object> key = columns.stream().map(column -> keyValue(row, column)).toList();
        InsertStatement insert = new InsertStatement(connection, table, columns, row);
        boolean inserted = insert.unlessThere();
        T found = find(connection, insert.locking(), key, mapper);
        if (found == null) {
            inserted = insert.again();
            found = find(connection, insert.locking(), key, mapper);
        }
        if (found == null) {
            throw new SQLTransactionRollbackException(
                    "a row of " + table + " that was in the way is gone again; repeat the transaction", "40001");
        }
        return inserted ? new Inserted<>(found) : new Existing<>(found);
    }

    private <T> @Nullable T find(Connection connection, String locking, List<Object> key, ResultSetMapper<T> mapper)
            throws SQLException {
        List<T> rows = new SqlBuilder(connection, DatabaseSyntax.of(connection))
                .add("select * from ")
                .name(table)
                .where(columns, key)
                .add(locking)
                .rows(2, mapper);
        if (rows.size() > 1) {
            throw new IllegalStateException("no unique constraint on " + columns + " of " + table + "; roll back");
        }
        return rows.isEmpty() ? null : rows.get(0);
    }

    private Object keyValue(ColumnValues row, SqlName column) {
        ColumnValue found = row.find(column);
        if (found == null || found.value() == null) {
            throw new IllegalArgumentException(
                    "the row has no value for " + column + ", which is part of the key of " + table);
        }
        return Objects.requireNonNull(found.value());
    }
}
