package io.onefold.jdbc.mechanism;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Tables in each database, transactions of any isolation, and races. */
abstract class MechanismTest {
    static final int THREADS = 12;

    private static final int REPETITIONS = 1000;
    private static final long MOST_NANOS_BETWEEN = 5_000_000;
    private static final Set<Integer> MYSQL_CONFLICTS = Set.of(1020, 1205, 1213);
    private static final Set<Integer> H2_CONFLICTS = Set.of(50200, 90131);
    private static final int SQLITE_BUSY = 5;

    /** One database each for all tests, and a pool: creating and connecting takes longer than they do. */
    private static final Map<TestDatabase, DataSource> POOLS = new ConcurrentHashMap<>();

    final TestDatabase database;
    final DataSource source;

    MechanismTest(TestDatabase database) {
        this.database = database;
        this.source = POOLS.computeIfAbsent(database, MechanismTest::pool);
    }

    private static DataSource pool(TestDatabase database) {
        HikariConfig pool = new HikariConfig();
        try {
            pool.setDataSource(database.create());
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
        pool.setMaximumPoolSize(THREADS * 2);
        pool.setMinimumIdle(0);
        return new HikariDataSource(pool);
    }

    interface Work<T> {
        T run(Connection connection) throws SQLException;
    }

    interface Racer<T> {
        T run(int number) throws Exception;
    }

    /** Creates and fills tables anew. */
    final void create(String... statements) throws SQLException {
        for (String statement : statements) {
            if (statement.startsWith("create table ")) {
                execute("drop table if exists " + statement.split(" ", 4)[2]);
            }
            execute(statement);
        }
    }

    final void execute(String... statements) throws SQLException {
        try (Connection connection = source.getConnection()) {
            for (String statement : statements) {
                execute(connection, statement);
            }
        }
    }

    static void execute(Connection connection, String sql, @Nullable Object... values) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < values.length; i++) {
                statement.setObject(i + 1, values[i]);
            }
            statement.execute();
        }
    }

    final String query(String sql) throws SQLException {
        try (Connection connection = source.getConnection()) {
            return query(connection, sql);
        }
    }

    /** The columns of all rows, separated by blanks. */
    static String query(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            List<String> values = new ArrayList<>();
            while (row.next()) {
                for (int i = 1; i <= row.getMetaData().getColumnCount(); i++) {
                    values.add(String.valueOf(row.getString(i)));
                }
            }
            return String.join(" ", values);
        }
    }

    final Connection begin(int isolation) throws SQLException {
        Connection connection = source.getConnection();
        connection.setTransactionIsolation(isolation);
        connection.setAutoCommit(false);
        return connection;
    }

    final <T> T inTransaction(Work<T> work) throws SQLException {
        return inTransaction(Connection.TRANSACTION_READ_COMMITTED, work);
    }

    /** As callers do it: repeats a transaction when the database asks for that, a little later. */
    final <T> T inTransaction(int isolation, Work<T> work) throws SQLException {
        for (int i = 0; i < REPETITIONS; i++) {
            try (Connection connection = begin(isolation)) {
                try {
                    T result = work.run(connection);
                    connection.commit();
                    return result;
                } catch (SQLException e) {
                    connection.rollback();
                    if (!asksForRepetition(e)) {
                        throw e;
                    }
                    LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(MOST_NANOS_BETWEEN));
                } catch (RuntimeException | Error e) {
                    connection.rollback();
                    throw e;
                }
            }
        }
        throw new AssertionError("repeated too often");
    }

    boolean asksForRepetition(SQLException e) {
        String state = e.getSQLState();
        if (state != null && state.startsWith("40")) {
            return true;
        }
        return switch (database) {
            case POSTGRESQL -> false;
            case MARIADB, MARIADB_OTHERWISE_SET, MYSQL -> MYSQL_CONFLICTS.contains(e.getErrorCode());
            case SQLITE -> (e.getErrorCode() & 0xff) == SQLITE_BUSY;
            case H2 -> H2_CONFLICTS.contains(e.getErrorCode());
        };
    }

    /** Runs as many at once as there are threads. */
    static <T> List<T> race(Racer<T> racer) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(THREADS);
        try {
            CyclicBarrier together = new CyclicBarrier(THREADS);
            List<Future<T>> running = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                int number = i;
                running.add(pool.submit(() -> {
                    together.await();
                    return racer.run(number);
                }));
            }
            List<T> results = new ArrayList<>();
            for (Future<T> one : running) {
                results.add(one.get());
            }
            return results;
        } finally {
            pool.shutdownNow();
        }
    }

    static <T> long count(List<? extends T> outcomes, Class<? extends T> kind) {
        return outcomes.stream().filter(kind::isInstance).count();
    }

    static void assertOneEffect(List<?> outcomes, Class<?> effect, Class<?> repetition) {
        assertThat(outcomes).allMatch(one -> effect.isInstance(one) || repetition.isInstance(one));
        assertThat(outcomes.stream().filter(effect::isInstance)).hasSize(1);
    }
}
