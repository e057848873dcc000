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
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.PGStatement;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * PostgreSQL: whatever travels together is one statement, its lists as arrays; claims and changes are two statements in one round
 * trip and one commit.
 */
final class PostgresDialect extends Dialect {
    private static final Logger LOG = LoggerFactory.getLogger(PostgresDialect.class);

    /** The text that the statement {@code and commit} fails to parse if it wrote nothing. The error contains it in every language. */
    private static final String WROTE_NOTHING = "onefold wrote 0";

    private static final int SMALL = 1 << 16;

    /**
     * The SQL states that mean that the timeline can never be read: the user may not ask, or the function is missing or does not work. Any
     * other failure is temporary, and an epoch without the timeline would differ for as long as it lasts.
     */
    private static final Set<String> TIMELESS = Set.of("42501", "42883", "0A000");

    private final AtomicBoolean timeless = new AtomicBoolean();
    private final AtomicLong claimed = new AtomicLong();
    private final TransactionPooler pooler = new TransactionPooler();
    private volatile StatementTexts words = new StatementTexts(0, new ConcurrentHashMap<>());

    PostgresDialect() {
        super("postgresql", "common.sql", "postgresql.sql");
    }

    @Override
    String quoted(String name) {
        return super.quoted(name.toLowerCase(Locale.ROOT));
    }

