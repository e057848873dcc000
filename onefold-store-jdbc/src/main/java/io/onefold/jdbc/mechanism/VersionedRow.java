package io.onefold.jdbc.mechanism;

import io.onefold.jdbc.mechanism.VersionUpdateResult.Stale;
import io.onefold.jdbc.mechanism.VersionUpdateResult.Updated;
import io.onefold.jdbc.mechanism.VersionUpdateResult.VersionedRowMissing;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Updates a row only if it is still at the version that was read, and counts the version up. Of several who have read the same
 * version, one updates.
 *
 * <p>It tells a change from no change, not who made it: a request that is repeated after its answer was lost finds its own update and
 * is told "stale". Whoever then reads again and updates again takes effect twice. Where requests are repeated, remember the request
 * as well, by a {@link UniqueKeyInsert} in the same transaction.
 */
public final class VersionedRow {
    private final SqlName table;
    private final SqlName id;
    private final SqlName version;

    private VersionedRow(SqlName table, SqlName id, SqlName version) {
        this.table = table;
        this.id = id;
        this.version = version;
    }

    /** The version is a column of whole numbers that is never null. */
    public static VersionedRow of(String table, String id, String version) {
        return new VersionedRow(SqlName.table(table), SqlName.column(id), SqlName.column(version));
    }

    /** Updates the row if it has the version that was read. */
    public VersionUpdateResult update(Connection connection, Object rowId, long read, ColumnValues changes)
            throws SQLException {
        changes.without(id, version);
        return ConditionalUpdate.run(
                table,
                new Updated(read + 1),
                () -> change(connection, rowId, read, changes),
                () -> look(connection, rowId, read));
    }

    private int change(Connection connection, Object rowId, long read, ColumnValues changes) throws SQLException {
        SqlBuilder update = new SqlBuilder(connection, DatabaseSyntax.of(connection))
                .add("update ")
                .name(table)
                .add(" set ");
        changes.assign(update);
        return update.name(version)
                .add(" = ")
                .name(version)
                .add(" + 1")
                .where(List.of(id, version), List.of(rowId, read))
                .update();
    }

    private @Nullable VersionUpdateResult look(Connection connection, Object rowId, long read) throws SQLException {
        List<@Nullable Long> found = CurrentNumberQuery.read(connection, table, id, rowId, version);
        if (found.isEmpty()) {
            return new VersionedRowMissing();
        }
        Long current = found.get(0);
        if (current == null) {
            throw new IllegalStateException(table + "." + version + " is null; a version counts from the first insert");
        }
        return current == read ? null : new Stale(current);
    }
}
