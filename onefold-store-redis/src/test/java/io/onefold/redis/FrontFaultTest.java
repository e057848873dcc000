package io.onefold.redis;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.onefold.Key;
import io.onefold.Onefold;
import io.onefold.Operation;
import io.onefold.Outcome;
import io.onefold.jdbc.JdbcStore;
import io.onefold.servers.PostgresServer;
import io.onefold.servers.RedisSentinel;
import io.onefold.servers.RedisServer;
import io.onefold.store.Claim;
import io.onefold.store.ClaimResult;
import io.onefold.store.RecordId;
import io.onefold.store.TieredStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A real Redis before a real PostgreSQL: whatever happens to Redis, answers stay right. */
@Timeout(120)
class FrontFaultTest {
    private static final Operation<String> PAY = Operation.of("pay", String.class);
    private static final Duration TIMEOUT = Duration.ofMillis(500);

    private final RedisServer server = RedisServer.start();
    private final HikariDataSource pool = pool();
    private final CountedDatabase database = new CountedDatabase(pool);
    private final JdbcStore truth =
            JdbcStore.builder(database.source()).batching(true).build();
    private final RedisConnections redis = RedisConnections.builder()
            .url(server.uri())
            .timeout(TIMEOUT)
            .connectTimeout(TIMEOUT)
            .build();
    private final RedisStore front = RedisStore.front(redis);
    private final TieredStore door = TieredStore.over(front, truth, truth::epoch, System::nanoTime);
    private final Onefold onefold = Onefold.on(door);
    private final AtomicInteger runs = new AtomicInteger();

    private static HikariDataSource pool() {
        HikariConfig config = new HikariConfig();
        config.setDataSource(
                PostgresServer.shared().dataSource(PostgresServer.shared().newDatabase()));
        config.setMaximumPoolSize(16);
        return new HikariDataSource(config);
    }

    @AfterEach
    void stop() {
        onefold.close();
        redis.close();
        server.close();
        pool.close();
    }

    /** What may happen to a Redis. */
    private enum Fault {
        FLUSHED {
            @Override
            void happen(RedisServer server) {
                server.command("FLUSHALL");
            }
        },
        KILLED {
            @Override
            void happen(RedisServer server) {
                server.kill();
            }

            @Override
            void pass(RedisServer server) {
                server.restart();
            }
        },
        PAUSED {
            @Override
            void happen(RedisServer server) {
                server.pause();
            }

            @Override
            void pass(RedisServer server) {
                server.resume();
            }
        },
        FULL {
            @Override
            void happen(RedisServer server) {
                server.command("CONFIG", "SET", "maxmemory", "1");
            }

            @Override
            void pass(RedisServer server) {
                server.command("CONFIG", "SET", "maxmemory", "0");
            }
        },
        EVICTING {
            @Override
            void happen(RedisServer server) {
                server.command("CONFIG", "SET", "maxmemory-policy", "allkeys-random");
                server.command("CONFIG", "SET", "maxmemory", "1");
            }

            @Override
            void pass(RedisServer server) {
                server.command("CONFIG", "SET", "maxmemory", "0");
            }
        };

        abstract void happen(RedisServer server);

        void pass(RedisServer server) {}
    }

    @ParameterizedTest
    @EnumSource
    @Tag("F13")
    void whatever_happens_to_redis_each_request_runs_once_and_the_front_recovers(Fault fault) {
        runsOnceThrough(fault, this::pay);
    }

    @ParameterizedTest
    @EnumSource
    @Tag("F13")
    void whatever_happens_to_redis_each_joined_request_runs_once_and_the_front_recovers(Fault fault) {
        runsOnceThrough(
                fault,
                key -> onefold.attemptInTransaction(
                        PAY, Key.of(key), (attempt, connection) -> "run " + runs.incrementAndGet()));
    }

    private void runsOnceThrough(Fault fault, Function<String, Outcome<String>> call) {
        assertThat(call.apply("before")).isEqualTo(new Outcome.Executed<>("run 1", true));
        fault.happen(server);
        assertThat(call.apply("before")).isEqualTo(new Outcome.Replayed<>("run 1", true));
        assertThat(call.apply("during")).isEqualTo(new Outcome.Executed<>("run 2", true));
        assertThat(call.apply("during")).isEqualTo(new Outcome.Replayed<>("run 2", true));
        fault.pass(server);
        assertThat(call.apply("before")).isEqualTo(new Outcome.Replayed<>("run 1", true));
        assertThat(call.apply("during")).isEqualTo(new Outcome.Replayed<>("run 2", true));
        Redises.await("redis answers again", () -> {
            int asked = database.statements();
            assertThat(call.apply("during")).isEqualTo(new Outcome.Replayed<>("run 2", true));
            return database.statements() == asked;
        });
        assertThat(runs).hasValue(2);
    }

    @Test
    @Tag("F13")
    void a_redis_that_hangs_is_waited_for_once_and_not_by_every_call() {
        pay("before");
        server.pause();
        pay("first");
        long began = System.nanoTime();
        for (int i = 0; i < 50; i++) {
            pay("next " + i);
        }
        assertThat(Duration.ofNanos(System.nanoTime() - began))
                .as("50 calls with a front that would take %s each", TIMEOUT)
                .isLessThan(TIMEOUT.multipliedBy(25));
        server.resume();
    }

