package io.onefold.jdbc.mechanism;

import io.onefold.jdbc.mechanism.FencedUpdateResult.AlreadyApplied;
import io.onefold.jdbc.mechanism.FencedUpdateResult.Applied;
import io.onefold.jdbc.mechanism.FencedUpdateResult.FenceTooLow;
import io.onefold.jdbc.mechanism.FencedUpdateResult.FencedRowMissing;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Keeps out an attempt that was overtaken. An owner that was paused for longer than its lease may wake up and write after the next
 * attempt has. Each attempt has a higher fence than all before ({@code attempt.fence()}), the row remembers the highest that has written,
 * and lower ones are refused.
 *
 * <p>Fences order the attempts at <em>one</em> request. Guard only rows that belong to one request, such as the order that it creates or
 * its own line in a journal. In a row that many requests write, such as an account, an honest request with a lower fence would be
 * refused, and one with an equal fence taken for a repetition.
 *
 * <p>An attempt updates a row once. A second update under the same fence is taken for a repetition, whatever it would change.
 */
public final class FencedRow {
    private final SqlName table;
    private final SqlName id;
    private final SqlName fence;

    private FencedRow(SqlName table, SqlName id, SqlName fence) {
        this.table = table;
        this.id = id;
        this.fence = fence;
    }

    /** The fence is a column of 64 bit numbers; null where nobody has written yet. */
    public static FencedRow of(String table, String id, String fence) {
        return new FencedRow(SqlName.table(table), SqlName.column(id), SqlName.column(fence));
    }

    /** Updates the row unless the same or a later attempt has. */
    public FencedUpdateResult update(Connection connection, Object rowId, long attempt, ColumnValues changes)
            throws SQLException {
        changes.without(id, fence);
        return ConditionalUpdate.run(
                table,
                new Applied(),
                () -> change(connection, rowId, attempt, changes),
                () -> look(connection, rowId, attempt));
    }

    private int change(Connection connection, Object rowId, long attempt, ColumnValues changes) throws SQLException {
        SqlBuilder update = new SqlBuilder(connection, DatabaseSyntax.of(connection))
                .add("update ")
                .name(table)
                .add(" set ");
        changes.assign(update);
        update.name(fence).add(" = ").value(attempt).where(List.of(id), List.of(rowId));
        return update.add(" and (")
                .name(fence)
                .add(" is null or ")
                .name(fence)
                .add(" < ")
                .value(attempt)
                .add(")")
                .update();
    }

    private @Nullable FencedUpdateResult look(Connection connection, Object rowId, long attempt) throws SQLException {
        List<@Nullable Long> found = CurrentNumberQuery.read(connection, table, id, rowId, fence);
        if (found.isEmpty()) {
            return new FencedRowMissing();
        }
        Long current = found.get(0);
        if (current == null || current < attempt) {
            return null;
        }
        return current == attempt ? new AlreadyApplied() : new FenceTooLow(current);
    }
}
