package io.onefold.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.onefold.Key;
import io.onefold.Onefold;
import io.onefold.Operation;
import io.onefold.Outcome;
import io.onefold.TransactionScope;
import io.onefold.store.TransactionConflictException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Two transactions that need two rows in opposite order: the database gives one of them up. */
@ParameterizedClass(name = "{0} {1}")
@MethodSource("everywhere")
@Tag("F11")
@Timeout(60)
class DeadlockFaultTest {
    private static final Operation<String> REPEATED = Pay.ONCE.repeatOnConflict();
    private static final AtomicInteger KEYS = new AtomicInteger();

    @Parameter(0)
    Database kind = Database.POSTGRESQL;

    @Parameter(1)
    String isolation = "";

    private final String key = "deadlock-" + KEYS.incrementAndGet() + "-";
    private final AtomicInteger runs = new AtomicInteger();
    private final CountDownLatch bothHoldOne = new CountDownLatch(2);
    private FaultDatabase database = FaultDatabase.shared(Database.POSTGRESQL);
    private HikariDataSource pool = new HikariDataSource();
    private Onefold onefold = Onefold.on(new io.onefold.store.MemoryStore());

    static Stream<Arguments> everywhere() {
        return Stream.of(Database.POSTGRESQL, Database.MARIADB)
                .flatMap(kind ->
                        Stream.of("READ_COMMITTED", "SERIALIZABLE").map(isolation -> Arguments.of(kind, isolation)));
    }

    @BeforeEach
    void open() {
        database = FaultDatabase.shared(kind);
        if (database.postgres()) {
            // a second is how long it waits before it looks for a circle
            database.execute("alter database " + database.name() + " set deadlock_timeout = '50ms'");
        }
        database.execute("create table if not exists account (name varchar(100) not null primary key, balance int)");
        database.execute("insert into account values ('" + key + "a', 0), ('" + key + "b', 0)");
        pool = Database.pool(database.source(), 4, "TRANSACTION_" + isolation);
        onefold = Onefold.on(JdbcStore.of(pool));
    }

    @AfterEach
    void close() {
        pool.close();
    }

    @Test
    void who_was_given_up_has_run_once_and_is_told_to_ask_again() throws Exception {
        List<String> told = bothAtOnce(() -> told("one", "a", "b"), () -> told("two", "b", "a"));
        assertThat(told).containsExactlyInAnyOrder("executed", "conflict");
        assertThat(runs).as("each of them ran once").hasValue(2);
        String loser = told.get(0).equals("conflict") ? "one" : "two";
        assertThat(onefold.find(Pay.ONCE, Key.of(key + loser))).isEmpty();
        assertThat(database.effects(key + loser)).isZero();
        assertThat(joined(Pay.ONCE, loser, "a", "b")).isEqualTo(new Outcome.Executed<>(loser, true));
        assertOneEffectEach();
    }

    @Test
    void who_was_given_up_and_has_opted_in_is_run_again_and_both_succeed_with_one_effect_each() throws Exception {
        assertThat(bothAtOnce(() -> joined(REPEATED, "one", "a", "b"), () -> joined(REPEATED, "two", "b", "a")))
                .containsExactly(new Outcome.Executed<>("one", true), new Outcome.Executed<>("two", true));
        assertOneEffectEach();
        assertThat(runs).as("one of them ran twice").hasValueGreaterThan(2);
    }

    @Test
    void in_a_callers_transaction_it_is_a_conflict_and_nothing_is_recorded_of_who_was_given_up() throws Exception {
        List<String> told = bothAtOnce(() -> callers("one", "a", "b"), () -> callers("two", "b", "a"));
        assertThat(told).containsExactlyInAnyOrder("committed", "conflict");
        String loser = told.get(0).equals("conflict") ? "one" : "two";
        assertThat(onefold.find(Pay.ONCE, Key.of(key + loser))).isEmpty();
        assertThat(database.effects(key + loser)).isZero();
        assertThat(joined(Pay.ONCE, loser, "a", "b")).isEqualTo(new Outcome.Executed<>(loser, true));
        assertOneEffectEach();
    }

    @Test
    void a_transaction_that_read_what_another_has_changed_is_run_again_if_it_opted_in() throws Exception {
        close();
        pool = Database.pool(database.source(), 4, "TRANSACTION_SERIALIZABLE");
        onefold = Onefold.on(JdbcStore.of(pool));
        assertThat(bothAtOnce(() -> counting("one"), () -> counting("two")))
                .containsExactly(new Outcome.Executed<>("one", true), new Outcome.Executed<>("two", true));
        assertThat(database.number("select balance from account where name = '" + key + "a'"))
                .isEqualTo(2);
        assertThat(runs).as("one of them ran twice").hasValueGreaterThan(2);
        assertOneEffectEach();
    }

    private String told(String name, String first, String second) throws Exception {
        try {
            assertThat(joined(Pay.ONCE, name, first, second)).isEqualTo(new Outcome.Executed<>(name, true));
            return "executed";
        } catch (TransactionConflictException e) {
            return "conflict";
        }
    }

    private Outcome<String> joined(Operation<String> operation, String name, String first, String second)
            throws Exception {
        return onefold.attemptInTransaction(operation, Key.of(key + name), (attempt, connection) -> {
            runs.incrementAndGet();
            return transfer(connection, name, first, second);
        });
    }

    /** Reads, lets the other read, and writes what follows from it. */
    private Outcome<String> counting(String name) throws Exception {
        return onefold.attemptInTransaction(REPEATED, Key.of(key + name), (attempt, connection) -> {
            runs.incrementAndGet();
            Pay.inLedger(connection, key + name, name);
            int balance;
            try (PreparedStatement read = connection.prepareStatement("select balance from account where name = ?")) {
                read.setString(1, key + "a");
                try (ResultSet row = read.executeQuery()) {
                    row.next();
                    balance = row.getInt(1);
                }
            }
            bothHoldOne.countDown();
            bothHoldOne.await();
            try (PreparedStatement write =
                    connection.prepareStatement("update account set balance = ? where name = ?")) {
                write.setInt(1, balance + 1);
                write.setString(2, key + "a");
                write.executeUpdate();
            }
            return name;
        });
    }

    private String callers(String name, String first, String second) throws Exception {
        try (Connection connection = pool.getConnection();
                TransactionScope joined = onefold.joined(connection)) {
            connection.setAutoCommit(false);
            try {
                joined.run(Pay.ONCE, Key.of(key + name), attempt -> transfer(connection, name, first, second));
                connection.commit();
                return "committed";
            } catch (TransactionConflictException e) {
                connection.rollback();
                return "conflict";
            }
        }
    }

    private String transfer(Connection connection, String name, String first, String second) throws Exception {
        Pay.inLedger(connection, key + name, name);
        add(connection, first);
        bothHoldOne.countDown();
        bothHoldOne.await();
        add(connection, second);
        return name;
    }

    private void add(Connection connection, String account) throws SQLException {
        try (PreparedStatement add =
                connection.prepareStatement("update account set balance = balance + 1 where name = ?")) {
            add.setString(1, key + account);
            add.executeUpdate();
        }
    }

    private void assertOneEffectEach() {
        assertThat(database.effects(key + "one")).isEqualTo(1);
        assertThat(database.effects(key + "two")).isEqualTo(1);
    }

    private static <T> List<T> bothAtOnce(Callable<T> one, Callable<T> two) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(2);
        List<T> results = new ArrayList<>();
        for (Future<T> call : List.of(threads.submit(one), threads.submit(two))) {
            results.add(call.get());
        }
        threads.shutdown();
        return results;
    }
}
