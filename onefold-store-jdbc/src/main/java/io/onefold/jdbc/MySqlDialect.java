package io.onefold.jdbc;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.onefold.store.BatchItemResult;
import io.onefold.store.Claim;
import io.onefold.store.ClaimResult;
import io.onefold.store.ColumnUpdate;
import io.onefold.store.RecordId;
import io.onefold.store.RecordSnapshot;
import io.onefold.store.RecordUpdate;
import io.onefold.store.ResultPayload;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLTimeoutException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** MySQL: an insert of many rows, and a look at what is there; an update of many rows. */
class MySqlDialect extends Dialect {
    private static final int CHECKREAD = 1020;
    private static final int SHUTTING_DOWN = 1053;
    private static final int DUPLICATE_KEY = 1062;
    private static final int LOCK_WAIT_TIMEOUT = 1205;
    private static final int DEADLOCK = 1213;
    private static final int PACKET_TOO_LARGE = 1153;
    private static final int PACKET_OVERFLOW = 1301;
    private static final int INTERRUPTED = 1317;
    private static final int DATA_TOO_LONG = 1406;
    private static final int STATEMENT_TIME_MARIADB = 1969;
    private static final int STATEMENT_TIME = 3024;
    private static final int CHECK_VIOLATED = 3819;
    private static final int CHECK_VIOLATED_MARIADB = 4025;

    /** The exception of MySQL's driver, which checks the size before it sends. */
    private static final String TOO_BIG = "PacketTooBigException";

    /** Told as 'PRIMARY' or 'table.PRIMARY', after the value, which may read like anything. */
    private static final Pattern PRIMARY = Pattern.compile("'([^']*\\.)?PRIMARY'$");

    MySqlDialect() {
        this("mysql", "common.sql", "mysql.sql");
    }

    MySqlDialect(String name, String... files) {
        super(name, files);
    }

    @Override
    String quoted(String name) {
        return '`' + name.replace(".", "`.`") + '`';
    }

    @Override
    String exactly(String name) {
        return '`' + name.replace("`", "``") + '`';
    }

    @Override
    @Nullable
    String schema(Connection connection, TableStatements table) throws SQLException {
        return connection.getCatalog();
    }

    @Override
    boolean isRemote() {
        return true;
    }

    @Override
    SqlErrorKind trouble(SQLException e) {
        return switch (e.getErrorCode()) {
            case DUPLICATE_KEY ->
                PRIMARY.matcher(String.valueOf(e.getMessage())).find() ? SqlErrorKind.DUPLICATE : SqlErrorKind.OTHER;
            case DEADLOCK, CHECKREAD -> SqlErrorKind.CONFLICT;
            case LOCK_WAIT_TIMEOUT -> SqlErrorKind.LOCK_TIMEOUT;
            case STATEMENT_TIME, STATEMENT_TIME_MARIADB, INTERRUPTED -> SqlErrorKind.TIMEOUT;
            case SHUTTING_DOWN -> SqlErrorKind.CONNECTION;
            case PACKET_TOO_LARGE, PACKET_OVERFLOW, DATA_TOO_LONG, CHECK_VIOLATED, CHECK_VIOLATED_MARIADB ->
                SqlErrorKind.REFUSED;
            default -> byClass(e);
        };
    }

    private static SqlErrorKind byClass(SQLException e) {
        if (e.getClass().getSimpleName().equals(TOO_BIG)) {
            return SqlErrorKind.REFUSED;
        }
        String state = e.getSQLState();
        if (e instanceof SQLTransientConnectionException
                || e instanceof SQLNonTransientConnectionException
                || (state != null && state.startsWith("08"))) {
            return SqlErrorKind.CONNECTION;
        }
        return e instanceof SQLTimeoutException ? SqlErrorKind.TIMEOUT : SqlErrorKind.OTHER;
    }

    @Override
    LockedRow enter(StatementPreparer statements, Connection connection, TableStatements table, RecordId id)
            throws SQLException {
        return look(lock(statements, connection, table, id), statements, connection, table, id);
    }

    /** Each list is a statement, committed by itself. */
    @Override
    boolean needsTransaction() {
        return false;
    }

