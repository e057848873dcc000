package io.onefold.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import com.zaxxer.hikari.HikariDataSource;
import io.onefold.Key;
import io.onefold.Onefold;
import io.onefold.Operation;
import io.onefold.Outcome;
import io.onefold.servers.PgBouncer;
import io.onefold.servers.PostgresServer;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;

/**
 * PostgreSQL behind PgBouncer in transaction mode, with the driver's own settings: each transaction may have another session. Where PgBouncer
 * is not installed, the same on PostgreSQL itself.
 */
@Timeout(180)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TransactionPoolerTest {
    private static final int THREADS = 12;
    private static final int CALLS = 600;
    private static final int KEYS = 150;
    private static final Operation<String> LEASED = Operation.of("leased", String.class);
    private static final Operation<String> JOINED = Operation.of("joined", String.class);
    private static final Operation<String> SLOW = Operation.of("slow", String.class);

    private final PostgresServer server = PostgresServer.shared();
    private final String database = server.newDatabase();
    private @Nullable PgBouncer bouncer;
    private DataSource source = server.dataSource(database);

    @BeforeAll
    void open() {
        Path program = PgBouncer.installed();
        if (program != null) {
            bouncer = PgBouncer.start(program, server);
            source = bouncer.dataSource(database);
        }
        System.out.println("Transaction pooler: "
                + (program == null ? "none, PostgreSQL itself in place of PgBouncer" : "PgBouncer of " + program));
    }

    @AfterAll
    void close() {
        if (bouncer != null) {
            bouncer.close();
        }
    }

    @Test
    void leased_calls_have_one_effect_each() throws Exception {
        try (HikariDataSource pool = Database.pool(source, 8)) {
            Onefold onefold = Onefold.on(JdbcStore.of(pool));
            Map<String, AtomicInteger> effects = new ConcurrentHashMap<>();
            inThreads(n -> {
                String key = "k" + n % KEYS;
                Operation<String> operation = LEASED.waitFor(Duration.ofSeconds(60));
                assertThat(onefold.run(operation, Key.of(key), attempt -> {
                            effects.computeIfAbsent(key, same -> new AtomicInteger())
                                    .incrementAndGet();
                            return "done " + key;
                        }))
                        .isEqualTo("done " + key);
            });
            assertThat(effects).hasSize(KEYS);
            assertThat(effects.values()).allSatisfy(count -> assertThat(count).hasValue(1));
        }
    }

    @Test
    void joined_calls_have_one_effect_each() throws Exception {
        try (HikariDataSource pool = Database.pool(source, 8)) {
            execute("create table payment(id varchar(40) not null)");
            Onefold onefold = Onefold.on(JdbcStore.of(pool));
            inThreads(n -> {
                String key = "k" + n % KEYS;
                Operation<String> operation = JOINED.waitFor(Duration.ofSeconds(60));
                Outcome<String> outcome =
                        onefold.attemptInTransaction(operation, Key.of(key), (attempt, connection) -> {
                            pay(connection, key);
                            return "done " + key;
                        });
                assertThat(Onefold.value(operation, Key.of(key), outcome)).isEqualTo("done " + key);
            });
            assertThat(number("select count(*) from payment")).isEqualTo(KEYS);
            assertThat(number("select count(distinct id) from payment")).isEqualTo(KEYS);
        }
    }

    @Test
    void calls_in_transactions_of_the_callers_have_one_effect_each() throws Exception {
        try (HikariDataSource pool = Database.pool(source, 8)) {
            execute("create table refund(id varchar(40) not null)");
            Onefold onefold = Onefold.on(JdbcStore.of(pool));
            inThreads(n -> {
                String key = "r" + n % KEYS;
                Outcome<String> outcome;
                do {
                    outcome = refund(onefold, pool, key);
                } while (outcome instanceof Outcome.InProgress<String>);
                assertThat(Onefold.value(JOINED, Key.of(key), outcome)).isEqualTo("done " + key);
            });
            assertThat(number("select count(*) from refund")).isEqualTo(KEYS);
            assertThat(number("select count(distinct id) from refund")).isEqualTo(KEYS);
        }
    }

    private static Outcome<String> refund(Onefold onefold, DataSource pool, String key) throws SQLException {
        try (Connection connection = pool.getConnection()) {
            connection.setAutoCommit(false);
            try (var joined = onefold.joined(connection)) {
                Outcome<String> outcome = joined.attempt(JOINED, Key.of(key), attempt -> {
                    try (Statement insert = connection.createStatement()) {
                        insert.execute("insert into refund(id) values ('" + key + "')");
                    }
                    return "done " + key;
                });
                connection.commit();
                return outcome;
            } finally {
                connection.setAutoCommit(true);
            }
        }
    }

    /** As applications do it: after a few times the driver would keep the statement in the session. */
    private static void pay(Connection connection, String key) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement("insert into payment(id) values (?)")) {
            insert.setString(1, key);
            insert.executeUpdate();
        }
    }

    @Test
    void who_waits_in_another_process_gets_the_answer() throws Exception {
        Logger logger = (Logger) LoggerFactory.getLogger(PostgresSignals.class);
        CountDownLatch warned = new CountDownLatch(1);
        AppenderBase<ILoggingEvent> appender = new AppenderBase<>() {
            @Override
            protected void append(ILoggingEvent line) {
                if (line.getMessage().contains("a pooler such as PgBouncer")) {
                    warned.countDown();
                }
            }
        };
        appender.start();
        logger.setLevel(Level.WARN);
        logger.addAppender(appender);
        try (HikariDataSource pool = Database.pool(source, 8)) {
            Onefold here =
                    Onefold.on(JdbcStore.builder(pool).ownConnections(source).build());
            Onefold there = Onefold.on(JdbcStore.of(pool));
            for (int i = 0; i < 3; i++) {
                Key key = Key.of("one" + i);
                CountDownLatch began = new CountDownLatch(1);
                CountDownLatch goOn = new CountDownLatch(1);
                CompletableFuture<String> first = CompletableFuture.supplyAsync(
                        () -> there.run(SLOW, key, attempt -> {
                            began.countDown();
                            return await(goOn);
                        }),
                        task -> new Thread(task).start());
                began.await();
                List<CompletableFuture<Outcome<String>>> others = new ArrayList<>();
                for (int n = 0; n < 4; n++) {
                    others.add(CompletableFuture.supplyAsync(
                            () -> here.attempt(SLOW.waitFor(Duration.ofSeconds(60)), key, attempt -> "never"),
                            task -> new Thread(task).start()));
                }
                assertThat(bouncer == null || warned.await(60, TimeUnit.SECONDS))
                        .isTrue();
                goOn.countDown();
                assertThat(first.join()).isEqualTo("done");
                assertThat(others)
                        .allSatisfy(other -> assertThat(other.join()).isEqualTo(new Outcome.Replayed<>("done", true)));
            }
        } finally {
            logger.detachAppender(appender);
            logger.setLevel(null);
        }
    }

    private static String await(CountDownLatch latch) {
        try {
            latch.await();
            return "done";
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private void inThreads(Call call) {
        AtomicInteger next = new AtomicInteger();
        List<CompletableFuture<Void>> all = new ArrayList<>();
        for (int t = 0; t < THREADS; t++) {
            all.add(CompletableFuture.runAsync(
                    () -> {
                        for (int n = next.getAndIncrement(); n < CALLS; n = next.getAndIncrement()) {
                            try {
                                call.of(n);
                            } catch (SQLException e) {
                                throw new IllegalStateException(e);
                            }
                        }
                    },
                    task -> new Thread(task).start()));
        }
        all.forEach(CompletableFuture::join);
    }

    private interface Call {
        void of(int n) throws SQLException;
    }

    private void execute(String text) throws SQLException {
        try (Connection connection = server.dataSource(database).getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(text);
        }
    }

    private long number(String query) throws SQLException {
        try (Connection connection = server.dataSource(database).getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            row.next();
            return row.getLong(1);
        }
    }
}
