package io.onefold.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.onefold.Key;
import io.onefold.Onefold;
import io.onefold.Operation;
import io.onefold.Outcome;
import io.onefold.TransactionScope;
import io.onefold.store.StoreException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Sources whose connections lead to another database, or to another schema, by the thread that asks. */
@Timeout(60)
class RoutingDataSourceTest {
    private static final Operation<String> POST =
            Operation.of("post", String.class).waitFor(Duration.ofSeconds(30));
    private static final int REQUESTS = 40;
    private static final int THREADS = 24;

    private final List<HikariDataSource> pools = new ArrayList<>();
    private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    private final Map<String, AtomicInteger> effects = new ConcurrentHashMap<>();

    @AfterEach
    void close() {
        AbstractRoutingDataSource.TENANT.remove();
        threads.shutdownNow();
        pools.forEach(HikariDataSource::close);
    }

    @Test
    void a_routing_source_is_refused_however_it_is_wrapped() {
        DataSource plain = Database.H2.fresh();
        DataSource routing = new AbstractRoutingDataSource(Map.of("a", plain), plain);
        HikariConfig config = new HikariConfig();
        config.setDataSource(routing);
        HikariDataSource pool = new HikariDataSource(config);
        pools.add(pool);
        Stream.of(
                        routing,
                        new OwnRouting(plain),
                        pool,
                        new Named(routing),
                        new Named(pool),
                        Passing.each(routing, "nothing", () -> {}))
                .forEach(source -> refuses(() -> JdbcStore.of(source)));
        refuses(() -> JdbcStore.builder(plain).ownConnections(routing));
    }

