package io.onefold.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.onefold.Key;
import io.onefold.Onefold;
import io.onefold.Operation;
import io.onefold.Outcome;
import io.onefold.servers.MariaDbServer;
import io.onefold.servers.TcpProxy;
import io.onefold.store.BatchItemResult;
import io.onefold.store.Change;
import io.onefold.store.Claim;
import io.onefold.store.ClaimResult;
import io.onefold.store.RecordFilter;
import io.onefold.store.RecordId;
import io.onefold.store.RecordUpdate;
import io.onefold.store.RetentionPeriod;
import io.onefold.store.Ticket;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A database accepts what it is sent and answers nothing, at each step of a call. Calls end, and go on when it answers again. Each proxy lets data
 * through again before its pool is closed: a driver that hangs would hold up the closing.
 */
@ParameterizedClass
@EnumSource(
        value = Database.class,
        names = {"POSTGRESQL", "MARIADB", "MYSQL"})
@Timeout(180)
class HungStepsFaultTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(1);
    private static final Duration LEASE = Duration.ofSeconds(2);
    private static final Operation<String> BRIEFLY = Pay.leased(LEASE);
    private static final AtomicInteger KEYS = new AtomicInteger();

    @Parameter
    Database kind = Database.POSTGRESQL;

    private final String key = "hung-step-" + KEYS.incrementAndGet() + "-";

    /** Some drivers tell the server of auto-commit and isolation, before a step and after it: these may hang, too. */
    @Test
    @Tag("F7")
    void each_step_of_the_store_ends_while_nothing_is_answered_and_goes_on_afterwards() throws Exception {
        HikariConfig toBeChanged = new HikariConfig();
        toBeChanged.setAutoCommit(false);
        toBeChanged.setTransactionIsolation("TRANSACTION_SERIALIZABLE");
        together(Map.of(
                "on connections as they are", name -> stepsEndAndGoOn(new HikariConfig(), key + "plain-"),
                "on connections that are changed for it", name -> stepsEndAndGoOn(toBeChanged, key + "changed-")));
    }

    @Test
    @Tag("F8")
    @Tag("F10")
    void each_call_ends_whose_database_hangs_while_it_runs_and_its_record_agrees_with_its_effect() throws Exception {
        together(Map.of(
                "leased, before the end", this::leasedCallIsRecordedLater,
                "joined, at the commit", this::commitEndsAndRecordAgrees,
                "joined, at the rollback", this::rollbackEnds,
                "joined, after the commit", this::resultIsToldThoughTheConnectionIsLost));
    }

    /** Most of each is waiting: at once they take as long as one of them. */
    private void together(Map<String, Scenario> scenarios) throws Exception {
        Map<String, CompletableFuture<String>> running = new LinkedHashMap<>();
        scenarios.forEach((name, scenario) -> running.put(
                name,
                CompletableFuture.supplyAsync(
                        () -> outcome(scenario, key + name), task -> new Thread(task, name).start())));
        for (Map.Entry<String, CompletableFuture<String>> one : running.entrySet()) {
            assertThat(one.getValue().get()).as(one.getKey()).isEmpty();
        }
    }

    private static String outcome(Scenario scenario, String key) {
        try {
            scenario.run(key);
            return "";
        } catch (Exception | AssertionError e) {
            StringWriter trace = new StringWriter();
            e.printStackTrace(new PrintWriter(trace));
            return trace.toString();
        }
    }

    @FunctionalInterface
    private interface Scenario {
        void run(String key) throws Exception;
    }

    private void stepsEndAndGoOn(HikariConfig config, String key) throws Exception {
        FaultDatabase database = database();
        try (TcpProxy proxy = TcpProxy.to(database.server().port());
                HikariDataSource pool = FaultDatabase.pool(config, through(database, proxy), 12);
                AutoCloseable flowing = proxy::flow) {
            stepsEndAndGoOn(pool, proxy, key);
        }
    }

    private static void stepsEndAndGoOn(HikariDataSource pool, TcpProxy proxy, String key) throws Exception {
        JdbcStore store = JdbcStore.builder(pool)
                .timeout(TIMEOUT)
                .table(RecordTable.named("hung_record").holding("hung"))
                .build();
        Ticket ended = ticket(store, key + "ended");
        Ticket renewed = ticket(store, key + "renewed");
        Map<String, Callable<?>> steps = new LinkedHashMap<>();
        steps.put("claim", () -> store.claim(claim(RecordId.of("", "pay", key + "claimed"))));
        steps.put("end", () -> store.update(ended, new Change.Release(RetentionPeriod.of(Duration.ofDays(1)))));
        steps.put(
                "renewal",
                () -> store.updateAll(List.of(new RecordUpdate(renewed, new Change.Renew(Duration.ofMinutes(5)))))
                        .get(0)
                        .get());
        steps.put(
                "claims in two tables",
                () -> store
                        .claimAll(List.of(
                                claim(RecordId.of("", "pay", key + "one")),
                                claim(RecordId.of("", "hung", key + "other"))))
                        .stream()
                        .map(BatchItemResult::get)
                        .toList());
        steps.put("find", () -> store.find(ended.id()) == null);
        steps.put("list", () -> store.list(RecordFilter.stuck(), null, 10));
        steps.put("sweep", () -> store.sweep(10));
        steps.put("epoch", store::epoch);
        steps.put("begin and enter", () -> {
            try (var transaction = store.begin()) {
                return transaction.enter(RecordId.of("", "pay", key + "entered"));
            }
        });
        fill(pool, 12, () -> store.sweep(1));
        proxy.stall();
        Map<String, CompletableFuture<String>> calls = new LinkedHashMap<>();
        steps.forEach((name, step) -> calls.put(name, started(step)));
        Await.until("every step has ended", () -> calls.values().stream().allMatch(CompletableFuture::isDone));
        calls.forEach((name, call) -> assertThat(call.join()).as(name).contains("StoreException"));
        proxy.flow();
        for (Map.Entry<String, Callable<?>> step : steps.entrySet()) {
            Await.value(
                    step.getKey() + " goes on", () -> result(step.getValue()), result -> !result.contains("Exception"));
        }
    }

    private void leasedCallIsRecordedLater(String key) throws Exception {
        FaultDatabase database = database();
        try (TcpProxy proxy = TcpProxy.to(database.server().port());
                HikariDataSource pool = FaultDatabase.pool(through(database, proxy), 4);
                AutoCloseable flowing = proxy::flow) {
            Onefold onefold = Onefold.on(store(pool));
            AtomicInteger runs = new AtomicInteger();
            CompletableFuture<String> call = started(() -> onefold.attempt(BRIEFLY, Key.of(key), attempt -> {
                runs.incrementAndGet();
                proxy.stall();
                return "done";
            }));
            Await.until("the call has ended", call::isDone);
            assertThat(call.join()).isEqualTo(String.valueOf(new Outcome.Executed<>("done", false)));
            proxy.flow();
            Await.value(
                    "the end is recorded",
                    () -> result(() -> onefold.attempt(BRIEFLY, Key.of(key), attempt -> "again")),
                    String.valueOf(new Outcome.Replayed<>("done", true))::equals);
            assertThat(runs).hasValue(1);
        }
    }

    private void commitEndsAndRecordAgrees(String key) throws Exception {
        FaultDatabase database = database();
        try (TcpProxy proxy = TcpProxy.to(database.server().port());
                HikariDataSource pool = FaultDatabase.pool(through(database, proxy), 4);
                AutoCloseable flowing = proxy::flow) {
            Onefold onefold = Onefold.on(store(pool));
            CompletableFuture<String> call =
                    started(() -> onefold.attemptInTransaction(BRIEFLY, Key.of(key), (attempt, connection) -> {
                        String result = Pay.inLedger(connection, key, "first");
                        proxy.stall();
                        return result;
                    }));
            Await.until("the call has ended", call::isDone);
            assertThat(call.join()).contains("Exception");
            proxy.flow();
            Await.value(
                    "a retry is answered",
                    () -> result(() -> onefold.attemptInTransaction(
                            BRIEFLY, Key.of(key), (attempt, connection) -> Pay.inLedger(connection, key, "second"))),
                    result -> !result.contains("Exception") && !result.contains("InProgress"));
            assertThat(database.effects(key)).isEqualTo(1);
        }
    }

    private void rollbackEnds(String key) throws Exception {
        FaultDatabase database = database();
        try (TcpProxy proxy = TcpProxy.to(database.server().port());
                HikariDataSource pool = FaultDatabase.pool(through(database, proxy), 4);
                AutoCloseable flowing = proxy::flow) {
            Onefold onefold = Onefold.on(store(pool));
            CompletableFuture<String> call =
                    started(() -> onefold.attemptInTransaction(BRIEFLY, Key.of(key), (attempt, connection) -> {
                        Pay.inLedger(connection, key, "never");
                        proxy.stall();
                        throw new IllegalStateException("the work failed");
                    }));
            Await.until("the call has ended", call::isDone);
            assertThat(call.join()).contains("the work failed");
            proxy.flow();
            Await.value(
                    "a retry is answered",
                    () -> result(() -> onefold.attemptInTransaction(
                            BRIEFLY, Key.of(key), (attempt, connection) -> Pay.inLedger(connection, key, "second"))),
                    result -> !result.contains("Exception") && !result.contains("InProgress"));
            assertThat(database.effects(key)).isEqualTo(1);
        }
    }

    private void resultIsToldThoughTheConnectionIsLost(String key) throws Exception {
        FaultDatabase database = database();
        AtomicBoolean worked = new AtomicBoolean();
        try (TcpProxy proxy = TcpProxy.to(database.server().port());
                HikariDataSource pool = FaultDatabase.pool(
                        Passing.each(through(database, proxy), "setAutoCommit", () -> {
                            if (worked.get()) {
                                proxy.stall();
                            }
                        }),
                        4);
                AutoCloseable flowing = proxy::flow) {
            Onefold onefold = Onefold.on(store(pool));
            CompletableFuture<String> call =
                    started(() -> onefold.attemptInTransaction(BRIEFLY, Key.of(key), (attempt, connection) -> {
                        worked.set(true);
                        return Pay.inLedger(connection, key, "first");
                    }));
            Await.until("the call has ended", call::isDone);
            assertThat(call.join()).isEqualTo(String.valueOf(new Outcome.Executed<>("first", true)));
            assertThat(database.effects(key)).isEqualTo(1);
        }
    }

    /** What a user's work does on a connection has the network timeout that the user chose, and so has the next borrower. */
    @Test
    void the_network_timeout_of_the_connection_is_as_before_in_the_work_and_afterwards() throws Exception {
        FaultDatabase database = database();
        try (HikariDataSource pool =
                FaultDatabase.pool(source(database, database.server().port()), 1)) {
            Onefold onefold = Onefold.on(store(pool));
            int before = networkTimeout(pool);
            List<Integer> seen = new ArrayList<>();
            onefold.attemptInTransaction(
                    BRIEFLY, Key.of(key), (attempt, connection) -> "" + seen.add(connection.getNetworkTimeout()));
            onefold.attempt(BRIEFLY, Key.of(key + "leased"), attempt -> "done");
            assertThat(seen).containsExactly(before);
            assertThat(networkTimeout(pool)).isEqualTo(before);
        }
    }

    private static int networkTimeout(DataSource source) throws SQLException {
        try (Connection connection = source.getConnection()) {
            return connection.getNetworkTimeout();
        }
    }

    private FaultDatabase database() {
        return FaultDatabase.shared(kind == Database.POSTGRESQL ? Database.POSTGRESQL : Database.MARIADB);
    }

    private DataSource through(FaultDatabase database, TcpProxy proxy) {
        return source(database, proxy.port());
    }

    private DataSource source(FaultDatabase database, int port) {
        return kind == Database.MYSQL && database.server() instanceof MariaDbServer server
                ? server.mysqlDataSource(database.name(), port)
                : database.server().dataSource(database.name(), port);
    }

    private static JdbcStore store(DataSource source) {
        return JdbcStore.builder(source).timeout(TIMEOUT).build();
    }

    /** Lets the store use each connection of the pool, so that none of the steps has to look where it leads. */
    private static void fill(HikariDataSource pool, int size, Runnable step) throws SQLException {
        List<Connection> all = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            all.add(pool.getConnection());
        }
        for (int i = 0; i < size; i++) {
            all.get(i).close();
            step.run();
            all.set(i, pool.getConnection());
        }
        for (Connection connection : all) {
            connection.close();
        }
    }

    private static Claim claim(RecordId id) {
        return Claim.of(id, UUID.randomUUID(), Duration.ofMinutes(10));
    }

    private static Ticket ticket(JdbcStore store, String key) {
        Claim claim = claim(RecordId.of("", "pay", key));
        ClaimResult.Acquired won = (ClaimResult.Acquired) store.claim(claim);
        return new Ticket(claim.id(), claim.owner(), won.fence());
    }

    private static CompletableFuture<String> started(Callable<?> call) {
        return CompletableFuture.supplyAsync(() -> result(call), task -> {
            Thread thread = new Thread(task, "caller");
            thread.setDaemon(true);
            thread.start();
        });
    }

    private static String result(Callable<?> call) {
        try {
            return String.valueOf(call.call());
        } catch (Exception e) {
            return String.valueOf(e);
        }
    }
}
