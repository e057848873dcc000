package io.onefold.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.onefold.Key;
import io.onefold.NotExecutedException;
import io.onefold.Onefold;
import io.onefold.Operation;
import io.onefold.Outcome;
import io.onefold.store.Change;
import io.onefold.store.Claim;
import io.onefold.store.ClaimResult;
import io.onefold.store.RecordId;
import io.onefold.store.RetentionPeriod;
import io.onefold.store.StoreException;
import io.onefold.store.StoredRecord;
import io.onefold.store.Ticket;
import io.onefold.store.TransactionConflictException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import org.sqlite.SQLiteDataSource;

/** A lock that somebody else holds for long: Onefold's own steps are repeated within one deadline, the caller's work is not. */
@ParameterizedClass
@EnumSource(Database.class)
@Tag("F11")
@Timeout(120)
class LockTimeoutFaultTest {
    private static final Operation<String> POST = Operation.of("post", String.class);
    private static final Operation<String> REPEATED = POST.repeatOnConflict();

    /** Of one step, of which each try waits for half a second, or a whole one. */
    private static final Duration DEADLINE = Duration.ofSeconds(2);

    @Parameter
    Database database = Database.H2;

    private final String key = "locked-" + UUID.randomUUID();
    private final AtomicInteger runs = new AtomicInteger();
    private final AtomicInteger borrowed = new AtomicInteger();
    private DataSource source = Database.H2.fresh();
    private HikariDataSource pool = new HikariDataSource();
    private JdbcStore store = JdbcStore.of(source);
    private Onefold onefold = Onefold.on(store);

