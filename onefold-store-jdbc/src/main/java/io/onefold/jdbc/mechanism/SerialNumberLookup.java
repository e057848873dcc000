package io.onefold.jdbc.mechanism;

import io.onefold.jdbc.mechanism.LookupResult.Found;
import io.onefold.jdbc.mechanism.LookupResult.NotYet;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Stream;

/**
 * Looks whether a request was handled, by the serial number that it left in a table: the number of the payment, of the message, of
 * the caller's order.
 *
 * <p><strong>This alone does not prevent a second effect.</strong> It is check-then-act: two requests with the same number that look at the
 * same time both find nothing, and both act. It only answers early, without the work that leads to an insert. What decides is
 * a unique key on the number ({@link UniqueKeyInsert}), or a record. Do without one only where a second effect is a nuisance and no loss,
 * like a text message that is sent twice.
 */
public final class SerialNumberLookup {
    private final SqlName table;
    private final List<SqlName> columns;

    private SerialNumberLookup(SqlName table, List<SqlName> columns) {
        this.table = table;
        this.columns = columns;
    }

    /** A number in one column, or with what it is unique within, such as the system that it came from, in several. */
    public static SerialNumberLookup of(String table, String column, String... more) {
        return new SerialNumberLookup(
                SqlName.table(table),
                Stream.concat(Stream.of(column), Stream.of(more))
                        .map(SqlName::column)
                        .toList());
    }

    /**
     * Looks for the row of a number; if there are several, for any of them.
     *
     * @param values one for each column, in their order
     */
    public <T> LookupResult<T> find(Connection connection, ResultSetMapper<T> mapper, Object... values)
            throws SQLException {
        if (values.length != columns.size()) {
            throw new IllegalArgumentException("a serial number of " + table + " has " + columns + ", but "
                    + values.length + " values were given");
        }
        List<T> rows = new SqlBuilder(connection, DatabaseSyntax.of(connection))
                .add("select * from ")
                .name(table)
                .where(columns, List.of(values))
                .rows(1, mapper);
        return rows.isEmpty() ? new NotYet<>() : new Found<>(rows.get(0));
    }
}
