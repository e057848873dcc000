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
import io.onefold.WorkNotStartedException;
import io.onefold.store.Status;
import io.onefold.store.StoredRecord;
import io.onefold.store.TransactionConflictException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Record and effect in one transaction. */
@ParameterizedClass(name = "{0} {1}")
@MethodSource("everywhere")
class JoinedTest extends JoinedCases {

    @Test
    void record_and_effect_are_committed_together_and_the_result_is_replayed() throws SQLException {
        assertThat(onefold.attemptInTransaction(POST, key(), (attempt, connection) -> post(connection, "first")))
                .isEqualTo(new Outcome.Executed<>("first", true));
        assertThat(onefold.attemptInTransaction(POST, key(), (attempt, connection) -> post(connection, "second")))
                .isEqualTo(new Outcome.Replayed<>("first", true));
        assertThat(posted()).isEqualTo(1);
        StoredRecord record = record();
        assertThat(record.status()).isEqualTo(Status.SUCCESS);
        assertThat(record.attempts()).isEqualTo(1);
    }

    @Test
    void leased_calls_and_joined_ones_see_the_same_record() throws SQLException {
        onefold.inTransaction(POST, key(), (attempt, connection) -> post(connection, "joined"));
        assertThat(onefold.attempt(POST, key(), attempt -> "leased")).isEqualTo(new Outcome.Replayed<>("joined", true));
        Key other = Key.of(key + "-other");
        onefold.run(POST, other, attempt -> "leased");
        assertThat(onefold.attemptInTransaction(POST, other, (attempt, connection) -> "joined"))
                .isEqualTo(new Outcome.Replayed<>("leased", true));
    }

    @Test
    void another_payload_is_a_conflict() throws SQLException {
        onefold.inTransaction(POST, key().matching(Map.of("cents", 1)), (attempt, connection) -> "done");
        assertThat(onefold.attemptInTransaction(
                        POST, key().matching(Map.of("cents", 2)), (attempt, connection) -> post(connection, "again")))
                .isEqualTo(new Outcome.Conflict<>(List.of("cents")));
        assertThat(posted()).isZero();
    }

    @Test
    void of_many_at_once_one_runs_and_the_others_replay() throws Exception {
        AtomicInteger committed = new AtomicInteger();
        List<Outcome<String>> outcomes = atOnce(
                12,
                () -> onefold.attemptInTransaction(
                        REPEATED.waitFor(Duration.ofSeconds(60)), key(), (attempt, connection) -> {
                            post(connection, "run");
                            return "result " + committed.incrementAndGet();
                        }));
        assertThat(posted()).isEqualTo(1);
        assertThat(outcomes.stream().filter(outcome -> outcome instanceof Outcome.Executed))
                .hasSize(1);
        assertThat(outcomes.stream().map(Outcome::orThrow).distinct()).hasSize(1);
    }

    @Test
    void what_throws_leaves_no_effect_and_is_counted() throws SQLException {
        assertThatThrownBy(() -> onefold.inTransaction(POST, key(), (attempt, connection) -> {
                    post(connection, "lost");
                    throw new IllegalStateException("no");
                }))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("no");
        assertThat(posted()).isZero();
        assertThat(record().status()).isEqualTo(Status.FREE);
        assertThat(record().attempts()).isEqualTo(1);

        AtomicInteger number = new AtomicInteger();
        assertThat(onefold.attemptInTransaction(POST, key(), (attempt, connection) -> {
                    number.set(attempt.number());
                    return post(connection, "kept");
                }))
                .isEqualTo(new Outcome.Executed<>("kept", true));
        assertThat(number).hasValue(2);
        assertThat(posted()).isEqualTo(1);
        assertThat(record().attempts()).isEqualTo(2);
    }

    @Test
    void a_failure_whose_effect_is_to_stay_is_committed_with_it_and_replayed() throws SQLException {
        assertThatThrownBy(() -> onefold.inTransaction(POST, key(), (attempt, connection) -> {
                    post(connection, "kept");
                    throw new CommittedFailureException(new IllegalStateException("declined"));
                }))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("declined");
        assertThat(posted()).isEqualTo(1);
        assertThat(record().status()).isEqualTo(Status.FAILED);
        assertThat(record().attempts()).isEqualTo(1);
        assertThat(onefold.attemptInTransaction(POST, key(), (attempt, connection) -> post(connection, "again")))
                .isInstanceOfSatisfying(
                        Outcome.Failed.class,
                        failed -> assertThat(failed.failure().message()).isEqualTo("declined"));
        assertThat(posted()).isEqualTo(1);
    }

