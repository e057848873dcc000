package io.onefold.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onefold.Outcome;
import io.onefold.TransactionScope;
import io.onefold.store.TransactionConflictException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** A leased call comes in between: the record's key is the last word. */
@ParameterizedClass(name = "{0} {1}")
@MethodSource("whereLeasedCallsGetThrough")
class JoinedBesideLeasedTest extends JoinedCases {

    @Test
    void a_record_that_came_in_between_undoes_the_transaction() throws SQLException {
        AtomicInteger runs = new AtomicInteger();
        Outcome<String> outcome =
                onefold.attemptInTransaction(POST.waitFor(Duration.ZERO), key(), (attempt, connection) -> {
                    runs.incrementAndGet();
                    post(connection, "lost");
                    onefold.run(POST, key(), leased -> "leased");
                    return "joined";
                });
        assertThat(outcome).isEqualTo(new Outcome.Replayed<>("leased", true));
        assertThat(runs).hasValue(1);
        assertThat(posted()).isZero();
    }

    @Test
    void a_leased_call_that_is_at_work_when_the_transaction_is_given_up_is_told_as_busy() throws Exception {
        CountDownLatch claimed = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        AtomicInteger runs = new AtomicInteger();
        FutureTask<String> leased = new FutureTask<>(() -> onefold.run(POST, key(), attempt -> {
            claimed.countDown();
            goOn.await();
            return "leased";
        }));
        Outcome<String> outcome = onefold.attemptInTransaction(POST, key(), (attempt, connection) -> {
            runs.incrementAndGet();
            post(connection, "lost");
            new Thread(leased).start();
            claimed.await();
            throw new TransactionConflictException("deadlock", null);
        });
        goOn.countDown();
        assertThat(leased.get()).isEqualTo("leased");
        assertThat(outcome).isInstanceOf(Outcome.InProgress.class);
        assertThat(runs).hasValue(1);
        assertThat(posted()).isZero();
    }

    @Test
    void in_a_callers_transaction_a_record_that_came_in_between_is_a_retryable_exception() throws SQLException {
        try (Connection connection = begun();
                TransactionScope joined = onefold.joined(connection)) {
            assertThatThrownBy(() -> joined.run(POST, key(), attempt -> {
                        post(connection, "lost");
                        onefold.run(POST, key(), leased -> "leased");
                        return "joined";
                    }))
                    .isInstanceOf(TransactionConflictException.class);
            connection.rollback();
        }
        assertThat(posted()).isZero();
    }
}
