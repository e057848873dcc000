package io.onefold.jdbc;

import io.onefold.store.BatchItemResult;
import io.onefold.store.Change;
import io.onefold.store.Claim;
import io.onefold.store.ClaimResult;
import io.onefold.store.GroupCommit;
import io.onefold.store.RecordBatches;
import io.onefold.store.RecordFilter;
import io.onefold.store.RecordId;
import io.onefold.store.RecordPage;
import io.onefold.store.RecordSignals;
import io.onefold.store.RecordSnapshot;
import io.onefold.store.RecordUpdate;
import io.onefold.store.Store;
import io.onefold.store.StoreException;
import io.onefold.store.StoreTransactions;
import io.onefold.store.Ticket;
import io.onefold.store.UpdateResult;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records in a database: PostgreSQL, MariaDB, MySQL, SQLite or H2, as the connection says.
 *
 * <pre>{@code
 * Onefold onefold = Onefold.on(JdbcStore.of(dataSource));
 * }</pre>
 *
 * Connections are borrowed for each step and given back before the work begins: none is held while work runs or a duplicate waits.
 */
public final class JdbcStore implements Store, StoreTransactions {
    private static final Logger LOG = LoggerFactory.getLogger(JdbcStore.class);
    private static final int MOST = 128;

    private final Dialect dialect;
    private final DatabaseIdentity place;
    private final ConnectionRunner connections;
    private final StatementPreparer statements;
    private final List<TableStatements> tables;
    private final Map<String, TableStatements> byOperation = new HashMap<>();
    private final JdbcContext backing;
    private final BatchStatements trips;
    private final ConnectionRunner outside;
    private final BatchStatements renewing;
    private final SingleStatements singles;
    private final GroupCommit combiner;
    private final FenceFloor floor;
    private final @Nullable RecordSignals signals;

    private JdbcStore(Builder builder, Dialect dialect, List<TableStatements> tables, Connection connection)
            throws SQLException {
        this.dialect = dialect;
        this.statements = new StatementPreparer(builder.timeout, dialect);
        this.tables = tables;
        this.place = DatabaseIdentity.of(dialect, statements, tables.get(0), connection);
        this.connections =
                new ConnectionRunner(builder.source, builder.trusts(builder.source), place, dialect, statements);
        for (TableStatements table : tables) {
            table.table().operations().forEach(operation -> byOperation.put(operation, table));
        }
        this.backing = new JdbcContext(connections, dialect, statements, this::table);
        this.singles = new SingleStatements(backing);
        this.trips = new BatchStatements(backing, singles);
        int direct = builder.batches() ? dialect.direct() : Integer.MAX_VALUE;
        this.combiner = new GroupCommit(trips::send, direct, dialect.lanes(), MOST, builder.timeout.multipliedBy(2));
        this.floor = new FenceFloor(backing, builder.stall);
        DataSourceChain own = builder.own;
        this.signals = own == null ? null : dialect.signals(own.source(), this::table);
        this.outside =
                own == null ? connections : new ConnectionRunner(own, builder.trusts(own), place, dialect, statements);
        this.renewing = own == null ? trips : renewing();
    }

    private BatchStatements renewing() {
        JdbcContext beside = new JdbcContext(outside, dialect, statements, this::table);
        return new BatchStatements(beside, new SingleStatements(beside));
    }

    /** On the shared table, which is made if it is missing. */
    public static JdbcStore of(DataSource source) {
        return builder(source).build();
    }

    /**
     * A store on this source, to be described further.
     *
     * @throws RoutingDataSourceException if the source chooses its database by the thread that asks
     */
    public static Builder builder(DataSource source) {
        return new Builder(source);
    }

    /** Returns true if the store's connections come from this very source. */
    @SuppressWarnings("ReferenceEquality") // another one may lead to the same database, and is another way
    public boolean isOn(DataSource source) {
        return connections.source() == source;
    }

    JdbcTokenStore tokens(Duration life) {
        return new JdbcTokenStore(backing, tables.get(0), life);
    }

    private TableStatements table(RecordId id) {
        return byOperation.getOrDefault(id.operation(), tables.get(0));
    }

    @Override
    public ClaimResult claim(Claim claim) {
        return claim.take() == null ? combiner.claim(claim) : singles.claim(claim);
    }

    @Override
    public UpdateResult update(Ticket ticket, Change change) {
        return change instanceof Change.Mirror
                ? singles.update(new RecordUpdate(ticket, change))
                : combiner.update(ticket, change);
    }

    @Override
    public List<BatchItemResult<ClaimResult>> claimAll(List<Claim> claims) {
        return RecordBatches.send(
                claims, MOST, Claim::id, round -> trips.send(round, List.of()).claims());
    }