    @Override
    List<@Nullable BatchItemResult<ClaimResult>> claims(
            StatementPreparer statements, Connection connection, TableStatements table, List<Claim> claims)
            throws SQLException {
        List<@Nullable BatchItemResult<ClaimResult>> answers = new ArrayList<>(claims.size());
        while (answers.size() < claims.size()) {
            List<Claim> some = ParameterChunks.next(claims, answers.size(), ParameterChunks::bytes);
            answers.addAll(chunk(statements, connection, table, some));
        }
        return answers;
    }

    /**
     * Claims the records of one statement. A claim without a record afterwards was swept in between, or met another record's value in a
     * unique column. It is sent again alone, which shows the cause.
     */
    List<@Nullable BatchItemResult<ClaimResult>> chunk(
            StatementPreparer statements, Connection connection, TableStatements table, List<Claim> claims)
            throws SQLException {
        if (claims.size() == 1) {
            return super.claims(statements, connection, table, claims);
        }
        long began = System.nanoTime();
        List<Claim> rows = ParameterChunks.padded(claims, ParameterChunks::bytes);
        try (PreparedStatement insert = statements.prepare(connection, insertOf(table, rows.size()))) {
            bindClaims(insert, table, rows);
            insert.executeUpdate();
        }
        Map<UUID, RecordSnapshot> seen = found(
                statements, connection, table, rows.stream().map(Claim::id).toList());
        return answers(claims, seen, Duration.ofNanos(System.nanoTime() - began));
    }

    private Map<UUID, RecordSnapshot> found(
            StatementPreparer statements, Connection connection, TableStatements table, List<RecordId> ids)
            throws SQLException {
        String text = table.get("found of " + ids.size(), () -> rows("found", ", ", "?", ids.size()));
        try (PreparedStatement found = statements.prepare(connection, text)) {
            for (int i = 0; i < ids.size(); i++) {
                uuid(found, i + 1, ids.get(i).uuid());
            }
            try (ResultSet row = found.executeQuery()) {
                return seen(row);
            }
        }
    }

    final String insertOf(TableStatements table, int size) {
        return table.get(
                "claims of " + size, () -> sql().get("claims").replace("{rows}", claimRows(size)) + " " + returning());
    }

    /** The first row reads the floor for all rows: a subquery in each row would open the table once for each. */
    private String claimRows(int size) {
        String row = sql().get("claim row");
        return size == 1
                ? row
                : row.replace("{floor}", "(@onefold_floor := {floor})")
                        + (", " + row.replace("{floor}", "@onefold_floor")).repeat(size - 1);
    }

    String returning() {
        return "";
    }

    final void bindClaims(PreparedStatement insert, TableStatements table, List<Claim> claims) throws SQLException {
        int at = 1;
        for (Claim claim : claims) {
            at = bindClaim(insert, at, table, claim);
        }
    }

    private String rows(String statement, String between, String row, int count) {
        return sql().get(statement).replace("{rows}", String.join(between, Collections.nCopies(count, row)));
    }

    final Map<UUID, RecordSnapshot> seen(ResultSet row) throws SQLException {
        Map<UUID, RecordSnapshot> seen = new HashMap<>();
        while (row.next()) {
            RecordSnapshot one = RecordRowReader.seen(this, row);
            seen.put(one.record().id().uuid(), one);
        }
        return seen;
    }

    /**
     * Returns an answer for each claim; null if no record was seen.
     *
     * @param since the time since the claims were sent: a record of that age was written by them
     */
    static List<@Nullable BatchItemResult<ClaimResult>> answers(
            List<Claim> claims, Map<UUID, RecordSnapshot> seen, Duration since) {
        List<@Nullable BatchItemResult<ClaimResult>> answers = new ArrayList<>(claims.size());
        for (Claim claim : claims) {
            RecordSnapshot there = seen.get(claim.id().uuid());
            boolean written =
                    there != null && there.now() - there.record().times().updatedAt() <= ColumnUpdate.micros(since);
            answers.add(there == null ? null : BatchItemResult.from(() -> answer(claim, there, written)));
        }
        return answers;
    }

