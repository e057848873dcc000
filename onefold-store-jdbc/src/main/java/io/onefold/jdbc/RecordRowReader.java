package io.onefold.jdbc;

import io.onefold.store.RecordId;
import io.onefold.store.RecordSnapshot;
import io.onefold.store.Status;
import io.onefold.store.StoredRecord;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.UUID;

/** Rows as records. The columns stand in the order of the statement {@code columns}, the clock after them. */
final class RecordRowReader {
    static final int NOW = 21;

    private RecordRowReader() {}

    static RecordSnapshot seen(Dialect dialect, ResultSet row) throws SQLException {
        return new RecordSnapshot(record(dialect, row), row.getLong(NOW));
    }

    static StoredRecord record(Dialect dialect, ResultSet row) throws SQLException {
        UUID id = dialect.uuid(row, 1);
        RecordId named = RecordId.stored(
                id.getMostSignificantBits(),
                id.getLeastSignificantBits(),
                row.getString(11),
                row.getString(12),
                row.getString(13));
        Status status = Status.of(row.getInt(10));
        String format = row.getString(17);
        StoredRecord.RecordFingerprints prints = new StoredRecord.RecordFingerprints(
                row.getBytes(14), row.getBytes(15), ColumnFormat.split(row.getBytes(16)));
        return new StoredRecord(
                named,
                status,
                dialect.uuid(row, 2),
                row.getLong(3),
                row.getInt(9),
                times(row, status.finished() && format == null),
                prints,
                ColumnFormat.payload(format, row.getBytes(18)),
                row.getBytes(19),
                row.getString(20));
    }

    /** On a tombstone, the two ends have changed places: the sweep looks at one of them only. */
    private static StoredRecord.RecordTimes times(ResultSet row, boolean tombstone) throws SQLException {
        long expireAt = row.getLong(7);
        long goneAt = row.getLong(8);
        long end = goneAt == 0 ? expireAt : goneAt;
        return new StoredRecord.RecordTimes(
                row.getLong(4), row.getLong(5), row.getLong(6), tombstone ? end : expireAt, tombstone ? expireAt : end);
    }
}
