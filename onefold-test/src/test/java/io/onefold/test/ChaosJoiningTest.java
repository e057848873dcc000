package io.onefold.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onefold.Key;
import io.onefold.Onefold;
import io.onefold.Operation;
import io.onefold.Outcome;
import io.onefold.TransactionScope;
import io.onefold.jdbc.JdbcStore;
import io.onefold.store.ForwardingStore;
import io.onefold.store.StoreException;
import io.onefold.store.StoreTransactions;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The same faults where record and effect are in one transaction. */
class ChaosJoiningTest {
    private static final Operation<String> PAY = Operation.of("pay", String.class);
    private static final Key KEY = Key.of("order-1");

    private final JdbcDataSource database = new JdbcDataSource();
    private FaultInjectingStore chaos;
    private final OutcomeCounter probe = new OutcomeCounter();
    private Onefold onefold;

    @BeforeEach
    void open() throws SQLException {
        database.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("create table payment (id identity primary key)");
        }
        chaos = FaultInjectingStore.around(JdbcStore.of(database));
        onefold = Onefold.builder(chaos).listener(probe).build();
    }

    @AfterEach
    void close() throws SQLException {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("shutdown");
        }
    }

    @Test
    void without_faults_it_runs_once_and_is_replayed() throws Exception {
        assertThat(pay()).isEqualTo(new Outcome.Executed<>("paid", true));
        assertThat(pay()).isEqualTo(new Outcome.Replayed<>("paid", true));
        assertThat(payments()).isEqualTo(1);
    }

    @Test
    void before_the_record_is_written_both_are_lost() throws Exception {
        chaos.fail(CrashPoint.BEFORE_COMPLETE).once();

        assertThatThrownBy(this::pay).isInstanceOf(StoreException.class);
        assertThat(payments()).isZero();
        assertThat(pay()).isEqualTo(new Outcome.Executed<>("paid", true));
        assertThat(payments()).isEqualTo(1);
    }

    @Test
    void a_crash_before_the_record_is_written_loses_both() throws Exception {
        chaos.crash(CrashPoint.BEFORE_COMPLETE).once();

        assertThatThrownBy(this::pay).isInstanceOf(SimulatedCrash.class);
        assertThat(payments()).isZero();
    }

    @Test
    void a_commit_whose_answer_is_lost_has_happened_and_is_found() throws Exception {
        chaos.fail(CrashPoint.AFTER_COMPLETE).once();

        assertThat(pay()).isEqualTo(new Outcome.Executed<>("paid", true));
        assertThat(chaos.struck()).isEqualTo(1);
        assertThat(payments()).isEqualTo(1);
    }

    /** So that chaos before a database with a standby proves what holds without it. */
    @Test
    void the_store_confirms_what_a_lost_answer_leaves_and_has_its_own_limits() throws Exception {
        List<String> asked = Collections.synchronizedList(new ArrayList<>());
        JdbcStore store = JdbcStore.of(database);
        StoreTransactions joining = (StoreTransactions) Proxy.newProxyInstance(
                StoreTransactions.class.getClassLoader(),
                new Class<?>[] {StoreTransactions.class},
                (proxy, method, arguments) -> {
                    asked.add(method.getName());
                    return method.invoke(store, arguments);
                });
        chaos = FaultInjectingStore.around(new ForwardingStore(store) {
            @Override
            public StoreTransactions joining() {
                return joining;
            }
        });
        onefold = Onefold.on(chaos);
        chaos.fail(CrashPoint.AFTER_COMPLETE).once();

        assertThat(pay()).isEqualTo(new Outcome.Executed<>("paid", true));
        assertThat(asked).contains("confirm", "timeout", "isNeededForReplays");
    }

    @Test
    void a_crash_after_the_commit_is_replayed() throws Exception {
        chaos.crash(CrashPoint.AFTER_COMPLETE).once();

        assertThatThrownBy(this::pay).isInstanceOf(SimulatedCrash.class);
        assertThat(pay()).isEqualTo(new Outcome.Replayed<>("paid", true));
        assertThat(payments()).isEqualTo(1);
    }

    @Test
    void without_the_lock_nothing_runs() throws Exception {
        chaos.fail(CrashPoint.BEFORE_CLAIM).once();
        assertThatThrownBy(this::pay).isInstanceOf(StoreException.class);

        chaos.fail(CrashPoint.AFTER_CLAIM).once();
        assertThatThrownBy(this::pay).isInstanceOf(StoreException.class);

        assertThat(payments()).isZero();
    }

    @Test
    void an_error_of_the_work_passes_as_it_is() {
        Error broken = new AssertionError("broken");

        assertThatThrownBy(() -> onefold.attemptInTransaction(PAY, KEY, (attempt, connection) -> {
                    throw broken;
                }))
                .isSameAs(broken);
    }

    @Test
    void in_a_transaction_of_the_callers_the_record_is_its_completion() throws Exception {
        chaos.fail(CrashPoint.AFTER_COMPLETE).once();

        try (Connection connection = database.getConnection()) {
            connection.setAutoCommit(false);
            try (TransactionScope joined = onefold.joined(connection)) {
                assertThatThrownBy(() -> joined.attempt(PAY, KEY, attempt -> insert(connection)))
                        .isInstanceOf(StoreException.class);
                connection.rollback();
            }
        }

        assertThat(payments()).isZero();
        assertThat(onefold.find(PAY, KEY)).isEmpty();
    }

    @Test
    void an_execution_whose_failure_could_not_be_written_is_counted() throws Exception {
        chaos.fail(CrashPoint.BEFORE_COMPLETE).times(2); // of the result, and of its failure

        assertThatThrownBy(this::pay).isInstanceOf(StoreException.class);
        assertThat(onefold.find(PAY, KEY)).isEmpty();
        pay();

        probe.operation("pay").ran(2);
    }

    @Test
    void an_overwriting_that_has_failed_is_counted_though_it_leaves_no_trace() throws Exception {
        Operation<String> overwriting = PAY.overwrite();
        onefold.attemptInTransaction(overwriting, KEY.matching("10"), (attempt, connection) -> insert(connection));

        assertThatThrownBy(
                        () -> onefold.attemptInTransaction(overwriting, KEY.matching("20"), (attempt, connection) -> {
                            throw new IllegalStateException("half way");
                        }))
                .hasMessage("half way");

        probe.operation("pay").ran(2);
    }

    @Test
    void in_a_transaction_of_the_callers_a_failure_that_could_not_be_written_is_counted() throws Exception {
        chaos.fail(CrashPoint.BEFORE_COMPLETE).once();

        try (Connection connection = database.getConnection()) {
            connection.setAutoCommit(false);
            try (TransactionScope joined = onefold.joined(connection)) {
                assertThatThrownBy(() -> joined.attempt(PAY, KEY, attempt -> {
                            throw new IllegalStateException("half way");
                        }))
                        .hasMessage("half way");
                connection.rollback();
                assertThatThrownBy(joined::rolledBack).isInstanceOf(StoreException.class);
            }
        }

        probe.operation("pay").ranOnce();
    }

    @Test
    void there_is_no_lease_to_lose() throws Exception {
        chaos.loseLease().always();

        assertThat(pay()).isEqualTo(new Outcome.Executed<>("paid", true));
        assertThat(chaos.struck()).isZero();
    }

    private Outcome<String> pay() throws SQLException {
        return onefold.attemptInTransaction(PAY, KEY, (attempt, connection) -> insert(connection));
    }

    private static String insert(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("insert into payment default values");
        }
        return "paid";
    }

    private int payments() throws SQLException {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("select count(*) from payment")) {
            rows.next();
            return rows.getInt(1);
        }
    }
}
