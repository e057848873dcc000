package io.onefold.jdbc;

import io.onefold.store.Filter;
import io.onefold.store.Page;
import io.onefold.store.Seen;
import io.onefold.store.Status;
import io.onefold.store.StoredRecord;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Pages of records, table after table, each in the order of its ids. */
final class Listing {
    private final Dialect dialect;
    private final Statements statements;
    private final List<TableSql> tables;

    Listing(Dialect dialect, Statements statements, List<TableSql> tables) {
        this.dialect = dialect;
        this.statements = statements;
        this.tables = tables;
    }

    Page page(Connection connection, Filter filter, @Nullable String cursor, int limit) throws SQLException {
        int first = cursor == null ? 0 : Integer.parseInt(cursor.substring(0, cursor.indexOf(':')));
        UUID after = cursor == null ? null : UUID.fromString(cursor.substring(cursor.indexOf(':') + 1));
        long now = dialect.clock(statements, connection, tables.get(0));
        List<StoredRecord> records = new ArrayList<>();
        String next = null;
        for (int i = first; i < tables.size() && next == null; i++) {
            List<StoredRecord> some =
                    read(connection, tables.get(i), filter, i == first ? after : null, limit - records.size() + 1);
            for (StoredRecord record : some) {
                if (records.size() == limit) {
                    next = cursor(records, i, some.indexOf(record));
                    break;
                }
                records.add(record);
            }
        }
        return new Page(records, next, now);
    }

    /** Where the page ended: after its last record, or before the first one of the table that did not fit. */
    private static String cursor(List<StoredRecord> records, int table, int place) {
        UUID last = place == 0
                ? new UUID(0, 0)
                : records.get(records.size() - 1).id().uuid();
        return table + ":" + last;
    }

    private List<StoredRecord> read(
            Connection connection, TableSql table, Filter filter, @Nullable UUID after, int limit) throws SQLException {
        StringBuilder where = new StringBuilder("r.status in (?, ?, ?, ?, ?)");
        boolean onlyOpen = !filter.statuses().stream().anyMatch(Status::sweepable);
        // of open records there are few, and an index has them
        where.append(onlyOpen ? " and r.lease_until is not null" : "");
        where.append(filter.operation() == null ? "" : " and r.biz_type = ?");
        where.append(filter.bizId() == null ? "" : " and r.biz_id = ?");
        where.append(filter.leaseOver() ? " and (r.status <> 0 or r.lease_until <= {now})" : "");
        where.append(after == null ? "" : " and r.id > ?");
        try (PreparedStatement list =
                statements.prepare(connection, table.get("list", "conditions", where.toString()))) {
            int at = 1;
            Status any = filter.statuses().iterator().next();
            for (Status status : Status.values()) {
                list.setInt(at++, (filter.statuses().contains(status) ? status : any).code());
            }
            if (filter.operation() != null) {
                list.setString(at++, filter.operation());
            }
            if (filter.bizId() != null) {
                list.setString(at++, filter.bizId());
            }
            if (after != null) {
                dialect.uuid(list, at++, after);
            }
            list.setInt(at, limit);
            List<StoredRecord> records = new ArrayList<>();
            try (ResultSet row = list.executeQuery()) {
                while (row.next()) {
                    Seen seen = Rows.seen(dialect, row);
                    // whatever the collation takes for equal
                    if (filter.matches(seen.record(), seen.now())) {
                        records.add(seen.record());
                    }
                }
            }
            return records;
        }
    }
}