    @Test
    void in_a_callers_transaction_such_a_failure_is_committed_with_it_or_not_at_all() throws SQLException {
        for (boolean commits : new boolean[] {false, true}) {
            try (Connection connection = begun();
                    TransactionScope joined = onefold.joined(connection)) {
                assertThatThrownBy(() -> joined.run(POST, key(), attempt -> {
                            post(connection, "kept");
                            throw new CommittedFailureException(new IllegalStateException("declined"));
                        }))
                        .isInstanceOf(IllegalStateException.class);
                if (commits) {
                    connection.commit();
                } else {
                    connection.rollback();
                    joined.rolledBack();
                }
            }
            assertThat(posted()).isEqualTo(commits ? 1 : 0);
        }
        assertThat(record().status()).isEqualTo(Status.FAILED);
    }

    @Test
    void what_was_not_begun_is_no_attempt() throws SQLException {
        Operation<String> once = POST.maxAttempts(1);
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(() -> onefold.inTransaction(once, key(), (attempt, connection) -> {
                        throw new WorkNotStartedException("refused", null);
                    }))
                    .isInstanceOf(WorkNotStartedException.class);
        }
        try (Connection connection = begun();
                TransactionScope joined = onefold.joined(connection)) {
            assertThatThrownBy(() -> joined.run(once, key(), attempt -> {
                        throw new WorkNotStartedException("refused", null);
                    }))
                    .isInstanceOf(WorkNotStartedException.class);
            connection.rollback();
            joined.rolledBack();
        }
        assertThat(onefold.attemptInTransaction(
                        once, key(), (attempt, connection) -> post(connection, "attempt " + attempt.number())))
                .isEqualTo(new Outcome.Executed<>("attempt 1", true));
    }

    @Test
    void work_that_was_entered_does_not_run_again_when_its_transaction_is_given_up() throws SQLException {
        Operation<String> once = POST.maxAttempts(1);
        AtomicInteger runs = new AtomicInteger();
        TransactionConflictException deadlock = new TransactionConflictException("deadlock", null);
        assertThatThrownBy(() -> onefold.inTransaction(once, key(), (attempt, connection) -> {
                    runs.incrementAndGet();
                    post(connection, "lost");
                    throw deadlock;
                }))
                .isInstanceOf(TransactionConflictException.class)
                .hasCause(deadlock);
        assertThat(runs).hasValue(1);
        assertThat(posted()).isZero();
        assertThat(onefold.find(once, key())).as("it is no attempt").isEmpty();
        assertThat(onefold.attemptInTransaction(
                        once, key(), (attempt, connection) -> post(connection, "attempt " + attempt.number())))
                .isEqualTo(new Outcome.Executed<>("attempt 1", true));
        assertThat(posted()).isEqualTo(1);
    }

    @Test
    void work_that_opted_in_runs_again_when_its_transaction_is_given_up() throws SQLException {
        AtomicInteger runs = new AtomicInteger();
        assertThat(onefold.attemptInTransaction(POST.repeatOnConflict(), key(), (attempt, connection) -> {
                    post(connection, "kept");
                    if (runs.incrementAndGet() < 3) {
                        throw new TransactionConflictException("deadlock", null);
                    }
                    return "attempt " + attempt.number();
                }))
                .isEqualTo(new Outcome.Executed<>("attempt 1", true));
        assertThat(runs).hasValue(3);
        assertThat(posted()).isEqualTo(1);
    }

    @Test
    void a_failure_that_is_final_is_replayed() throws SQLException {
        Operation<String> strict = POST.failOn(IllegalArgumentException.class);
        assertThatThrownBy(() -> onefold.inTransaction(strict, key(), (attempt, connection) -> {
                    post(connection, "lost");
                    throw new IllegalArgumentException("never");
                }))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(onefold.attemptInTransaction(strict, key(), (attempt, connection) -> post(connection, "again")))
                .isInstanceOf(Outcome.Failed.class);
        assertThat(posted()).isZero();
    }

    @Test
    void what_fails_too_often_is_over() throws SQLException {
        Operation<String> twice = POST.maxAttempts(2);
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> onefold.inTransaction(twice, key(), (attempt, connection) -> {
                        throw new IllegalStateException("poison");
                    }))
                    .hasMessage("poison");
        }
        assertThat(onefold.attemptInTransaction(twice, key(), (attempt, connection) -> post(connection, "again")))
                .isInstanceOf(Outcome.Failed.class);
        assertThat(posted()).isZero();
    }

    @Test
    void a_callers_transaction_commits_both_or_neither() throws SQLException {
        try (Connection connection = begun();
                TransactionScope joined = onefold.joined(connection)) {
            assertThat(joined.<String, SQLException>run(POST, key(), attempt -> post(connection, "lost")))
                    .isEqualTo("lost");
            connection.rollback();
        }
        assertThat(posted()).isZero();
        assertThat(onefold.find(POST, key())).isEmpty();
        try (Connection connection = begun();
                TransactionScope joined = onefold.joined(connection)) {
            joined.run(POST, key(), attempt -> post(connection, "kept"));
            connection.commit();
        }
        try (Connection connection = begun();
                TransactionScope joined = onefold.joined(connection)) {
            assertThat(joined.<String, SQLException>attempt(POST, key(), attempt -> post(connection, "again")))
                    .isEqualTo(new Outcome.Replayed<>("kept", true));
            connection.commit();
        }
        assertThat(posted()).isEqualTo(1);
    }

    @Test
    void a_callers_transaction_is_told_busy_at_once_while_another_holds_the_record() throws SQLException {
        try (Connection first = begun();
                Connection second = impatient(begun());
                TransactionScope one = onefold.joined(first);
                TransactionScope two = onefold.joined(second)) {
            one.run(POST, key(), attempt -> post(first, "first"));
            assertThat(two.<String, SQLException>attempt(POST, key(), attempt -> post(second, "second")))
                    .isInstanceOf(Outcome.InProgress.class);
            second.rollback();
            first.commit();
        }
        assertThat(posted()).isEqualTo(1);
        assertThat(onefold.attemptInTransaction(POST, key(), (attempt, connection) -> post(connection, "third")))
                .isEqualTo(new Outcome.Replayed<>("first", true));
    }

    @Test
    void a_rolled_back_failure_of_the_callers_is_counted_when_told() throws SQLException {
        try (Connection connection = begun();
                TransactionScope joined = onefold.joined(connection)) {
            assertThatThrownBy(() -> joined.run(POST, key(), attempt -> {
                        post(connection, "lost");
                        throw new IllegalStateException("no");
                    }))
                    .hasMessage("no");
            connection.rollback();
            joined.rolledBack();
        }
        assertThat(posted()).isZero();
        assertThat(record().status()).isEqualTo(Status.FREE);
        assertThat(record().attempts()).isEqualTo(1);
    }

    @Test
    void a_connection_without_a_transaction_is_refused() throws SQLException {
        try (Connection connection = pool.getConnection();
                TransactionScope joined = onefold.joined(connection)) {
            connection.setAutoCommit(true);
            assertThatThrownBy(() -> joined.run(POST, key(), attempt -> "never"))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("auto-commit");
        }
    }

    @Test
    void a_pool_of_one_connection_is_enough() throws Exception {
        try (HikariDataSource one = Database.pool(source(), 1, "TRANSACTION_" + isolation)) {
            Onefold narrow = Onefold.on(JdbcStore.of(one));
            List<Outcome<String>> outcomes = atOnce(
                    6,
                    () -> narrow.attemptInTransaction(
                            REPEATED.waitFor(Duration.ofSeconds(30)),
                            key(),
                            (attempt, connection) -> post(connection, "once")));
            assertThat(outcomes.stream().map(Outcome::orThrow).distinct()).containsExactly("once");
            assertThatThrownBy(() -> narrow.inTransaction(POST, Key.of(key + "-fails"), (attempt, connection) -> {
                        throw new IllegalStateException("counted");
                    }))
                    .hasMessage("counted");
            assertThat(narrow.attempt(POST, Key.of(key + "-leased"), attempt -> "leased"))
                    .isEqualTo(new Outcome.Executed<>("leased", true));
        }
        assertThat(posted()).isEqualTo(1);
    }
}