    private static void refuses(ThrowingCallable opening) {
        assertThatThrownBy(opening)
                .isInstanceOf(RoutingDataSourceException.class)
                .hasMessageContaining("Routing")
                .hasMessageContaining("the DataSource of one database");
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB", "H2"})
    void calls_of_a_tenant_in_another_database_are_refused_and_none_is_made_twice(Database database) throws Exception {
        DataSource a = pool(database.fresh());
        DataSource b = pool(database.fresh());
        JdbcStore.of(b);
        JdbcStore store =
                JdbcStore.of(new ForwardingDataSource(new AbstractRoutingDataSource(Map.of("a", a, "b", b), a)));
        onlyTheFirstIsServed(Onefold.on(store));
        assertThat(Sqls.texts(b, "select idem_key from idempotent_record")).isEmpty();
        assertThat(Sqls.texts(a, "select idem_key from idempotent_record"))
                .hasSize(REQUESTS)
                .allMatch(key -> key != null && key.startsWith("a-"));
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB", "MYSQL", "H2"})
    void calls_of_a_tenant_in_another_schema_are_refused_and_none_is_made_twice(Database database) throws Exception {
        Schemas schemas = new Schemas(database);
        JdbcStore store = JdbcStore.of(new ForwardingDataSource(schemas.routing()));
        onlyTheFirstIsServed(Onefold.on(store));
        assertThat(schemas.keys("b")).isEmpty();
        assertThat(schemas.keys("a")).hasSize(REQUESTS).allMatch(key -> key != null && key.startsWith("a-"));
    }

    /** Two requests for each key, of two tenants at once. */
    private void onlyTheFirstIsServed(Onefold onefold) throws Exception {
        List<Future<Outcome<String>>> served = new ArrayList<>();
        List<Future<Outcome<String>>> refused = new ArrayList<>();
        for (int i = 0; i < REQUESTS * 2; i++) {
            String key = "-" + i % REQUESTS;
            served.add(threads.submit(() -> post(onefold, "a", key)));
            refused.add(threads.submit(() -> post(onefold, "b", key)));
        }
        for (Future<Outcome<String>> call : served) {
            assertThat(call.get().orThrow()).startsWith("a-");
        }
        for (Future<Outcome<String>> call : refused) {
            assertThatThrownBy(call::get)
                    .cause()
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("the store was opened on");
        }
        assertThat(effects).hasSize(REQUESTS);
        assertThat(effects.values()).allMatch(count -> count.get() == 1);
    }

    private Outcome<String> post(Onefold onefold, String tenant, String key) {
        AbstractRoutingDataSource.TENANT.set(tenant);
        return onefold.attempt(POST, Key.of(tenant + key), attempt -> {
            effects.computeIfAbsent(tenant + key, same -> new AtomicInteger()).incrementAndGet();
            return tenant + key;
        });
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB", "H2", "SQLITE"})
    void a_callers_transaction_in_another_database_is_refused_before_the_work(Database database) throws SQLException {
        DataSource b = pool(database.fresh());
        JdbcStore.of(b);
        Onefold onefold = Onefold.on(JdbcStore.of(pool(database.fresh())));
        refusesToJoin(onefold, b);
        assertThat(Sqls.texts(b, "select idem_key from idempotent_record")).isEmpty();
        DataSource empty = pool(database.fresh());
        refusesToJoin(onefold, empty);
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB", "MYSQL", "H2"})
    void a_callers_transaction_in_another_schema_is_refused_before_the_work(Database database) throws SQLException {
        Schemas schemas = new Schemas(database);
        Onefold onefold = Onefold.on(JdbcStore.of(schemas.in("a")));
        try (Connection connection = schemas.pool.getConnection()) {
            // one that the store has seen before, in its own schema
            schemas.choose(connection, "a");
            connection.setAutoCommit(false);
            join(onefold, connection, "seen");
            schemas.choose(connection, "b");
            refusesToJoin(onefold, connection);
            connection.rollback();
        }
        assertThat(schemas.keys("b")).isEmpty();
        assertThat(schemas.keys("a")).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB", "H2"})
    void a_table_that_is_named_with_its_schema_serves_sessions_of_every_schema(Database database) throws SQLException {
        Schemas schemas = new Schemas(database);
        Onefold onefold = Onefold.on(JdbcStore.builder(new ForwardingDataSource(schemas.routing()))
                .table(RecordTable.named(schemas.names.get("a") + ".idempotent_record"))
                .build());
        AbstractRoutingDataSource.TENANT.set("b");
        assertThat(onefold.attempt(POST, Key.of("leased"), attempt -> "done"))
                .isEqualTo(new Outcome.Executed<>("done", true));
        assertThat(onefold.attemptInTransaction(POST, Key.of("joined"), (attempt, connection) -> "done"))
                .isEqualTo(new Outcome.Executed<>("done", true));
        assertThat(schemas.keys("a")).containsExactlyInAnyOrder("leased", "joined");
        assertThat(schemas.keys("b")).isEmpty();
    }

    /** As somebody leaves it who says "set search_path" or "use", which no pool resets. */
    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB", "MYSQL", "H2"})
    void a_session_that_somebody_left_in_another_schema_does_not_change_where_records_are(Database database)
            throws SQLException {
        Schemas schemas = new Schemas(database);
        HikariDataSource one = schemas.poolIn("a");
        Onefold onefold = Onefold.on(JdbcStore.of(one));
        onefold.run(POST, Key.of("before"), attempt -> "first");
        try (Connection connection = one.getConnection()) {
            try (Statement statement = connection.createStatement()) {
                statement.execute(schemas.choosing("b"));
            }
        }
        onefold.run(POST, Key.of("after"), attempt -> "first");
        assertThat(onefold.attempt(POST, Key.of("before"), attempt -> "second"))
                .isEqualTo(new Outcome.Replayed<>("first", true));
        assertThat(schemas.keys("a")).containsExactlyInAnyOrder("before", "after");
        assertThat(schemas.keys("b")).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void a_new_epoch_refuses_nobody(Database database) {
        DataSource source = database.fresh();
        JdbcStore store = JdbcStore.of(source);
        JdbcStore.of(source).newEpoch();
        assertThat(Onefold.on(store).attempt(POST, Key.of("after"), attempt -> "done"))
                .isEqualTo(new Outcome.Executed<>("done", true));
    }

    @ParameterizedTest
    @EnumSource
    void a_pool_is_asked_which_database_it_leads_to_once_for_each_connection_it_opens(Database database)
            throws Exception {
        try (CountingDriver driver = new CountingDriver(database.fresh(), "'identity'")) {
            HikariDataSource pool = driver.pool(4);
            pools.add(pool);
            Onefold onefold = Onefold.on(JdbcStore.of(pool));
            int opening = driver.statements();
            List<Future<Outcome<String>>> calls = new ArrayList<>();
            for (int i = 0; i < REQUESTS; i++) {
                String key = "-" + i;
                calls.add(threads.submit(() -> post(onefold, "a", key)));
                onefold.inTransaction(POST, Key.of("joined" + key), (attempt, connection) -> "done");
            }
            for (Future<Outcome<String>> call : calls) {
                assertThat(call.get()).isInstanceOf(Outcome.Executed.class);
            }
            assertThat(driver.statements() - opening).isBetween(1, driver.connections());
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB", "SQLITE"})
    void without_batching_each_call_borrows_on_its_own_thread(Database database) throws Exception {
        Map<Thread, AtomicInteger> borrowed = new ConcurrentHashMap<>();
        JdbcStore store = JdbcStore.builder(new ForwardingDataSource(pool(database.fresh())) {
                    @Override
                    public Connection getConnection() throws SQLException {
                        borrowed.computeIfAbsent(Thread.currentThread(), same -> new AtomicInteger())
                                .incrementAndGet();
                        return super.getConnection();
                    }
                })
                .batching(false)
                .build();
        Onefold onefold = Onefold.on(store);
        borrowed.clear();
        Map<Thread, AtomicInteger> called = new ConcurrentHashMap<>();
        List<Future<Outcome<String>>> calls = new ArrayList<>();
        for (int i = 0; i < REQUESTS * 2; i++) {
            String key = "-" + i;
            calls.add(threads.submit(() -> {
                called.computeIfAbsent(Thread.currentThread(), same -> new AtomicInteger())
                        .incrementAndGet();
                return post(onefold, "a", key);
            }));
        }
        for (Future<Outcome<String>> call : calls) {
            assertThat(call.get()).isInstanceOf(Outcome.Executed.class);
        }
        called.forEach((thread, count) -> assertThat(Objects.requireNonNull(borrowed.get(thread)))
                .as("a claim and an end for each call")
                .hasValueGreaterThanOrEqualTo(2 * count.get()));
    }

    private static void refusesToJoin(Onefold onefold, DataSource source) throws SQLException {
        try (Connection connection = source.getConnection()) {
            connection.setAutoCommit(false);
            refusesToJoin(onefold, connection);
            connection.rollback();
        }
    }

    private static void refusesToJoin(Onefold onefold, Connection connection) {
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> join(onefold, connection, "foreign"))
                .withMessageContaining("the store was opened on");
    }

    private static void join(Onefold onefold, Connection connection, String key) {
        try (TransactionScope joined = onefold.joined(connection)) {
            joined.run(POST, Key.of(key), attempt -> {
                assertThat(key).isNotEqualTo("foreign");
                return key;
            });
        }
    }

    private HikariDataSource pool(DataSource source) {
        return pool(source, 16);
    }

    private HikariDataSource pool(DataSource source, int size) {
        HikariDataSource pool = Database.pool(source, size);
        pools.add(pool);
        return pool;
    }

    /** As applications have it: a class of their own. */
    private static final class OwnRouting extends AbstractRoutingDataSource {
        OwnRouting(DataSource only) {
            super(Map.of(), only);
        }
    }

    /** A wrapper whose getter has the usual name. */
    static final class Named extends ForwardingDataSource {
        Named(DataSource target) {
            super(target);
        }

        @SuppressWarnings("unused") // is looked for by its name
        public DataSource getTargetDataSource() {
            return target();
        }
    }

    /** Two schemas of one database with the same tables, or what MySQL calls databases, and one pool. */
    private final class Schemas {
        final Database database;
        final boolean catalogs;
        final DataSource source;
        final HikariDataSource pool;
        final Map<String, String> names = new ConcurrentHashMap<>();

        Schemas(Database database) throws SQLException {
            this.database = database;
            this.source = database.fresh();
            this.pool = pool(source);
            this.catalogs = database == Database.MARIADB || database == Database.MYSQL;
            String stem = catalogs ? Sqls.texts(source, "select database()").get(0) + "_" : "tenant_";
            for (String tenant : List.of("a", "b")) {
                names.put(tenant, stem + tenant);
                Sqls.run(source, (catalogs ? "create database " : "create schema ") + stem + tenant);
                JdbcStore.of(in(tenant));
            }
        }

        DataSource routing() {
            return new AbstractRoutingDataSource(Map.of("a", in("a"), "b", in("b")), in("a"));
        }

        /** The pool, whose connections are switched to the tenant's schema whenever one is borrowed. */
        DataSource in(String tenant) {
            return new ForwardingDataSource(pool) {
                @Override
                public Connection getConnection() throws SQLException {
                    Connection connection = super.getConnection();
                    choose(connection, tenant);
                    return connection;
                }
            };
        }

        /** One connection, opened in the tenant's schema. */
        HikariDataSource poolIn(String tenant) {
            HikariConfig config = new HikariConfig();
            config.setDataSource(source);
            config.setMaximumPoolSize(1);
            if (catalogs) {
                config.setCatalog(names.get(tenant));
            } else {
                config.setSchema(folded(tenant));
            }
            HikariDataSource one = new HikariDataSource(config);
            pools.add(one);
            return one;
        }

        private String folded(String tenant) {
            String name = Objects.requireNonNull(names.get(tenant));
            return database == Database.H2 ? name.toUpperCase(Locale.ROOT) : name;
        }

        void choose(Connection connection, String tenant) throws SQLException {
            if (catalogs) {
                connection.setCatalog(names.get(tenant));
            } else {
                connection.setSchema(folded(tenant));
            }
        }

        String choosing(String tenant) {
            return (catalogs ? "use " : database == Database.H2 ? "set schema " : "set search_path to ")
                    + names.get(tenant);
        }

        List<@Nullable String> keys(String tenant) throws SQLException {
            return Sqls.texts(pool, "select idem_key from " + names.get(tenant) + ".idempotent_record");
        }
    }
}
