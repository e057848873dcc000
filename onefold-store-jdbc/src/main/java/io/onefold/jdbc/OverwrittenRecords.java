package io.onefold.jdbc;

import io.onefold.store.ResultPayload;
import io.onefold.store.Status;
import io.onefold.store.StoredRecord;
import io.onefold.store.StoredRecord.RecordFingerprints;
import io.onefold.store.StoredRecord.RecordTimes;
import io.onefold.store.Ticket;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The finished ends that open records were claimed to overwrite. The payload has a column of its own and never leaves the database. The
 * rest is one value, which the claim writes and which does not change under its fence.
 */
final class OverwrittenRecords {
    static final List<String> COLUMNS = List.of("earlier_end", "earlier_payload");
    private static final int VERSION = 1;

    private final Dialect dialect;
    private final StatementPreparer statements;

    OverwrittenRecords(Dialect dialect, StatementPreparer statements) {
        this.dialect = dialect;
        this.statements = statements;
    }

    /**
     * Puts the earlier end of a record back. Returns false if the record has none, is no longer held under this ticket, or is in neither of these
     * statuses.
     *
     * @param owner of the record from then on
     * @param least the lowest fence that it may get
     */
    boolean restore(
            Connection connection,
            TableStatements table,
            Ticket held,
            UUID owner,
            long least,
            Status fromOne,
            Status fromOther)
            throws SQLException {
        byte[] end = find(connection, table, held);
        if (end == null) {
            return false;
        }
        try (PreparedStatement restore = statements.prepare(connection, table.get(dialect.restoring()))) {
            dialect.uuid(restore, 1, owner);
            restore.setLong(2, least);
            int at = bind(restore, 3, end);
            dialect.uuid(restore, at++, held.id().uuid());
            dialect.uuid(restore, at++, held.owner());
            restore.setLong(at++, held.fence());
            at = SingleStatements.bindNames(restore, at, held.id());
            restore.setInt(at++, fromOne.code());
            restore.setInt(at, fromOther.code());
            return dialect.restore(restore);
        }
    }

    private byte @Nullable [] find(Connection connection, TableStatements table, Ticket held) throws SQLException {
        try (PreparedStatement find = statements.prepare(connection, table.get("earlier"))) {
            dialect.uuid(find, 1, held.id().uuid());
            find.setLong(2, held.fence());
            try (ResultSet row = find.executeQuery()) {
                return row.next() ? row.getBytes(1) : null;
            }
        }
    }

    /** All of a finished record but its identity and its payload's bytes, in the order of the statement {@code restore}. */
    static byte[] bytes(StoredRecord record) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        ResultPayload payload = record.payload();
        RecordFingerprints prints = record.prints();
        RecordTimes times = record.times();
        // a tombstone is stored with expire_at and gone_at exchanged
        boolean tombstone = payload == null;
        try (DataOutputStream to = new DataOutputStream(bytes)) {
            to.writeByte(VERSION);
            to.writeByte(record.status().code());
            to.writeInt(record.attempts());
            to.writeLong(times.createdAt());
            to.writeLong(tombstone ? times.goneAt() : times.expireAt());
            to.writeLong(tombstone ? times.expireAt() : times.goneAt());
            write(to, prints.hash());
            write(to, prints.fields());
            write(to, ColumnFormat.joined(prints.superseded()));
            write(to, ColumnFormat.of(payload));
            write(to, record.bizId());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    private static int bind(PreparedStatement statement, int from, byte[] end) throws SQLException {
        int at = from;
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(end))) {
            int version = in.readByte();
            if (version != VERSION) {
                throw new IllegalStateException(
                        "earlier_end has format " + version + ", but this release only reads format " + VERSION);
            }
            statement.setInt(at++, in.readByte());
            statement.setInt(at++, in.readInt());
            statement.setLong(at++, in.readLong());
            long expireAt = in.readLong();
            long goneAt = in.readLong();
            statement.setLong(at++, expireAt);
            // without a tombstone both times are the same, and gone_at is null
            Dialect.setLong(statement, at++, goneAt == expireAt ? null : (Long) goneAt);
            statement.setBytes(at++, readBytes(in));
            statement.setBytes(at++, readBytes(in));
            statement.setBytes(at++, readBytes(in));
            setText(statement, at++, in);
            setText(statement, at++, in);
            return at;
        } catch (IOException e) {
            throw new IllegalStateException("earlier_end cannot be read", e);
        }
    }

    private static void setText(PreparedStatement statement, int at, DataInputStream in)
            throws SQLException, IOException {
        if (in.readBoolean()) {
            statement.setString(at, in.readUTF());
        } else {
            statement.setNull(at, Types.VARCHAR);
        }
    }

    private static void write(DataOutputStream to, byte @Nullable [] bytes) throws IOException {
        to.writeInt(bytes == null ? -1 : bytes.length);
        if (bytes != null) {
            to.write(bytes);
        }
    }

    private static byte @Nullable [] readBytes(DataInputStream in) throws IOException {
        int length = in.readInt();
        return length < 0 ? null : in.readNBytes(length);
    }

    private static void write(DataOutputStream to, @Nullable String text) throws IOException {
        to.writeBoolean(text != null);
        if (text != null) {
            to.writeUTF(text);
        }
    }
}