    @Override
    public List<BatchItemResult<UpdateResult>> updateAll(List<RecordUpdate> updates) {
        boolean renewals = updates.stream().allMatch(update -> update.change() instanceof Change.Renew);
        BatchStatements way = renewals ? renewing : trips;
        return RecordBatches.send(
                updates,
                MOST,
                update -> update.ticket().id(),
                round -> way.send(List.of(), round).updates());
    }

    @Override
    public @Nullable RecordSnapshot find(RecordId id) {
        return singles.find(id);
    }

    @Override
    public RecordPage list(RecordFilter filter, @Nullable String cursor, int limit) {
        JdbcRecordList listing = new JdbcRecordList(dialect, statements, tables);
        return connections.eachAlone(() -> "listing", connection -> listing.page(connection, filter, cursor, limit));
    }

    @Override
    public int sweep(int limit) {
        int swept = 0;
        for (TableStatements table : tables) {
            swept += swept == limit ? 0 : floor.remove(table, limit - swept);
            swept += swept == limit ? 0 : strip(table, limit - swept);
        }
        return swept;
    }

    private int strip(TableStatements table, int limit) {
        return connections.eachAlone(() -> "sweeping " + table, connection -> {
            try (PreparedStatement statement = statements.prepare(connection, table.get("strip"))) {
                statement.setInt(1, limit);
                return statement.executeUpdate();
            }
        });
    }

    @Override
    public @Nullable RecordSignals signals() {
        return signals;
    }

    /**
     * Returns an id of this database and its timeline. It changes after a failover, after a restore and after {@link #newEpoch}. Data that
     * was copied from the database in an earlier epoch, for example to a cache tier, must not be trusted. A standby has no epoch.
     */
    public String epoch() {
        // a pool that is exhausted would take the front away, whose part it is to keep callers off the pool
        return outside.eachAlone(() -> "reading the epoch", connection -> {
            String own = SchemaManager.setting(connection, tables.get(0), "epoch");
            return own + dialect.timeline(statements, connection);
        });
    }

    /** Begins a new epoch. Call it once after the database was restored from an older copy. */
    public void newEpoch() {
        String text = "update " + tables.get(0).beside(SchemaManager.META) + " set setting = ? where name = 'epoch'";
        connections.eachAlone(() -> "beginning an epoch", connection -> {
            try (PreparedStatement update = statements.prepare(connection, text)) {
                update.setString(1, UUID.randomUUID().toString());
                return update.executeUpdate();
            }
        });
    }

    @Override
    public Duration timeout() {
        return statements.timeout();
    }

    @Override
    public RecordTransaction begin() {
        Connection connection = null;
        try {
            connection = connections.open();
            boolean autoCommit = connection.getAutoCommit();
            begin(connection, autoCommit);
            return new JdbcTransaction(connection, true, autoCommit, backing);
        } catch (SQLException e) {
            ConnectionRunner.close(connection);
            throw new StoreException("no transaction could be begun: " + e.getMessage(), e);
        }
    }

    private void begin(Connection connection, boolean autoCommit) throws SQLException {
        if (autoCommit != dialect.locksSession()) {
            try (StepWatchdog guard = statements.watch(connection)) {
                connection.setAutoCommit(dialect.locksSession());
            }
        }
    }

    @Override
    public RecordTransaction join(Connection connection) {
        try {
            if (connection.getAutoCommit()) {
                throw new IllegalArgumentException(
                        "the connection is in auto-commit mode: there is no transaction to join");
            }
            dialect.borrowed(statements, connection);
        } catch (SQLException e) {
            throw new StoreException("the connection cannot be joined: " + e.getMessage(), e);
        }
        return new JdbcTransaction(connection, place, backing);
    }

    @Override
    public void confirm(RecordId id, UUID owner) {
        singles.confirm(id, owner);
    }

    /** The settings of a store; each has a default. */
    public static final class Builder {
        private final DataSourceChain source;
        private final List<RecordTable> more = new ArrayList<>();
        private RecordTable shared = RecordTable.named(RecordTable.DEFAULT);
        private SchemaMode schema = SchemaMode.CREATE;
        private Duration timeout = Duration.ofSeconds(10);
        private @Nullable DataSourceChain own;
        private @Nullable Boolean batching;
        private UnaryOperator<String> clock = UnaryOperator.identity();
        private Duration stall = FenceFloor.STALL;

        private Builder(DataSource source) {
            this.source = DataSourceChain.of(source);
        }

        /** Sets how the tables are prepared; the default is {@link SchemaMode#CREATE}. */
        public Builder schema(SchemaMode schema) {
            this.schema = schema;
            return this;
        }

