package io.onefold.jdbc;

import io.onefold.store.BatchItemResult;
import io.onefold.store.Claim;
import io.onefold.store.ClaimResult;
import io.onefold.store.ColumnUpdate;
import io.onefold.store.RecordId;
import io.onefold.store.RecordSignals;
import io.onefold.store.RecordSnapshot;
import io.onefold.store.RecordUpdate;
import io.onefold.store.ResultPayload;
import io.onefold.store.Status;
import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.sql.Types;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** The differences between databases. The statements here handle one record at a time. Databases that can do better override them. */
abstract class Dialect {
    private final String name;
    private final SqlFile sql;
    private String now;

    Dialect(String name, String... files) {
        this.name = name;
        this.sql = SqlFile.load(files);
        this.now = sql.get("now");
    }

    /** Replaces the SQL expression of the clock, for tests. */
    final void clock(UnaryOperator<String> other) {
        now = other.apply(now);
    }

    static Dialect of(DatabaseMetaData database) throws SQLException {
        String product = database.getDatabaseProductName().toLowerCase(Locale.ROOT);
        if (product.contains("postgresql")) {
            return new PostgresDialect();
        } else if (product.contains("mariadb") || product.contains("mysql")) {
            // MySQL's driver does not let an insert return rows, whichever server it talks to
            boolean returning =
                    database.getDriverName().toLowerCase(Locale.ROOT).contains("mariadb")
                            && database.getDatabaseProductVersion()
                                    .toLowerCase(Locale.ROOT)
                                    .contains("mariadb");
            return returning ? new MariaDbDialect() : new MySqlDialect();
        } else if (product.contains("sqlite")) {
            return new SqliteDialect();
        } else if (product.equals("h2")) {
            return new H2Dialect();
        }
        throw new IllegalArgumentException("no statements for " + database.getDatabaseProductName()
                + "; there are those for PostgreSQL, MariaDB, MySQL, SQLite and H2");
    }

    /** Also the name of the schema file. */
    final String name() {
        return name;
    }

    /** Returns the name of the file with the statements that create the tables. */
    final String file() {
        return "io/onefold/jdbc/schema/" + name + ".sql in the jar";
    }

    final SqlFile sql() {
        return sql;
    }

    /** A statement with this database's own words in it. */
    final String complete(String statement) {
        return statement
                .replace("{greatest}", greatest())
                .replace("{or_nothing}", orNothing())
                .replace("{now}", now);
    }

    String greatest() {
        return "greatest";
    }

    /** Returns the clause that makes an insert ignore an existing row. It is empty if the dialect recognises the error instead. */
    String orNothing() {
        return "";
    }

    /** A validated name in quotes, in the case that the database would give it without them. */
    String quoted(String name) {
        return '"' + name.replace(".", "\".\"") + '"';
    }

    /** A name in quotes, spelled as it is. */
    String exactly(String name) {
        return '"' + name.replace("\"", "\"\"") + '"';
    }

    /** The schema that a bare name means in this session; null where there is none. */
    @Nullable
    String schema(Connection connection, TableStatements table) throws SQLException {
        return connection.getSchema();
    }

    /**
     * Returns true if the table's bare name means this very table in the session, as far as the driver knows without asking the database.
     */
    boolean isInSchema(Connection connection, TableStatements table) throws SQLException {
        return table.schema() == null || table.schema().equals(schema(connection, table));
    }

    /** Returns the same test as an SQL expression, for databases where only the server knows the answer. */
    String here(TableStatements table) {
        return "1 = 1";
    }

    UUID uuid(ResultSet row, int column) throws SQLException {
        ByteBuffer bytes = ByteBuffer.wrap(row.getBytes(column));
        return new UUID(bytes.getLong(), bytes.getLong());
    }

    void uuid(PreparedStatement statement, int at, UUID value) throws SQLException {
        statement.setBytes(
                at,
                ByteBuffer.allocate(16)
                        .putLong(value.getMostSignificantBits())
                        .putLong(value.getLeastSignificantBits())
                        .array());
    }

    /** Returns the meaning of this exception, by SQL state and vendor code. */
    abstract SqlErrorKind trouble(SQLException e);

    /** Returns the number of calls that run on their own before calls are combined. {@link #lanes} is the number of concurrent flushes. */
    abstract int direct();