    /** Makes changes. If not all were made, a look shows which; a change that it does not show is sent again alone. */
    @Override
    List<@Nullable Boolean> changes(
            StatementPreparer statements, Connection connection, TableStatements table, List<RecordUpdate> updates)
            throws SQLException {
        if (updates.size() == 1) {
            return super.changes(statements, connection, table, updates);
        }
        List<@Nullable Boolean> made = new ArrayList<>(updates.size());
        while (made.size() < updates.size()) {
            List<RecordUpdate> some = ParameterChunks.next(updates, made.size(), ParameterChunks::bytes);
            List<RecordUpdate> rows = ParameterChunks.padded(some, ParameterChunks::bytes);
            if (change(statements, connection, table, rows) == some.size()) {
                made.addAll(Collections.nCopies(some.size(), true));
            } else {
                Map<UUID, RecordSnapshot> seen = found(
                        statements,
                        connection,
                        table,
                        rows.stream().map(update -> update.ticket().id()).toList());
                some.forEach(update -> made.add(
                        madeBefore(update, seen.get(update.ticket().id().uuid())) ? true : null));
            }
        }
        return made;
    }

    /**
     * Returns true if the change was made before. A record with the same digest but other names gives false; sent alone, its change is
     * rejected.
     */
    private static boolean madeBefore(RecordUpdate update, @Nullable RecordSnapshot seen) {
        return seen != null
                && update.ticket().id().isSame(seen.record().id())
                && ColumnUpdate.of(update.change()).madeBefore(seen.record(), update.ticket());
    }

    private int change(
            StatementPreparer statements, Connection connection, TableStatements table, List<RecordUpdate> rows)
            throws SQLException {
        String text = table.get(
                "changes of " + rows.size(),
                () -> rows("changes", " union all ", sql().get("change row"), rows.size()));
        try (PreparedStatement change = statements.prepare(connection, text)) {
            int at = 1;
            for (RecordUpdate update : rows) {
                at = bindChange(change, at, update);
            }
            return change.executeUpdate();
        }
    }

    private int bindChange(PreparedStatement change, int from, RecordUpdate update) throws SQLException {
        ColumnUpdate to = ColumnUpdate.of(update.change());
        RecordId id = update.ticket().id();
        ResultPayload payload = to.payload();
        int at = from;
        uuid(change, at++, id.uuid());
        uuid(change, at++, update.ticket().owner());
        change.setLong(at++, update.ticket().fence());
        change.setBytes(at++, ColumnFormat.names(id, id.key()).getBytes(UTF_8));
        change.setBytes(at++, ColumnFormat.names(id, id.alias()).getBytes(UTF_8));
        change.setLong(at++, to.what());
        UUID heir = to.heir();
        if (heir == null) {
            change.setBytes(at++, null);
        } else {
            uuid(change, at++, heir);
        }
        change.setLong(at++, to.lease());
        change.setLong(at++, to.keep());
        change.setLong(at++, to.tombstone());
        change.setString(at++, ColumnFormat.of(payload));
        change.setBytes(at++, payload == null ? null : payload.bytes());
        change.setBytes(at++, to.checkpoint());
        return at;
    }

    /** The lock belongs to the session, not to its transaction, so it is given back when that is over. */
    private @Nullable Long lock(StatementPreparer statements, Connection connection, TableStatements table, RecordId id)
            throws SQLException {
        try (PreparedStatement lock = statements.prepare(connection, table.get("lock"))) {
            lock.setString(1, lockName(id));
            try (ResultSet row = lock.executeQuery()) {
                return row.next() && row.getInt(1) == 1 ? row.getLong(2) : null;
            }
        }
    }

    @Override
    void unlock(StatementPreparer statements, Connection connection, RecordId id) throws SQLException {
        try (PreparedStatement unlock = statements.prepare(connection, "do release_lock(?)")) {
            unlock.setString(1, lockName(id));
            unlock.execute();
        }
    }

    @Override
    boolean locksSession() {
        return true;
    }

    /** InnoDB's SERIALIZABLE reads with locks, but for statements on their own. */
    @Override
    boolean readsPastOthers(Connection connection) throws SQLException {
        return connection.getAutoCommit()
                || connection.getTransactionIsolation() != Connection.TRANSACTION_SERIALIZABLE;
    }

    private static String lockName(RecordId id) {
        return "onefold:" + id.uuid();
    }

    @Override
    int direct() {
        return 8;
    }

    @Override
    int lanes() {
        return 2;
    }
}