    @BeforeEach
    void open() throws SQLException {
        source = database.fresh();
        if (source instanceof SQLiteDataSource sqlite) {
            sqlite.getConfig().setBusyTimeout(500);
        }
        HikariConfig config = new HikariConfig();
        config.setDataSource(source);
        config.setMaximumPoolSize(4);
        config.setMinimumIdle(0);
        config.setConnectionInitSql(
                switch (database) {
                    case POSTGRESQL -> "set lock_timeout = '500ms'";
                    case MARIADB, MYSQL -> "set session innodb_lock_wait_timeout = 1";
                    case SQLITE -> "select 1"; // as its driver is told
                    case H2 -> "set lock_timeout 500";
                });
        pool = new HikariDataSource(config);
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("create table ledger (reference varchar(100) not null primary key, amount int)");
            statement.execute("insert into ledger values ('held', 0)");
        }
        store = JdbcStore.builder(new Counted(pool, borrowed))
                .timeout(DEADLINE)
                .batching(true)
                .build();
        onefold = Onefold.on(store);
    }

    @AfterEach
    void close() {
        pool.close();
    }

    @Test
    void a_leased_step_is_repeated_within_one_deadline() throws SQLException {
        Claim claim = Claim.of(RecordId.of("", "post", key), UUID.randomUUID(), Duration.ofMinutes(1));
        Ticket ticket = new Ticket(claim.id(), claim.owner(), ((ClaimResult.Acquired) store.claim(claim)).fence());
        try (Connection holder = holdingRecord()) {
            borrowed.set(0);
            assertThatThrownBy(
                            () -> store.update(ticket, new Change.Release(RetentionPeriod.of(Duration.ofMinutes(1)))))
                    .isInstanceOf(StoreException.class);
            holder.rollback();
        }
        assertThat(borrowed.get()).as("tries").isLessThanOrEqualTo(4);
    }

    @Test
    void a_claim_that_had_its_deadline_is_not_sent_again_and_nothing_runs() throws SQLException {
        free();
        try (Connection holder = holdingRecord()) {
            borrowed.set(0);
            assertThatThrownBy(() -> onefold.run(POST, Key.of(key), attempt -> "ran " + runs.incrementAndGet()))
                    .isInstanceOf(StoreException.class);
            holder.rollback();
        }
        assertThat(runs).hasValue(0);
        assertThat(borrowed.get()).as("tries, and a look or two").isLessThanOrEqualTo(7);
        assertThat(onefold.attempt(POST, Key.of(key), attempt -> "later"))
                .isEqualTo(new Outcome.Executed<>("later", true));
    }

    @Test
    void work_that_waits_in_vain_for_a_lock_runs_once_also_where_it_opted_in() throws SQLException {
        try (Connection holder = holding("update ledger set amount = 1 where reference = 'held'")) {
            if (database == Database.SQLITE) {
                // it has one writer: the work is not even entered
                assertThat(onefold.attemptInTransaction(
                                REPEATED, Key.of(key), (attempt, connection) -> pay(connection)))
                        .isInstanceOf(Outcome.InProgress.class);
                assertThat(runs).hasValue(0);
            } else {
                assertThatThrownBy(() ->
                                onefold.inTransaction(REPEATED, Key.of(key), (attempt, connection) -> pay(connection)))
                        .isInstanceOf(TransactionConflictException.class)
                        .hasCauseInstanceOf(SQLException.class);
                assertThat(runs).hasValue(1);
            }
            holder.rollback();
        }
        assertThat(onefold.find(POST, Key.of(key)))
                .as("it counts as no attempt")
                .isEmpty();
        assertThat(onefold.attemptInTransaction(REPEATED, Key.of(key), (attempt, connection) -> pay(connection)))
                .isInstanceOf(Outcome.Executed.class);
    }

    @Test
    void work_whose_record_waits_in_vain_for_a_lock_runs_once_also_where_it_opted_in() throws SQLException {
        free();
        if (database == Database.SQLITE) {
            // nobody else gets a lock while the work has its transaction
            onefold.inTransaction(REPEATED, Key.of(key), (attempt, connection) -> {
                assertThatThrownBy(this::holdingRecord).isInstanceOf(SQLException.class);
                return "done";
            });
            return;
        }
        List<Connection> holders = new ArrayList<>();
        assertThatThrownBy(() -> onefold.inTransaction(REPEATED, Key.of(key), (attempt, connection) -> {
                    runs.incrementAndGet();
                    holders.add(holdingRecord());
                    return "done";
                }))
                .isInstanceOf(TransactionConflictException.class);
        assertThat(runs).hasValue(1);
        release(holders);
    }

    @Test
    void a_failure_is_counted_within_one_deadline_or_not_at_all() throws SQLException {
        free();
        List<Connection> holders = new ArrayList<>();
        borrowed.set(0);
        assertThatThrownBy(() -> onefold.inTransaction(POST, Key.of(key), (attempt, connection) -> {
                    if (database == Database.SQLITE) {
                        connection.rollback();
                    }
                    holders.add(holdingRecord());
                    throw new IllegalStateException("no");
                }))
                .hasMessage("no");
        assertThat(borrowed.get()).as("transactions").isLessThanOrEqualTo(5);
        release(holders);
        StoredRecord record = onefold.find(POST, Key.of(key)).orElseThrow();
        assertThat(record.attempts()).isEqualTo(1);
    }

    private String pay(Connection connection) throws SQLException {
        runs.incrementAndGet();
        try (Statement statement = connection.createStatement()) {
            statement.executeUpdate("update ledger set amount = amount + 1 where reference = 'held'");
        }
        return "paid";
    }

    /** A record that was tried once and is free. */
    private void free() {
        assertThatThrownBy(() -> onefold.run(POST, Key.of(key), attempt -> {
                    throw new NotExecutedException("not now", null);
                }))
                .isInstanceOf(NotExecutedException.class);
    }

    private Connection holdingRecord() throws SQLException {
        return holding("update idempotent_record set attempts = attempts where idem_key = '" + key + "'");
    }

    private Connection holding(String update) throws SQLException {
        Connection connection = source.getConnection();
        connection.setAutoCommit(false);
        try (Statement statement = connection.createStatement()) {
            assertThat(statement.executeUpdate(update)).isEqualTo(1);
        } catch (SQLException e) {
            connection.close();
            throw e;
        }
        return connection;
    }

    private static void release(List<Connection> holders) throws SQLException {
        for (Connection holder : holders) {
            holder.rollback();
            holder.close();
        }
    }

    /** Counts the connections that are borrowed: one for each try. */
    private static final class Counted extends ForwardingDataSource {
        private final AtomicInteger borrowed;

        Counted(DataSource behind, AtomicInteger borrowed) {
            super(behind);
            this.borrowed = borrowed;
        }

        @Override
        public Connection getConnection() throws SQLException {
            borrowed.incrementAndGet();
            return super.getConnection();
        }
    }
}