    abstract int lanes();

    /** Returns true if calls may share a transaction. */
    boolean combines() {
        return true;
    }

    /** Returns true if {@link #exchange} needs a transaction around it, so that it is one commit instead of one for every record. */
    boolean needsTransaction() {
        return true;
    }

    /** Returns true if transactions of many statements must read committed data, regardless of the connection's isolation. */
    boolean readsCommitted() {
        return true;
    }

    /** Sends claims and changes, no two for one record. A null answer means that the claim neither inserted a record nor saw one. */
    DialectBatchResult exchange(
            StatementPreparer statements,
            Connection connection,
            TableStatements table,
            List<Claim> claims,
            List<RecordUpdate> updates)
            throws SQLException {
        return new DialectBatchResult(
                claims.isEmpty() ? List.of() : claims(statements, connection, table, claims),
                updates.isEmpty() ? List.of() : changes(statements, connection, table, updates));
    }

    /**
     * The answers of a batch. A claim has its answer or null. A change has true if it was made, false if not, or null if that is unknown.
     */
    record DialectBatchResult(List<@Nullable BatchItemResult<ClaimResult>> claims, List<@Nullable Boolean> changes) {}

    List<@Nullable BatchItemResult<ClaimResult>> claims(
            StatementPreparer statements, Connection connection, TableStatements table, List<Claim> claims)
            throws SQLException {
        List<@Nullable BatchItemResult<ClaimResult>> answers = new ArrayList<>(claims.size());
        for (Claim claim : claims) {
            try (PreparedStatement insert = statements.prepare(connection, table.get("insert"))) {
                bindClaim(insert, 1, table, claim);
                boolean inserted = insertUnlessThere(insert);
                RecordSnapshot seen = find(statements, connection, table, claim.id());
                answers.add(seen == null ? null : BatchItemResult.from(() -> answer(claim, seen, inserted)));
            }
        }
        return answers;
    }

    /** Returns true if the row was inserted. A row with the same primary key is no error. */
    boolean insertUnlessThere(PreparedStatement insert) throws SQLException {
        try {
            return insert.executeUpdate() == 1;
        } catch (SQLException e) {
            if (trouble(e) == SqlErrorKind.DUPLICATE) {
                return false;
            }
            throw e;
        }
    }

    /**
     * Won, or what was seen.
     *
     * @param written the claim was written just now; else it may be one that recognises itself, as long as its lease lasts
     */
    static ClaimResult answer(Claim claim, RecordSnapshot seen, boolean written) {
        claim.id().requireSame(seen.record().id());
        boolean held = written
                && seen.record().owner().equals(claim.owner())
                && seen.record().status() == Status.PROCESSING;
        return held || claim.recognises(seen.record(), seen.now())
                ? new ClaimResult.Acquired(seen.record().fence(), seen.now())
                : seen;
    }

    int bindClaim(PreparedStatement insert, int from, TableStatements table, Claim claim) throws SQLException {
        int at = from;
        uuid(insert, at++, claim.id().uuid());
        uuid(insert, at++, claim.owner());
        insert.setInt(at++, claim.mark() ? 1 : 0);
        insert.setLong(at++, ColumnUpdate.micros(claim.lease()));
        insert.setInt(at++, claim.attempts());
        insert.setString(at++, claim.id().scope());
        insert.setString(at++, claim.id().operation());
        insert.setString(at++, claim.id().key());
        insert.setBytes(at++, claim.print().hash());
        insert.setBytes(at++, claim.print().fields());
        insert.setBytes(at++, ColumnFormat.joined(claim.superseded()));
        insert.setBytes(at++, claim.checkpoint());
        insert.setString(at++, claim.bizId());
        for (RecordTable.TableColumn column : table.table().columns()) {
            insert.setObject(at++, column.value().apply(claim));
        }
        return at;
    }

    @Nullable
    RecordSnapshot find(StatementPreparer statements, Connection connection, TableStatements table, RecordId id)
            throws SQLException {
        try (PreparedStatement find = statements.prepare(connection, table.get("find"))) {
            uuid(find, 1, id.uuid());
            try (ResultSet row = find.executeQuery()) {
                return row.next() ? RecordRowReader.seen(this, row) : null;
            }
        }
    }

