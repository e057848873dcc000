package io.onefold.jdbc;

import io.onefold.store.RecordFilter;
import io.onefold.store.RecordPage;
import io.onefold.store.RecordSnapshot;
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
final class JdbcRecordList {
    private static final UUID BEFORE_ALL = new UUID(0, 0);

    private final Dialect dialect;
    private final StatementPreparer statements;
    private final List<TableStatements> tables;

    JdbcRecordList(Dialect dialect, StatementPreparer statements, List<TableStatements> tables) {
        this.dialect = dialect;
        this.statements = statements;
        this.tables = tables;
    }

    /** A page ends before what no longer fits; one more row than fits is read, to know whether there is any. */
    RecordPage page(Connection connection, RecordFilter filter, @Nullable String cursor, int limit)
            throws SQLException {
        int table = cursor == null ? 0 : Integer.parseInt(cursor.substring(0, cursor.indexOf(':')));
        UUID after = cursor == null ? BEFORE_ALL : UUID.fromString(cursor.substring(cursor.indexOf(':') + 1));
        long now = dialect.clock(statements, connection, tables.get(0));
        List<StoredRecord> records = new ArrayList<>();
        for (; table < tables.size(); table++) {
            int room = limit - records.size();
            List<RecordSnapshot> some = read(connection, tables.get(table), filter, after, room + 1);
            for (RecordSnapshot seen : some.subList(0, Math.min(room, some.size()))) {
                // a collation may have taken others for equal: they have their place in the order, but not on the page
                if (filter.matches(seen.record(), seen.now())) {
                    records.add(seen.record());
                }
                after = seen.record().id().uuid();
            }
            if (some.size() > room) {
                return new RecordPage(records, table + ":" + after, now);
            }
            after = BEFORE_ALL;
        }
        return new RecordPage(records, null, now);
    }

    private List<RecordSnapshot> read(
            Connection connection, TableStatements table, RecordFilter filter, UUID after, int limit)
            throws SQLException {
        StringBuilder where = new StringBuilder("r.status in (?, ?, ?, ?, ?)");
        boolean onlyOpen = !filter.statuses().stream().anyMatch(Status::sweepable);
        // of open records there are few, and an index has them
        where.append(onlyOpen ? " and r.lease_until is not null" : "");
        where.append(filter.operation() == null ? "" : " and r.biz_type = ?");
        where.append(filter.bizId() == null ? "" : " and r.biz_id = ?");
        where.append(filter.leaseOver() ? " and (r.status <> 0 or r.lease_until <= {now})" : "");
        where.append(after.equals(BEFORE_ALL) ? "" : " and r.id > ?");
        try (PreparedStatement list = statements.prepare(
                connection,
                table.get("list where " + where, () -> dialect.sql().get("list").replace("{conditions}", where)))) {
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
            if (!after.equals(BEFORE_ALL)) {
                dialect.uuid(list, at++, after);
            }
            list.setInt(at, limit);
            List<RecordSnapshot> rows = new ArrayList<>();
            try (ResultSet row = list.executeQuery()) {
                while (row.next()) {
                    rows.add(RecordRowReader.seen(dialect, row));
                }
            }
            return rows;
        }
    }
}
