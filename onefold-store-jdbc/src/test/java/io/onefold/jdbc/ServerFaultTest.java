package io.onefold.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onefold.Key;
import io.onefold.Onefold;
import io.onefold.Operation;
import io.onefold.Outcome;
import io.onefold.servers.DatabaseServer;
import io.onefold.servers.MariaDbServer;
import io.onefold.servers.PostgresServer;
import io.onefold.servers.TcpProxy;
import io.onefold.store.Status;
import io.onefold.store.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** The database server itself is killed and comes back. There is no pool, so that a server that is down is noticed at once. */
@ParameterizedClass
@EnumSource(
        value = Database.class,
        names = {"POSTGRESQL", "MARIADB"})
@Timeout(120)
class ServerFaultTest {
    private static final Map<Database, FaultDatabase> DATABASES = new ConcurrentHashMap<>();
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final AtomicInteger KEYS = new AtomicInteger();

    @Parameter
    Database kind = Database.POSTGRESQL;

    private final String key = "server-" + KEYS.incrementAndGet();
    private final AtomicInteger runs = new AtomicInteger();
    private Consumer<Point> reached = point -> {};
    private FaultDatabase database = FaultDatabase.shared(Database.POSTGRESQL);
    private Onefold onefold = Onefold.on(new io.onefold.store.MemoryStore());

    @BeforeEach
    void open() {
        database = DATABASES.computeIfAbsent(
                kind,
                own -> FaultDatabase.on(kind == Database.MARIADB ? MariaDbServer.start() : PostgresServer.start()));
        onefold = Onefold.on(new PointedStore(JdbcStore.of(database.source()), point -> reached.accept(point)));
    }

    @AfterAll
    static void close() {
        DATABASES.values().stream().map(FaultDatabase::server).forEach(DatabaseServer::close);
        DATABASES.clear();
    }

    @Test
    @Tag("F7")
    void without_a_database_nothing_runs_and_when_it_is_back_the_retry_does() throws Exception {
        database.server().kill();
        assertThatThrownBy(this::leased).isInstanceOf(StoreException.class);
        assertThatThrownBy(this::joined).isInstanceOf(StoreException.class);
        assertThat(runs).hasValue(0);
        database.server().restart();
        assertThat(Await.value("the retry runs", this::leased, outcome -> !(outcome instanceof Outcome.InProgress)))
                .isEqualTo(new Outcome.Executed<>("done", true));
        assertThat(joined()).isEqualTo(new Outcome.Replayed<>("done", true));
        assertThat(runs).hasValue(1);
    }

    @Test
    @Tag("F8")
    void a_result_is_told_again_until_the_database_is_back() {
        AtomicInteger told = new AtomicInteger();
        reached = point -> {
            if (point == Point.WORKED && told.incrementAndGet() == 3) {
                database.server().restart();
            }
        };
        assertThat(onefold.attempt(Pay.ONCE, Key.of(key), attempt -> {
                    database.server().kill();
                    return "done";
                }))
                .isEqualTo(new Outcome.Executed<>("done", true));
        assertThat(told).hasValueGreaterThanOrEqualTo(3);
        assertThat(leased()).isEqualTo(new Outcome.Replayed<>("done", true));
        assertThat(runs).hasValue(0);
    }

    @Test
    @Tag("F8")
    void a_result_that_the_database_did_not_hear_in_time_goes_out_and_is_unknown_to_others() {
        Duration lease = Duration.ofMillis(400);
        assertThat(onefold.attempt(Pay.ONCE.lease(lease, lease), Key.of(key), attempt -> {
                    database.server().kill();
                    return "done";
                }))
                .isEqualTo(new Outcome.Executed<>("done", false));
        database.server().restart();
        assertThat(leased()).isInstanceOf(Outcome.Unknown.class);
        assertThat(status()).isEqualTo(Status.UNKNOWN);
        assertThat(runs).hasValue(0);
    }

    @Test
    @Tag("F8")
    void a_result_that_went_out_untold_is_told_for_as_long_as_it_may_run() throws Exception {
        assertThat(onefold.attempt(Pay.leased(Duration.ofMillis(400)), Key.of(key), attempt -> {
                    database.server().kill();
                    return "done";
                }))
                .isEqualTo(new Outcome.Executed<>("done", false));
        database.server().restart();
        Await.until("it is recorded", () -> status() == Status.SUCCESS);
        assertThat(leased()).isEqualTo(new Outcome.Replayed<>("done", true));
        assertThat(runs).hasValue(0);
    }

    @Test
    @Tag("F8")
    void a_joined_call_whose_database_is_gone_has_no_effect_and_the_retry_runs() throws Exception {
        // a commit whose fate is not known is looked up for as long as a lease
        Operation<String> briefly = Pay.leased(Duration.ofMillis(400));
        assertThatThrownBy(() -> onefold.attemptInTransaction(briefly, Key.of(key), (attempt, connection) -> {
                    Pay.inLedger(connection, key, "lost");
                    database.server().kill();
                    return "lost";
                }))
                .isInstanceOf(StoreException.class);
        database.server().restart();
        assertThat(joined()).isEqualTo(new Outcome.Executed<>("done", true));
        assertThat(database.effects(key)).isEqualTo(1);
    }