    /** The first schema of the search path that has the table, which need not be the current one. */
    @Override
    @Nullable
    String schema(Connection connection, TableStatements table) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql().get("schema"))) {
            statement.setString(1, table.qualifiedName());
            try (ResultSet row = statement.executeQuery()) {
                return row.next() ? row.getString(1) : null;
            }
        }
    }

    /** The driver does not know: the database is asked, along with what it is asked anyway. */
    @Override
    boolean isInSchema(Connection connection, TableStatements table) {
        return true;
    }

    @Override
    String here(TableStatements table) {
        return table.schema() == null
                ? "true"
                : "coalesce(to_regclass(" + text(table.qualifiedName()) + ") = to_regclass("
                        + text(quoted(table.table().name())) + "), false)";
    }

    private static String text(String name) {
        return "'" + name.replace("'", "''") + "'";
    }

    @Override
    String orNothing() {
        return "on conflict (id) do nothing";
    }

    @Override
    UUID uuid(ResultSet row, int column) throws SQLException {
        return row.getObject(column, UUID.class);
    }

    @Override
    void uuid(PreparedStatement statement, int at, UUID value) throws SQLException {
        statement.setObject(at, value);
    }

    /** Some services lack the functions for the write-ahead log, or do not let everybody call them. */
    @Override
    List<String> identityQuestions() {
        return List.of("identity and timeline", "identity and role", "identity");
    }

    @Override
    boolean isRemote() {
        return true;
    }

    @Override
    SqlErrorKind trouble(SQLException e) {
        String state = e.getSQLState() == null ? "" : e.getSQLState();
        return switch (state) {
            case "40001", "40P01" -> SqlErrorKind.CONFLICT;
            case "55P03" -> SqlErrorKind.LOCK_TIMEOUT;
            case "26000", "42P05" -> {
                // the statement was not carried out, and without a name it will be
                pooler.failed(e);
                yield SqlErrorKind.CONFLICT;
            }
            case "57014" -> SqlErrorKind.TIMEOUT;
            case "57P01", "57P02", "57P03" -> SqlErrorKind.CONNECTION;
            case "22P02" ->
                String.valueOf(e.getMessage()).contains(WROTE_NOTHING) ? SqlErrorKind.DUPLICATE : SqlErrorKind.REFUSED;
            // a constraint of the table's own
            case "23514" -> SqlErrorKind.REFUSED;
            default -> byClass(state);
        };
    }

    private static SqlErrorKind byClass(String state) {
        if (state.startsWith("08")) {
            return SqlErrorKind.CONNECTION;
        }
        // data exceptions and limits of the program
        return state.startsWith("22") || state.startsWith("54") ? SqlErrorKind.REFUSED : SqlErrorKind.OTHER;
    }

    @Override
    boolean standsAfterFailure() {
        return false;
    }

    /** A trip of its own, hence for large payloads only: small ones are hardly ever refused. */
    @Override
    @Nullable
    Savepoint beforeWriting(Connection connection, @Nullable ResultPayload payload) throws SQLException {
        return payload == null || payload.bytes().length <= SMALL ? null : connection.setSavepoint();
    }

    @Override
    int direct() {
        return 8;
    }

    @Override
    int lanes() {
        return 2;
    }

    @Override
    boolean needsTransaction() {
        return false;
    }

    @Override
    DialectBatchResult exchange(
            StatementPreparer statements,
            Connection connection,
            TableStatements table,
            List<Claim> claims,
            List<RecordUpdate> updates)
            throws SQLException {
        grown(claims.size());
        if (claims.size() + updates.size() == 1) {
            return claims.isEmpty()
                    ? new DialectBatchResult(List.of(), List.of(change(statements, connection, table, updates.get(0))))
                    : new DialectBatchResult(claim(statements, connection, table, claims.get(0)), List.of());
        }
        boolean both = !claims.isEmpty() && !updates.isEmpty();
        String text = both
                ? table.get("claims and changes", () -> sql().get("claims") + "; " + sql().get("changes"))
                : table.get(claims.isEmpty() ? "changes" : "claims");
        try (PreparedStatement statement = keepPlan(statements.prepare(connection, text))) {
            int at = claims.isEmpty() ? 1 : bindClaims(statement, table, claims);
            if (!updates.isEmpty()) {
                bindChanges(statement, at, updates);
            }
            statement.execute();
            List<@Nullable BatchItemResult<ClaimResult>> claimed =
                    claims.isEmpty() ? List.of() : readClaims(statement, claims);
            if (both) {
                statement.getMoreResults();
            }
            return new DialectBatchResult(
                    claimed, updates.isEmpty() ? List.of() : readChanges(statement, updates.size()));
        }
    }

    private List<@Nullable BatchItemResult<ClaimResult>> claim(
            StatementPreparer statements, Connection connection, TableStatements table, Claim claim)
            throws SQLException {
        try (PreparedStatement statement = statements.prepare(connection, table.get("claim one"))) {
            int at = bindClaim(statement, 1, table, claim);
            uuid(statement, at, claim.id().uuid());
            statement.execute();
            List<@Nullable BatchItemResult<ClaimResult>> answers = readClaims(statement, List.of(claim));
            return answers.get(0) == null ? recognised(statements, connection, table, claim) : answers;
        }
    }

    private List<@Nullable BatchItemResult<ClaimResult>> recognised(
            StatementPreparer statements, Connection connection, TableStatements table, Claim claim)
            throws SQLException {
        RecordSnapshot seen = find(statements, connection, table, claim.id());
        boolean itself = seen != null
                && claim.recognises(seen.record(), seen.now())
                && confirm(statements, connection, table, claim.id(), claim.owner());
        return Collections.singletonList(
                itself ? BatchItemResult.from(() -> answer(claim, Objects.requireNonNull(seen), false)) : null);
    }

    /** A write that changes nothing. Its commit waits for the standby, and so for all that was committed before. */
    @Override
    boolean confirm(StatementPreparer statements, Connection connection, TableStatements table, RecordId id, UUID owner)
            throws SQLException {
        try (PreparedStatement confirm = statements.prepare(connection, table.get("confirm"))) {
            uuid(confirm, 1, id.uuid());
            uuid(confirm, 2, owner);
            return confirm.executeUpdate() == 1;
        }
    }

    private boolean change(
            StatementPreparer statements, Connection connection, TableStatements table, RecordUpdate update)
            throws SQLException {
        String text = table.changing("change one", ColumnUpdate.of(update.change()));
        try (PreparedStatement statement = statements.prepare(connection, text)) {
            bindChange(statement, update);
            try (ResultSet row = statement.executeQuery()) {
                return row.next();
            }
        }
    }

    @Override
    String restoring() {
        return "restore one";
    }

    @Override
    boolean restore(PreparedStatement restore) throws SQLException {
        try (ResultSet row = restore.executeQuery()) {
            return row.next();
        }
    }

    @Override
    QueryWatchdog.QueryCancel cancel() {
        return connection -> connection.unwrap(PGConnection.class).cancelQuery();
    }

    /**
     * Plans are kept, but not for ever: one that was made while the table was small would read the whole of it when it has grown. So
     * the text, and with it the plan, is another one whenever twice as much was claimed.
     */
    @Override
    String words(String statement) {
        StatementTexts current = words;
        // the driver goes on with a text that it has kept in a session before
        String kept = pooler.isNoticed() ? " pooled" : "";
        return current.texts.computeIfAbsent(statement + kept, same -> statement + " -- " + current.size + kept);
    }

    private void grown(int claims) {
        int size = Long.SIZE - Long.numberOfLeadingZeros(claimed.addAndGet(claims));
        if (size != words.size) {
            words = new StatementTexts(size, new ConcurrentHashMap<>());
        }
    }

    /** The statements as they are told while about this much was claimed. */
    private record StatementTexts(int size, Map<String, String> texts) {}

    private static PreparedStatement keepPlan(PreparedStatement statement) throws SQLException {
        if (statement.isWrapperFor(PGStatement.class)) {
            PGStatement plan = statement.unwrap(PGStatement.class);
            // from the first time on: then results are not spelled out as text, either; unless the URL forbids it, for
            // a proxy's sake
            if (plan.getPrepareThreshold() > 0) {
                plan.setPrepareThreshold(1);
            }
        }
        return statement;
    }

    /** Two statements in one round trip: the look must see what was committed before the lock was had. */
    @Override
    LockedRow enter(StatementPreparer statements, Connection connection, TableStatements table, RecordId id)
            throws SQLException {
        String text = table.get("lock and find", () -> sql().get("lock") + "; " + sql().get("find or floor"));
        try (PreparedStatement enter = statements.prepare(connection, text)) {
            enter.setLong(1, id.low());
            uuid(enter, 2, id.uuid());
            enter.execute();
            Long lockedAt;
            try (ResultSet row = enter.getResultSet()) {
                row.next();
                if (!row.getBoolean(3)) {
                    throw table.inOtherSchema();
                }
                lockedAt = row.getBoolean(1) ? row.getLong(2) : null;
            }
            enter.getMoreResults();
            try (ResultSet row = enter.getResultSet()) {
                return met(lockedAt, row);
            }
        }
    }

    @Override
    void opened(Connection connection) throws SQLException {
        if (TransactionPooler.isBefore(connection)) {
            pooler.noticed("sessions have other numbers than the driver was told");
            boolean unused = TransactionPooler.keepNothing(connection);
        }
    }

    @Override
    boolean borrowed(StatementPreparer statements, Connection connection) throws SQLException {
        return pooler.prepare(statements, connection);
    }

    @Override
    boolean commitsAlong() {
        return true;
    }

    @Override
    RecordSignals signals(DataSource source, Function<RecordId, TableStatements> tables) {
        return new PostgresSignals(source, tables);
    }

    @Override
    String timeline(StatementPreparer statements, Connection connection) throws SQLException {
        try (PreparedStatement epoch = statements.prepare(connection, sql().get("epoch"));
                ResultSet row = epoch.executeQuery()) {
            return row.next() ? "-" + row.getString(1) : "";
        } catch (SQLException e) {
            if (!TIMELESS.contains(String.valueOf(e.getSQLState()))) {
                throw e;
            }
            if (!timeless.getAndSet(true)) {
                LOG.info("Cannot read the WAL timeline ({}); call newEpoch() after a failover", e.getMessage());
            }
            return "";
        }
    }

    private static int bindClaims(PreparedStatement statement, TableStatements table, List<Claim> claims)
            throws SQLException {
        ArrayBinder to = new ArrayBinder(statement, claims.size(), 1);
        to.uuids(i -> claims.get(i).id().uuid());
        to.uuids(i -> claims.get(i).owner());
        to.longs(i -> ColumnUpdate.micros(claims.get(i).lease()));
        to.ints(i -> claims.get(i).attempts());
        to.booleans(i -> claims.get(i).mark());
        to.texts(i -> claims.get(i).id().scope());
        to.texts(i -> claims.get(i).id().operation());
        to.texts(i -> claims.get(i).id().key());
        to.bytes(i -> claims.get(i).print().hash());
        to.bytes(i -> claims.get(i).print().fields());
        to.bytes(i -> ColumnFormat.joined(claims.get(i).superseded()));
        to.bytes(i -> claims.get(i).checkpoint());
        to.texts(i -> claims.get(i).bizId());
        for (RecordTable.TableColumn column : table.table().columns()) {
            to.objects(column.type(), i -> column.value().apply(claims.get(i)));
        }
        return to.next();
    }

    private List<@Nullable BatchItemResult<ClaimResult>> readClaims(PreparedStatement statement, List<Claim> claims)
            throws SQLException {
        List<@Nullable BatchItemResult<ClaimResult>> answers =
                new ArrayList<>(Collections.nCopies(claims.size(), null));
        try (ResultSet row = statement.getResultSet()) {
            while (row.next()) {
                int n = row.getInt(RecordRowReader.NOW + 1) - 1;
                long fence = row.getLong(RecordRowReader.NOW + 2);
                if (!row.wasNull()) {
                    answers.set(
                            n, BatchItemResult.of(new ClaimResult.Acquired(fence, row.getLong(RecordRowReader.NOW))));
                } else if (row.getObject(1) != null) {
                    RecordSnapshot seen = RecordRowReader.seen(this, row);
                    // a claim that recognises itself is sent again alone, so that it is confirmed
                    boolean itself = claims.get(n).recognises(seen.record(), seen.now());
                    answers.set(n, itself ? null : BatchItemResult.from(() -> answer(claims.get(n), seen, false)));
                }
            }
        }
        return answers;
    }

    private static void bindChanges(PreparedStatement statement, int from, List<RecordUpdate> updates)
            throws SQLException {
        List<ColumnUpdate> alterations = new ArrayList<>(updates.size());
        for (RecordUpdate update : updates) {
            alterations.add(ColumnUpdate.of(update.change()));
        }
        ArrayBinder to = new ArrayBinder(statement, updates.size(), from);
        to.uuids(i -> updates.get(i).ticket().id().uuid());
        to.uuids(i -> updates.get(i).ticket().owner());
        to.longs(i -> updates.get(i).ticket().fence());
        to.texts(i -> ColumnFormat.names(
                updates.get(i).ticket().id(), updates.get(i).ticket().id().key()));
        to.texts(i -> ColumnFormat.names(
                updates.get(i).ticket().id(), updates.get(i).ticket().id().alias()));
        to.longs(i -> alterations.get(i).what());
        to.uuids(i -> alterations.get(i).heir());
        to.longs(i -> alterations.get(i).lease());
        to.longs(i -> alterations.get(i).keep());
        to.longs(i -> alterations.get(i).tombstone());
        to.texts(i -> ColumnFormat.of(alterations.get(i).payload()));
        to.bytes(i -> {
            ResultPayload payload = alterations.get(i).payload();
            return payload == null ? null : payload.bytes();
        });
        to.bytes(i -> alterations.get(i).checkpoint());
    }

    private static List<@Nullable Boolean> readChanges(PreparedStatement statement, int size) throws SQLException {
        List<@Nullable Boolean> made = new ArrayList<>(Collections.nCopies(size, false));
        try (ResultSet row = statement.getResultSet()) {
            while (row.next()) {
                made.set(row.getInt(1) - 1, true);
            }
        }
        return made;
    }
}