    List<@Nullable Boolean> changes(
            StatementPreparer statements, Connection connection, TableStatements table, List<RecordUpdate> updates)
            throws SQLException {
        if (updates.size() == 1) {
            String text =
                    table.changing("change", ColumnUpdate.of(updates.get(0).change()));
            return List.of(change(statements, connection, text, updates)[0] == 1);
        }
        Map<String, List<Integer>> byText = new LinkedHashMap<>();
        for (int i = 0; i < updates.size(); i++) {
            String text =
                    table.changing("change", ColumnUpdate.of(updates.get(i).change()));
            byText.computeIfAbsent(text, same -> new ArrayList<>()).add(i);
        }
        List<@Nullable Boolean> made = new ArrayList<>(Collections.nCopies(updates.size(), null));
        for (Map.Entry<String, List<Integer>> one : byText.entrySet()) {
            List<Integer> places = one.getValue();
            int[] counts = change(
                    statements,
                    connection,
                    one.getKey(),
                    places.stream().map(updates::get).toList());
            for (int i = 0; i < counts.length; i++) {
                // of a batch that only says that it went well, each is sent again: a change that was made says so
                made.set(places.get(i), counts[i] == Statement.SUCCESS_NO_INFO ? null : (Boolean) (counts[i] == 1));
            }
        }
        return made;
    }

    private int[] change(StatementPreparer statements, Connection connection, String text, List<RecordUpdate> updates)
            throws SQLException {
        try (PreparedStatement change = statements.prepare(connection, text)) {
            for (RecordUpdate update : updates) {
                bindChange(change, update);
                if (updates.size() == 1) {
                    return new int[] {change.executeUpdate()};
                }
                change.addBatch();
            }
            return change.executeBatch();
        }
    }

    /** Runs the statement that puts an earlier end back, and wakes those who wait for it. */
    boolean restore(PreparedStatement restore) throws SQLException {
        return restore.executeUpdate() == 1;
    }

    /** The name of the statement that {@link #restore} runs. */
    String restoring() {
        return "restore";
    }

    final void bindChange(PreparedStatement change, RecordUpdate update) throws SQLException {
        ColumnUpdate to = ColumnUpdate.of(update.change());
        RecordId id = update.ticket().id();
        int at = 1;
        change.setInt(at++, to.lease() >= 0 ? 1 : 0);
        change.setLong(at++, to.lease());
        change.setInt(at++, to.keep() < 0 ? 1 : 0);
        change.setLong(at++, to.keep());
        change.setLong(at++, to.keep());
        change.setLong(at++, to.tombstone());
        change.setLong(at++, to.keep());
        change.setLong(at++, to.tombstone());
        change.setInt(at++, to.heir() == null ? 0 : 1);
        change.setInt(at++, to.anew() ? 1 : 0);
        change.setInt(at++, to.back());
        change.setInt(at++, to.resumes() ? 1 : 0);
        change.setBytes(at++, to.checkpoint());
        change.setString(at++, ColumnFormat.of(to.payload()));
        change.setBytes(at++, to.payload() == null ? null : to.payload().bytes());
        uuid(change, at++, to.heir() == null ? update.ticket().owner() : to.heir());
        change.setInt(at++, to.to().code());
        uuid(change, at++, id.uuid());
        uuid(change, at++, update.ticket().owner());
        change.setLong(at++, update.ticket().fence());
        change.setString(at++, id.scope());
        change.setString(at++, id.operation());
        change.setString(at++, id.key());
        change.setString(at++, id.alias());
        change.setInt(at++, to.fromOne().code());
        change.setInt(at++, to.fromOther().code());
        change.setInt(at, to.leaseOver() ? 1 : 0);
    }

    static void setLong(PreparedStatement statement, int at, @Nullable Long value) throws SQLException {
        if (value == null) {
            statement.setNull(at, Types.BIGINT);
        } else {
            statement.setLong(at, value);
        }
    }

    /** Returns the way to end a running step, if it is better than the driver's timeout for every statement. */
    QueryWatchdog.@Nullable QueryCancel cancel() {
        return null;
    }

    /** The names of the statements that ask a database for its identity. The one that asks for most comes first. */
    List<String> identityQuestions() {
        return List.of("identity");
    }

    /** Returns true if connections lead to another process, which may hang. */
    abstract boolean isRemote();