    @Test
    @Tag("F12")
    void a_failover_of_the_front_loses_nothing() {
        try (RedisSentinel sentinel = RedisSentinel.start();
                RedisConnections replicated = Redises.of(sentinel)) {
            TieredStore over = TieredStore.over(RedisStore.front(replicated), truth, truth::epoch, System::nanoTime);
            Onefold behind = Onefold.on(over);
            for (int i = 0; i < 20; i++) {
                int number = i;
                assertThat(behind.<String, RuntimeException>run(PAY, Key.of("k" + i), attempt -> "first " + number))
                        .isEqualTo("first " + i);
            }
            int master = sentinel.masterPort();
            sentinel.killMaster();
            for (int i = 0; i < 20; i++) {
                assertThat(behind.<String, RuntimeException>run(PAY, Key.of("k" + i), attempt -> "again"))
                        .isEqualTo("first " + i);
            }
            sentinel.awaitFailover(master);
            for (int i = 0; i < 20; i++) {
                assertThat(behind.<String, RuntimeException>run(PAY, Key.of("k" + i), attempt -> "again"))
                        .isEqualTo("first " + i);
            }
            behind.close();
        }
    }

    @Test
    @Tag("F14")
    void what_redis_forgot_is_replayed_from_the_truth_and_known_again() {
        pay("one");
        server.command("FLUSHALL");
        assertThat(pay("one")).isEqualTo(new Outcome.Replayed<>("run 1", true));
        int asked = database.statements();
        assertThat(pay("one")).isEqualTo(new Outcome.Replayed<>("run 1", true));
        assertThat(database.statements() - asked)
                .as("statements, beside one for the epoch")
                .isLessThanOrEqualTo(1);
    }

    @Test
    @Tag("F15")
    void the_mark_of_a_claimant_that_crashed_turns_a_retry_away_no_longer_than_the_lease() {
        Duration lease = Duration.ofSeconds(3);
        RecordId id = RecordId.of("", "pay", "crashed");
        Claim claim = Claim.of(id, UUID.randomUUID(), lease);
        // a claimant that leaves its mark, and is gone before it asks the truth
        long began = System.nanoTime();
        assertThat(front.claim(claim.mark(id.at(truth.epoch()), lease, null))).isInstanceOf(ClaimResult.Acquired.class);
        Operation<String> impatient = PAY.waitFor(Duration.ZERO);
        assertThat(onefold.<String, RuntimeException>attempt(impatient, Key.of("crashed"), attempt -> "early"))
                .isInstanceOf(Outcome.InProgress.class);
        Redises.await(
                "a retry runs",
                () -> onefold.<String, RuntimeException>attempt(impatient, Key.of("crashed"), attempt -> "late")
                        instanceof Outcome.Executed);
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(lease.plusSeconds(10));
    }

    @Test
    @Tag("F15")
    void a_claim_that_the_truth_refused_to_hear_leaves_nothing_that_answers() throws SQLException {
        execute("alter table idempotent_record rename to away");
        assertThat(failed("unheard")).isTrue();
        execute("alter table away rename to idempotent_record");
        assertThat(pay("unheard")).isEqualTo(new Outcome.Executed<>("run 1", true));
    }

    @Test
    @Tag("F38")
    void after_a_restore_of_the_truth_nothing_that_redis_knew_is_believed() throws SQLException {
        pay("old");
        execute("create table copy as select * from idempotent_record");
        pay("new");
        execute("delete from idempotent_record");
        execute("insert into idempotent_record select * from copy");
        truth.newEpoch();
        assertThat(pay("old")).isEqualTo(new Outcome.Replayed<>("run 1", true));
        // a node that saw nothing of the restore reads the epoch anew within a second
        Redises.await("the lost record is asked of the truth", () -> pay("new") instanceof Outcome.Executed);
        assertThat(pay("new")).isEqualTo(new Outcome.Replayed<>("run 3", true));
        assertThat(runs).hasValue(3);
    }

    @Test
    @Tag("F27")
    void ten_thousand_duplicates_of_a_hot_key_cost_the_database_a_handful_of_statements() throws Exception {
        int before = database.statements();
        CountDownLatch began = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        CompletableFuture<String> owner = CompletableFuture.supplyAsync(
                () -> onefold.run(PAY, Key.of("hot"), attempt -> {
                    began.countDown();
                    join(goOn);
                    return "run " + runs.incrementAndGet();
                }),
                task -> new Thread(task).start());
        began.await();
        ExecutorService callers = Executors.newFixedThreadPool(64);
        try {
            List<CompletableFuture<Outcome<String>>> meanwhile = new ArrayList<>();
            for (int i = 0; i < 5_000; i++) {
                meanwhile.add(CompletableFuture.supplyAsync(() -> pay("hot", Duration.ZERO), callers));
            }
            assertThat(meanwhile.stream().map(CompletableFuture::join)).allMatch(Outcome.InProgress.class::isInstance);
            goOn.countDown();
            owner.join();
            List<CompletableFuture<Outcome<String>>> after = new ArrayList<>();
            for (int i = 0; i < 5_000; i++) {
                after.add(CompletableFuture.supplyAsync(() -> pay("hot", Duration.ofSeconds(5)), callers));
            }
            assertThat(after.stream().map(CompletableFuture::join))
                    .allMatch(new Outcome.Replayed<>("run 1", true)::equals);
        } finally {
            callers.shutdownNow();
        }
        assertThat(database.statements() - before)
                .as("statements: claim, end, and the epoch now and then")
                .isLessThan(30);
        assertThat(runs).hasValue(1);
    }

    private Outcome<String> pay(String key) {
        return pay(key, Duration.ofSeconds(10));
    }

    private Outcome<String> pay(String key, Duration wait) {
        return onefold.attempt(PAY.waitFor(wait), Key.of(key), attempt -> "run " + runs.incrementAndGet());
    }

    private boolean failed(String key) {
        try {
            pay(key);
            return false;
        } catch (RuntimeException e) {
            return true;
        }
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static void join(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