    @Test
    @Tag("F10")
    void a_commit_whose_answer_died_with_the_database_is_found_when_it_is_back() throws Exception {
        try (TcpProxy proxy = TcpProxy.to(database.server().port())) {
            CompletableFuture<Void> back = diesAtCommit(proxy, proxy::holdReplyToRequestContaining);
            assertThat(joined()).isEqualTo(new Outcome.Executed<>("done", true));
            assertThat(back).succeedsWithin(PATIENCE);
            assertThat(joined()).isEqualTo(new Outcome.Replayed<>("done", true));
        }
        assertThat(runs).hasValue(1);
        assertThat(database.effects(key)).isEqualTo(1);
    }

    @Test
    @Tag("F10")
    void a_commit_that_the_database_did_not_live_to_hear_of_is_told_as_such_and_the_retry_runs() throws Exception {
        try (TcpProxy proxy = TcpProxy.to(database.server().port())) {
            CompletableFuture<Void> back = diesAtCommit(proxy, proxy::holdRequestContaining);
            assertThatThrownBy(this::joined).isInstanceOf(StoreException.class).hasMessageContaining("is not there");
            assertThat(back).succeedsWithin(PATIENCE);
            assertThat(database.effects(key)).isZero();
            assertThat(joined()).isEqualTo(new Outcome.Executed<>("done", true));
        }
        assertThat(runs).hasValue(2);
        assertThat(database.effects(key)).isEqualTo(1);
    }

    /** The next call goes through the proxy, and the server dies at its commit; done when the server is back. */
    private CompletableFuture<Void> diesAtCommit(TcpProxy proxy, Function<byte[], CompletableFuture<Void>> trap) {
        CompletableFuture<Void> back = new CompletableFuture<>();
        onefold = Onefold.on(new PointedStore(JdbcStore.of(database.through(proxy)), point -> {
            if (point == Point.WORKED && runs.get() == 1) {
                CompletableFuture<Void> held = trap.apply(database.committing());
                var unused = held.thenRunAsync(database.server()::restart, task -> new Thread(task).start())
                        .whenComplete((done, failure) -> {
                            if (failure == null) {
                                back.complete(null);
                            } else {
                                back.completeExceptionally(failure);
                            }
                        });
            }
        }));
        return back;
    }

    @Test
    @Tag("F25")
    void what_was_acknowledged_survives_the_death_of_the_server() throws Exception {
        Map<String, String> acknowledged = new ConcurrentHashMap<>();
        ExecutorService threads = Executors.newFixedThreadPool(8);
        List<Future<?>> all = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            boolean joins = i % 2 == 0;
            String prefix = key + "-" + i + "-";
            all.add(threads.submit(() -> acknowledge(joins, prefix, acknowledged)));
        }
        Await.until("a hundred are acknowledged", () -> acknowledged.size() >= 100);
        database.server().kill();
        for (Future<?> one : all) {
            one.get();
        }
        threads.shutdown();
        database.server().restart();
        acknowledged.forEach((name, result) -> assertThat(onefold.attempt(Pay.ONCE, Key.of(name), attempt -> "again"))
                .isEqualTo(new Outcome.Replayed<>(result, true)));
        assertThat(database.number("select count(*) from (select reference from ledger where reference like '" + key
                        + "-%' group by reference having count(*) > 1) twice"))
                .isZero();
        assertThat(acknowledged).hasSizeGreaterThanOrEqualTo(100);
    }

    /** Until the server is gone: an answer that is not certain is none. */
    private void acknowledge(boolean joins, String prefix, Map<String, String> acknowledged) {
        for (int n = 0; ; n++) {
            String name = prefix + n;
            try {
                Outcome<String> outcome = joins
                        ? onefold.attemptInTransaction(
                                Pay.leased(Duration.ofMillis(300)),
                                Key.of(name),
                                (attempt, connection) -> Pay.inLedger(connection, name, "result of " + name))
                        : onefold.attempt(
                                Pay.leased(Duration.ofMillis(300)), Key.of(name), attempt -> "result of " + name);
                if (!outcome.equals(new Outcome.Executed<>("result of " + name, true))) {
                    return;
                }
            } catch (Exception e) {
                return;
            }
            acknowledged.put(name, "result of " + name);
        }
    }

    private Outcome<String> leased() {
        return onefold.attempt(Pay.ONCE, Key.of(key), attempt -> {
            runs.incrementAndGet();
            return "done";
        });
    }

    private Outcome<String> joined() throws Exception {
        return onefold.attemptInTransaction(Pay.ONCE, Key.of(key), (attempt, connection) -> {
            runs.incrementAndGet();
            return Pay.inLedger(connection, key, "done");
        });
    }

    private Status status() {
        return onefold.find(Pay.ONCE, Key.of(key)).orElseThrow().status();
    }
}
