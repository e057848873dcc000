package io.onefold.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import io.onefold.Key;
import io.onefold.Onefold;
import io.onefold.Operation;
import io.onefold.store.MemoryStore;
import io.onefold.store.StoredRecord;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.provider.Arguments;

/** What tests of joined calls share: on every database, under every isolation that it has. */
@Timeout(120)
abstract class JoinedCases {
    static final Operation<String> POST = Operation.of("post", String.class);

    /** For many at once: under SERIALIZABLE, PostgreSQL gives some up that are in nobody's way. */
    static final Operation<String> REPEATED = POST.repeatOnConflict();

    private static final Map<Object, HikariDataSource> POOLS = new ConcurrentHashMap<>();
    private static final Map<Database, DataSource> SOURCES = new ConcurrentHashMap<>();
    private static final AtomicInteger KEYS = new AtomicInteger();

    @Parameter(0)
    Database database = Database.H2;

    @Parameter(1)
    String isolation = "";

    HikariDataSource pool = new HikariDataSource();
    Onefold onefold = Onefold.on(new MemoryStore());
    final String key = "joined-" + KEYS.incrementAndGet();

    static Stream<Arguments> everywhere() {
        List<Arguments> all = new ArrayList<>();
        for (Database database : Database.values()) {
            List<String> isolations = database == Database.SQLITE
                    ? List.of("SERIALIZABLE")
                    : List.of("READ_COMMITTED", "REPEATABLE_READ", "SERIALIZABLE");
            isolations.forEach(isolation -> all.add(Arguments.of(database, isolation)));
        }
        return all.stream();
    }

    /** SQLite itself waits for whoever writes, with a connection in hand. */
    static Stream<Arguments> whereWaitingIsOnefolds() {
        return everywhere().filter(where -> where.get()[0] != Database.SQLITE);
    }

    /**
     * A leased call knows nothing of a transaction's lock. Where the database itself makes it wait for the transaction, none can come
     * in between: SQLite has one writer, and InnoDB's SERIALIZABLE locks what was read, even its absence.
     */
    static Stream<Arguments> whereLeasedCallsGetThrough() {
        return whereWaitingIsOnefolds().filter(where -> {
            boolean innoDb = where.get()[0] == Database.MARIADB || where.get()[0] == Database.MYSQL;
            return !innoDb || !where.get()[1].equals("SERIALIZABLE");
        });
    }

    @BeforeEach
    final void open() {
        pool = POOLS.computeIfAbsent(
                database + isolation, same -> Database.pool(source(), 16, "TRANSACTION_" + isolation));
        onefold = Onefold.on(JdbcStore.of(pool));
    }

    final DataSource source() {
        return SOURCES.computeIfAbsent(database, fresh -> {
            DataSource source = fresh.fresh();
            try (Connection connection = source.getConnection();
                    Statement statement = connection.createStatement()) {
                statement.execute("create table ledger (reference varchar(100) not null)");
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
            return source;
        });
    }

    @AfterAll
    static void close() {
        POOLS.values().forEach(HikariDataSource::close);
        POOLS.clear();
        SOURCES.clear();
    }

    final Key key() {
        return Key.of(key);
    }

    final StoredRecord record() {
        return onefold.find(POST, key()).orElseThrow();
    }

    final Connection begun() throws SQLException {
        Connection connection = pool.getConnection();
        connection.setAutoCommit(false);
        return connection;
    }

    /** SQLite would wait for whoever writes. */
    final Connection impatient(Connection connection) throws SQLException {
        if (database == Database.SQLITE) {
            try (Statement statement = connection.createStatement()) {
                statement.execute("pragma busy_timeout = 50");
            }
        }
        return connection;
    }

    final String post(Connection connection, String result) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement("insert into ledger (reference) values (?)")) {
            insert.setString(1, key);
            insert.executeUpdate();
            return result;
        }
    }

    final int posted() throws SQLException {
        try (Connection connection = pool.getConnection();
                PreparedStatement count =
                        connection.prepareStatement("select count(*) from ledger where reference = ?")) {
            count.setString(1, key);
            try (ResultSet row = count.executeQuery()) {
                row.next();
                return row.getInt(1);
            }
        }
    }

    static <T> List<T> atOnce(int times, Callable<T> call) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(times);
        CountDownLatch start = new CountDownLatch(1);
        List<Future<T>> calls = new ArrayList<>();
        for (int i = 0; i < times; i++) {
            calls.add(threads.submit(() -> {
                start.await();
                return call.call();
            }));
        }
        start.countDown();
        List<T> results = new ArrayList<>();
        for (Future<T> one : calls) {
            results.add(one.get());
        }
        threads.shutdown();
        return results;
    }
}