        /** The table of all operations that have no other; a table that names operations is one of those others. */
        public Builder table(RecordTable table) {
            if (table.operations().isEmpty()) {
                shared = table;
            } else {
                more.add(table);
            }
            return this;
        }

        /**
         * Sets the time limit of a statement, or on PostgreSQL of a step, in whole seconds. A step that conflicts with others is repeated
         * for no longer than that. On PostgreSQL, MariaDB and MySQL the connection of a step that takes twice as long is closed, even if
         * the database accepts data and never answers. The default is ten seconds.
         */
        public Builder timeout(Duration timeout) {
            if (timeout.compareTo(Duration.ofSeconds(1)) < 0) {
                throw new IllegalArgumentException("timeout must be at least a second, not " + timeout);
            }
            this.timeout = timeout;
            return this;
        }

        /**
         * Connections outside the pool that the work uses, best from a source without a pool: leases are renewed on them, so that
         * work that holds every connection of the pool does not lose them; the {@link #epoch} is read on them; and PostgreSQL wakes those who wait in other processes,
         * for which one connection is held while anyone here waits. Without them leases are renewed through the pool, and those who
         * wait look again and again.
         *
         * @throws RoutingDataSourceException if the source chooses its database by the thread that asks
         */
        public Builder ownConnections(DataSource source) {
            this.own = DataSourceChain.of(source);
            return this;
        }

        /**
         * Sets whether concurrent calls share a batch, on a connection that one of them borrows on its thread. If not, each call borrows a
         * connection on its own thread.
         *
         * <p>By default, calls share batches if the source is a pool or a driver's own. A source of another class may choose its
         * connections by the thread, so each of its connections is checked whenever it is borrowed, which costs a round trip. {@code true}
         * says that this source does not choose by the thread, which enables batches and saves the check. {@code false} does not make a
         * source usable that does: leases are renewed, and records swept, on other threads.
         */
        public Builder batching(boolean batching) {
            this.batching = batching;
            return this;
        }

        /** Replaces the SQL expression of the database's clock, for tests. */
        Builder clock(UnaryOperator<String> clock) {
            this.clock = clock;
            return this;
        }

        /** Replaces {@link FenceFloor#STALL}, for tests. */
        Builder stall(Duration stall) {
            this.stall = stall;
            return this;
        }

        private boolean batches() {
            return batching == null ? source.isKnown() : batching;
        }

        /** Returns true if the connections of a source do not depend on the thread. */
        private boolean trusts(DataSourceChain chain) {
            return chain.isKnown() || Boolean.TRUE.equals(batching);
        }

        private List<TableStatements> tables(Dialect dialect) {
            List<TableStatements> tables = new ArrayList<>();
            tables.add(new TableStatements(dialect, shared));
            Map<String, String> held = new HashMap<>();
            Set<String> names = new HashSet<>(Set.of(shared.name().toLowerCase(Locale.ROOT)));
            for (RecordTable table : more) {
                if (!names.add(table.name().toLowerCase(Locale.ROOT))) {
                    throw new IllegalArgumentException("there are two tables " + table.name());
                }
                for (String operation : table.operations()) {
                    String other = held.put(operation, table.name());
                    if (other != null) {
                        throw new IllegalArgumentException(
                                "operation " + operation + " is held by table " + other + " and by " + table.name());
                    }
                }
                tables.add(new TableStatements(dialect, table));
            }
            return List.copyOf(tables);
        }

        public JdbcStore build() {
            if (!trusts(source)) {
                source.warnUnlessKnown();
            }
            try (Connection connection = source.source().getConnection()) {
                Dialect dialect = Dialect.of(connection.getMetaData());
                dialect.clock(clock);
                dialect.opened(connection);
                boolean before = connection.getAutoCommit();
                connection.setAutoCommit(true);
                try {
                    List<TableStatements> tables = tables(dialect);
                    new SchemaManager(dialect, connection).ready(schema, tables);
                    String doubts = dialect.doubtsAboutDurability(connection);
                    if (doubts != null) {
                        LOG.warn("NOT DURABLE: {}", doubts);
                    }
                    return new JdbcStore(this, dialect, placed(tables, dialect, connection), connection);
                } finally {
                    connection.setAutoCommit(before);
                }
            } catch (SQLException e) {
                throw new StoreException("the store could not be opened: " + e.getMessage(), e);
            }
        }

        private static List<TableStatements> placed(
                List<TableStatements> tables, Dialect dialect, Connection connection) throws SQLException {
            List<TableStatements> placed = new ArrayList<>();
            for (TableStatements table : tables) {
                placed.add(table.in(dialect.schema(connection, table)));
            }
            return List.copyOf(placed);
        }
    }
}
