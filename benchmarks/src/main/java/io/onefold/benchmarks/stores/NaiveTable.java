package io.onefold.benchmarks.stores;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HexFormat;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The table that guides to idempotency advise: a surrogate id, the key as text and unique, an index on the status. Select, insert
 * what is being processed, update it with the result; each a commit.
 */
final class NaiveTable {
    private static final int PROCESSING = 0;
    private static final int DONE = 1;
    private static final String OPERATION = "place-order";

    private final DataSource source;
    private final String table;

    NaiveTable(Database database, DataSource source, String table) {
        this.source = source;
        this.table = table;
        Sql.execute(
                source,
                "create table if not exists " + table + " (id " + database.identity() + " primary key,"
                        + " idem_key varchar(128) not null, biz_type varchar(64) not null, payload_hash varchar(64) not null,"
                        + " status smallint not null, result_payload text, expire_at timestamp not null,"
                        + " created_at timestamp not null, updated_at timestamp not null, unique (idem_key, biz_type))",
                "create index if not exists " + table + "_status on " + table + " (status)");
    }

    /** What was there; found or not. */
    record Row(String hash, int status, @Nullable String result) {}

    @Nullable
    Row find(String key) throws SQLException {
        try (Connection connection = source.getConnection();
                PreparedStatement select = Sql.prepare(
                        connection,
                        "select payload_hash, status, result_payload from " + table
                                + " where idem_key = ? and biz_type = ?",
                        key,
                        OPERATION);
                ResultSet rows = select.executeQuery()) {
            return rows.next() ? new Row(rows.getString(1), rows.getInt(2), rows.getString(3)) : null;
        }
    }

    /** False if another was faster. */
    boolean insert(String key, String hash) throws SQLException {
        Instant now = Instant.now();
        Timestamp stamp = Timestamp.from(now);
        try {
            Sql.update(
                    source,
                    "insert into " + table
                            + " (idem_key, biz_type, payload_hash, status, expire_at, created_at, updated_at)"
                            + " values (?, ?, ?, ?, ?, ?, ?)",
                    key,
                    OPERATION,
                    hash,
                    PROCESSING,
                    Timestamp.from(now.plus(1, ChronoUnit.DAYS)),
                    stamp,
                    stamp);
            return true;
        } catch (SQLException e) {
            if (Sql.isDuplicate(e)) {
                return false;
            }
            throw e;
        }
    }

    void complete(String key, String result) throws SQLException {
        Sql.update(
                source,
                "update " + table
                        + " set status = ?, result_payload = ?, updated_at = ? where idem_key = ? and biz_type = ?",
                DONE,
                result,
                Timestamp.from(Instant.now()),
                key,
                OPERATION);
    }

    /** What a duplicate is answered; null while another is at it. */
    static @Nullable String answer(Row row, String hash) {
        if (!row.hash().equals(hash)) {
            throw new IllegalStateException("the same key with another payload");
        }
        return row.status() == DONE ? row.result() : null;
    }

    static String hash(Business.Order order) {
        try {
            byte[] digest =
                    MessageDigest.getInstance("SHA-256").digest(order.toString().getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
