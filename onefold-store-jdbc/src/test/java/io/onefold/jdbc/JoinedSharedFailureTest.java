package io.onefold.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onefold.Operation;
import io.onefold.Outcome;
import io.onefold.store.StoreTransactions;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Joined calls that wait for a transaction which fails: they hear of the failure and run nothing. */
@ParameterizedClass(name = "{0} {1}")
@MethodSource("whereWaitingIsOnefolds")
class JoinedSharedFailureTest extends JoinedCases {
    private static final Operation<String> SHARING =
            POST.waitFor(Duration.ofSeconds(60)).waitersShareFailure();

    private final AtomicInteger runs = new AtomicInteger();
    private final CountDownLatch started = new CountDownLatch(1);
    private final CountDownLatch gate = new CountDownLatch(1);
    private final IllegalStateException failure = new IllegalStateException("no");

    @Test
    void those_who_wait_for_a_transaction_hear_what_it_threw_and_a_later_call_runs() throws Exception {
        CompletableFuture<Outcome<String>> first = elsewhere(new ArrayList<>());
        assertThat(started.await(60, TimeUnit.SECONDS)).isTrue();
        List<Thread> threads = new ArrayList<>();
        List<CompletableFuture<Outcome<String>>> waiters =
                Stream.generate(() -> elsewhere(threads)).limit(3).toList();
        for (Thread thread : threads) {
            awaitWaiting(thread);
        }
        gate.countDown();
        assertThatThrownBy(() -> first.get(60, TimeUnit.SECONDS)).hasRootCause(failure);
        for (CompletableFuture<Outcome<String>> waiter : waiters) {
            assertThat(waiter.get(60, TimeUnit.SECONDS)).isEqualTo(new Outcome.AttemptFailed<>(failure));
        }
        assertThat(runs).hasValue(1);
        assertThat(posted()).isZero();

        assertThat(attempt()).isEqualTo(new Outcome.Executed<>("run 2", true));
        assertThat(posted()).isEqualTo(1);
    }

    /** The rollback frees the record's lock, and only then can the failure be counted. */
    @Test
    void those_who_wait_run_nothing_if_they_get_the_lock_before_the_failure_is_counted() throws Exception {
        CountDownLatch counts = new CountDownLatch(1);
        List<Thread> threads = new ArrayList<>();
        CompletableFuture<Outcome<String>> first =
                elsewhere(threads, () -> attempt(new LateCounting(storeJoining(), gate, counts)));
        try {
            assertThat(started.await(60, TimeUnit.SECONDS)).isTrue();
            CompletableFuture<Outcome<String>> waiter = elsewhere(threads);
            awaitWaiting(threads.get(1));
            gate.countDown();
            assertThat(waiter.get(60, TimeUnit.SECONDS)).isEqualTo(new Outcome.AttemptFailed<>(failure));
            assertThat(first).isNotDone();
            assertThat(onefold.find(POST, key())).isEmpty();
        } finally {
            counts.countDown();
        }
        assertThatThrownBy(() -> first.get(60, TimeUnit.SECONDS)).hasRootCause(failure);
        assertThat(runs).hasValue(1);
        assertThat(attempt()).isEqualTo(new Outcome.Executed<>("run 2", true));
    }

    /**
     * Transactions that begin late, once the work is let go.
     *
     * @param let when the work goes on
     * @param begins when the next transaction begins
     */
    private record LateCounting(StoreTransactions joining, CountDownLatch let, CountDownLatch begins)
            implements StoreTransactions {
        @Override
        public RecordTransaction begin() {
            try {
                assertThat(let.getCount() > 0 || begins.await(60, TimeUnit.SECONDS))
                        .isTrue();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            return joining.begin();
        }

        @Override
        public RecordTransaction join(Connection connection) {
            return joining.join(connection);
        }
    }

    private StoreTransactions storeJoining() {
        return Objects.requireNonNull(JdbcStore.of(pool).joining());
    }

    private Outcome<String> attempt() {
        return attempt(storeJoining());
    }

    private Outcome<String> attempt(StoreTransactions transactions) {
        try {
            return onefold.attemptInTransaction(transactions, SHARING, key(), (attempt, connection) -> {
                int run = runs.incrementAndGet();
                started.countDown();
                post(connection, "posted");
                if (run == 1 && gate.await(60, TimeUnit.SECONDS)) {
                    throw failure;
                }
                return "run " + run;
            });
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new CompletionException(e);
        }
    }

    private CompletableFuture<Outcome<String>> elsewhere(List<Thread> threads) {
        return elsewhere(threads, this::attempt);
    }

    private static CompletableFuture<Outcome<String>> elsewhere(List<Thread> threads, Supplier<Outcome<String>> call) {
        return CompletableFuture.supplyAsync(call, task -> {
            Thread thread = new Thread(task);
            threads.add(thread);
            thread.start();
        });
    }

    /** A call that has found the record held, has its place among those who wait, and sleeps. */
    private static void awaitWaiting(Thread thread) {
        long end = System.nanoTime() + Duration.ofSeconds(60).toNanos();
        while (!Stream.of(thread.getStackTrace())
                .map(StackTraceElement::getMethodName)
                .toList()
                .containsAll(List.of("waited", "pause"))) {
            assertThat(System.nanoTime()).as("the call waits in time").isLessThan(end);
            LockSupport.parkNanos(1_000_000);
        }
    }
}