    /**
     * Makes sure that a record that was found is as durable as one whose commit was acknowledged. It may come from an earlier try, whose commit
     * a standby does not have yet.
     *
     * @param owner under whom the record was found
     * @return whether it is still there
     */
    boolean confirm(StatementPreparer statements, Connection connection, TableStatements table, RecordId id, UUID owner)
            throws SQLException {
        return true;
    }

    /** A statement as it is to be prepared now. */
    String words(String statement) {
        return statement;
    }

    /** Locks the record until the transaction is over, without waiting, and then looks at it. */
    abstract LockedRow enter(StatementPreparer statements, Connection connection, TableStatements table, RecordId id)
            throws SQLException;

    /** Looks at the record after the lock. It does not wait for another transaction that holds the record, if the database allows that. */
    final LockedRow look(
            @Nullable Long lockedAt,
            StatementPreparer statements,
            Connection connection,
            TableStatements table,
            RecordId id)
            throws SQLException {
        if (lockedAt == null && !readsPastOthers(connection)) {
            return new LockedRow(null, null, 0);
        }
        try (PreparedStatement look = statements.prepare(connection, table.get("find or floor"))) {
            uuid(look, 1, id.uuid());
            try (ResultSet row = look.executeQuery()) {
                return met(lockedAt, row);
            }
        }
    }

    /** Reads the row that the statement {@code find or floor} returns. */
    final LockedRow met(@Nullable Long lockedAt, ResultSet row) throws SQLException {
        row.next();
        return new LockedRow(
                lockedAt,
                row.getObject(1) == null ? null : RecordRowReader.seen(this, row),
                row.getLong(RecordRowReader.NOW + 1));
    }

    /**
     * The state that a transaction finds.
     *
     * @param lockedAt the clock, or null if another transaction holds the record
     * @param floor the lowest fence that a new record may have
     */
    record LockedRow(@Nullable Long lockedAt, @Nullable RecordSnapshot seen, long floor) {}

    /** Returns true if the database would reject the payload by closing the connection, without an error. */
    boolean refuses(StatementPreparer statements, Connection connection, ResultPayload payload) throws SQLException {
        return false;
    }

    /** Returns true if a transaction can continue after one of its statements has failed. */
    boolean standsAfterFailure() {
        return true;
    }

    /** Returns a savepoint to return to if the payload is rejected. It is needed where a failed statement would end the transaction. */
    @Nullable
    Savepoint beforeWriting(Connection connection, @Nullable ResultPayload payload) throws SQLException {
        return null;
    }

    /** Returns true if there is a statement {@code and commit}: a write that also commits, and that fails if another record is there. */
    boolean commitsAlong() {
        return false;
    }

    /** Returns true if the lock belongs to the session. Then the lock and the first look can come before the transaction begins. */
    boolean locksSession() {
        return false;
    }

    /** Returns true if a read can skip the uncommitted writes of another transaction instead of waiting for it. */
    boolean readsPastOthers(Connection connection) throws SQLException {
        return true;
    }

    /** Ends a lock that does not end with the transaction. */
    void unlock(StatementPreparer statements, Connection connection, RecordId id) throws SQLException {}

    final long clock(StatementPreparer statements, Connection connection, TableStatements table) throws SQLException {
        try (PreparedStatement clock = statements.prepare(connection, table.get("clock"));
                ResultSet row = clock.executeQuery()) {
            row.next();
            return row.getLong(1);
        }
    }

    /** Looks at the first connection of a store, before anything else is done on it. */
    void opened(Connection connection) throws SQLException {}

    /**
     * Makes a connection ready for what is done on it.
     *
     * @return whether the database was asked for it: then a transaction may have begun
     */
    boolean borrowed(StatementPreparer statements, Connection connection) throws SQLException {
        return false;
    }

    /** Returns signals that wake waiting callers in other processes, if the database supports that. */
    @Nullable
    RecordSignals signals(DataSource source, Function<RecordId, TableStatements> tables) {
        return null;
    }

    /** Returns a text that distinguishes this timeline of the database from others, as far as it can be read. */
    String timeline(StatementPreparer statements, Connection connection) throws SQLException {
        return "";
    }

    /** Says what a commit does not promise here, if anything. */
    @Nullable
    String doubtsAboutDurability(Connection connection) throws SQLException {
        return null;
    }
}
