package io.onefold.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.onefold.CommittedFailureException;
import io.onefold.Key;
import io.onefold.Onefold;
import io.onefold.Operation;
import io.onefold.Outcome;
import io.onefold.TransactionScope;
import io.onefold.TransactionalWork;
import io.onefold.store.RecordLockTimeoutException;
import io.onefold.store.ResultPayload;
import io.onefold.store.Status;
import io.onefold.store.StoredRecord;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Results that the database refuses for good: the effect stands, the record says that it is done, and the caller gets the value. */
@ParameterizedClass
@EnumSource(Database.class)
@Tag("F23")
@Timeout(60)
class RefusedResultsTest {
    @Parameter
    Database database = Database.H2;

    private HikariDataSource pool = new HikariDataSource();
    private Onefold onefold = Onefold.on(new io.onefold.store.MemoryStore());
    private Operation<String> operation = Operation.of("export", String.class);
    private String large = "";

    @BeforeEach
    void open() throws SQLException {
        LimitedDatabase limited = LimitedDatabase.of(database);
        pool = Database.pool(limited.source(), 4);
        onefold = Onefold.on(JdbcStore.of(pool));
        limited.limit();
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("create table ledger (reference varchar(100) not null)");
        }
        large = "x".repeat(limited.refused());
        operation = operation
                .maxResultBytes(2 * large.length())
                .lease(Duration.ofSeconds(20))
                .waitFor(Duration.ZERO);
    }

    @AfterEach
    void close() {
        pool.close();
    }

    @Test
    void a_leased_result_that_is_refused_is_done_and_not_kept() throws Exception {
        assertThat(onefold.attempt(operation, Key.of("leased"), attempt -> large))
                .isEqualTo(new Outcome.Executed<>(large, true));
        assertDone("leased");
    }

    @Test
    void a_joined_result_that_is_refused_is_committed_with_its_effect_and_not_kept() throws Exception {
        assertThat(onefold.attemptInTransaction(operation, Key.of("joined"), (attempt, connection) -> {
                    post(connection, "joined");
                    return large;
                }))
                .isEqualTo(new Outcome.Executed<>(large, true));
        assertThat(posted("joined")).isEqualTo(1);
        assertDone("joined");
    }

    @Test
    void in_a_callers_transaction_the_effect_and_what_else_it_did_are_committed() throws Exception {
        try (Connection connection = pool.getConnection();
                TransactionScope joined = onefold.joined(connection)) {
            connection.setAutoCommit(false);
            post(connection, "before");
            assertThat(joined.<String, SQLException>attempt(operation, Key.of("callers"), attempt -> {
                        post(connection, "callers");
                        return large;
                    }))
                    .isEqualTo(new Outcome.Executed<>(large, true));
            post(connection, "after");
            connection.commit();
        }
        assertThat(posted("before") + posted("callers") + posted("after")).isEqualTo(3);
        assertDone("callers");
    }

    @Test
    void a_failure_that_is_committed_and_whose_text_is_refused_stays_a_failure() throws Exception {
        Operation<String> telling = operation.failureData(thrown -> large);
        assertThatThrownBy(() -> onefold.attemptInTransaction(telling, Key.of("declined"), (attempt, connection) -> {
                    post(connection, "declined");
                    throw new CommittedFailureException(new IllegalStateException("declined"));
                }))
                .hasMessage("declined");
        assertThat(posted("declined")).isEqualTo(1);
        assertThat(onefold.attemptInTransaction(telling, Key.of("declined"), (attempt, connection) -> "again"))
                .isInstanceOf(Outcome.Failed.class);
    }

    @Test
    void a_large_result_beside_a_record_of_another_is_told_the_others_answer() throws Exception {
        String fitting = "x".repeat(100_000);
        TransactionalWork<String, Exception> work = (attempt, connection) -> {
            onefold.run(operation, Key.of("met"), other -> "other");
            post(connection, "met");
            return fitting;
        };
        if (database == Database.SQLITE) {
            // which has one writer at a time
            assertThatThrownBy(() -> onefold.attemptInTransaction(operation, Key.of("met"), work))
                    .isInstanceOf(RecordLockTimeoutException.class);
        } else {
            assertThat(onefold.attemptInTransaction(operation, Key.of("met"), work))
                    .isEqualTo(new Outcome.Replayed<>("other", true));
        }
        assertThat(posted("met")).isZero();
    }

    private void assertDone(String key) throws Exception {
        StoredRecord record = onefold.find(operation, Key.of(key)).orElseThrow();
        assertThat(record.status()).isEqualTo(Status.SUCCESS);
        assertThat(Objects.requireNonNull(record.payload()).kind()).isEqualTo(ResultPayload.Kind.NOT_KEPT);
        assertThat(onefold.attempt(operation, Key.of(key), attempt -> "again"))
                .isEqualTo(new Outcome.Replayed<>(null, false));
        assertThat(onefold.attemptInTransaction(operation, Key.of(key), (attempt, connection) -> "again"))
                .isEqualTo(new Outcome.Replayed<>(null, false));
    }

    private static void post(Connection connection, String reference) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement("insert into ledger (reference) values (?)")) {
            insert.setString(1, reference);
            insert.executeUpdate();
        }
    }

    private int posted(String reference) throws SQLException {
        try (Connection connection = pool.getConnection();
                PreparedStatement count =
                        connection.prepareStatement("select count(*) from ledger where reference = ?")) {
            count.setString(1, reference);
            try (ResultSet row = count.executeQuery()) {
                row.next();
                return row.getInt(1);
            }
        }
    }
}
