package io.onefold.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What takes too long on a connection is ended, and nothing else. */
@Timeout(60)
class WatchTest {
    private static final Duration SOON = Duration.ofMillis(50);
    private static final Duration LATE = Duration.ofMinutes(5);
    private static final Connection CONNECTION = (Connection) Proxy.newProxyInstance(
            WatchTest.class.getClassLoader(), new Class<?>[] {Connection.class}, (self, method, arguments) -> null);

    private final Semaphore cancelled = new Semaphore(0);

    @Test
    void a_step_that_takes_too_long_is_cancelled_again_and_again_until_it_ends() throws InterruptedException {
        QueryWatchdog watch = new QueryWatchdog(SOON, LATE, connection -> cancelled.release());
        try (QueryWatchdog.WatchedStep guard = watch.over(CONNECTION)) {
            cancelled.acquire(2);
        }
        cancelled.drainPermits();
        try (QueryWatchdog.WatchedStep another = watch.over(CONNECTION)) {
            cancelled.acquire();
        }
    }

    @Test
    void a_step_that_is_over_in_time_is_left_alone() throws InterruptedException {
        AtomicInteger early = new AtomicInteger();
        Connection other = (Connection) Proxy.newProxyInstance(
                WatchTest.class.getClassLoader(),
                new Class<?>[] {Connection.class},
                (self, method, arguments) -> early.incrementAndGet());
        QueryWatchdog watch = new QueryWatchdog(SOON, LATE, connection -> {
            connection.close();
            cancelled.release();
        });
        watch.over(other).close();
        try (QueryWatchdog.WatchedStep slow = watch.over(CONNECTION)) {
            cancelled.acquire();
        }
        assertThat(early).hasValue(0);
    }

    @Test
    void who_ends_meanwhile_waits_until_the_cancelling_is_over() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        AtomicInteger over = new AtomicInteger();
        QueryWatchdog watch = new QueryWatchdog(SOON, LATE, connection -> {
            begun.countDown();
            await(goOn);
            over.incrementAndGet();
        });
        QueryWatchdog.WatchedStep guard = watch.over(CONNECTION);
        begun.await();
        Thread closing = new Thread(guard::close);
        closing.start();
        Await.value("it waits", closing::getState, state -> state == Thread.State.WAITING);
        goOn.countDown();
        closing.join();
        assertThat(over).hasValue(1);
    }

    @Test
    void cancelling_that_hangs_holds_few_threads_however_many_steps_take_too_long() throws Exception {
        CountDownLatch goOn = new CountDownLatch(1);
        QueryWatchdog watch = new QueryWatchdog(SOON, SOON.multipliedBy(20), connection -> {
            cancelled.release();
            await(goOn);
        });
        int before = threads();
        List<QueryWatchdog.WatchedStep> guards = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            guards.add(watch.over(CONNECTION));
        }
        AtomicInteger aborts = new AtomicInteger();
        QueryWatchdog.WatchedStep last = watch.over(proxy(aborts::incrementAndGet));
        // by then each of them was due to be cancelled several times
        Await.until("the last one is aborted, though nobody is left to cancel it", () -> {
            assertThat(threads() - before).isLessThanOrEqualTo(8);
            return aborts.get() > 0;
        });
        Thread closing = new Thread(last::close);
        closing.start();
        closing.join();
        goOn.countDown();
        guards.forEach(QueryWatchdog.WatchedStep::close);
    }

    @Test
    void a_connection_that_was_aborted_is_neither_aborted_nor_cancelled_again() throws Exception {
        AtomicInteger aborts = new AtomicInteger();
        AtomicInteger tooLate = new AtomicInteger();
        AtomicInteger later = new AtomicInteger();
        Connection hung = proxy(aborts::incrementAndGet);
        QueryWatchdog watch = new QueryWatchdog(SOON, SOON, connection -> {
            if (connection.equals(hung) && aborts.get() > 0) {
                tooLate.incrementAndGet();
            }
        });
        try (QueryWatchdog.WatchedStep first = watch.over(hung)) {
            Await.until("it is aborted", () -> aborts.get() > 0);
            for (int i = 1; i <= 3; i++) {
                int looks = i;
                try (QueryWatchdog.WatchedStep another = watch.over(proxy(later::incrementAndGet))) {
                    Await.until("it was looked at again", () -> later.get() >= looks);
                }
            }
        }
        assertThat(aborts).hasValue(1);
        assertThat(tooLate).hasValue(0);
    }

    /** Cancelled, PostgreSQL would report success though a synchronous standby has not heard of it. */
    @Test
    void the_end_of_a_transaction_is_never_cancelled_and_its_connection_is_closed() throws Exception {
        AtomicInteger aborts = new AtomicInteger();
        Connection hung = proxy(aborts::incrementAndGet);
        AtomicInteger cancels = new AtomicInteger();
        QueryWatchdog watch = new QueryWatchdog(SOON, SOON.multipliedBy(10), connection -> {
            cancels.addAndGet(hung.equals(connection) ? 1 : 0);
            cancelled.release();
        });
        try (QueryWatchdog.WatchedStep end = watch.overEnd(hung);
                QueryWatchdog.WatchedStep step = watch.over(CONNECTION)) {
            Await.until("it is aborted", () -> aborts.get() > 0);
            assertThat(cancelled.availablePermits()).as("others are cancelled").isPositive();
            assertThat(cancels).hasValue(0);
            assertThat(end.wasCancelled()).isFalse();
            assertThat(step.wasCancelled()).isTrue();
        }
    }

    @Test
    void a_cancelling_that_fails_is_tried_again() throws InterruptedException {
        QueryWatchdog watch = new QueryWatchdog(SOON, LATE, connection -> {
            cancelled.release();
            throw new SQLException("no way");
        });
        try (QueryWatchdog.WatchedStep guard = watch.over(CONNECTION)) {
            cancelled.acquire(2);
        }
    }

    /** Of Onefold, to end what takes too long. */
    private static int threads() {
        return (int) Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("onefold-cancel")
                        || thread.getName().equals("onefold-abort"))
                .count();
    }

    private static Connection proxy(Runnable aborted) {
        return (Connection) Proxy.newProxyInstance(
                WatchTest.class.getClassLoader(), new Class<?>[] {Connection.class}, (self, method, arguments) -> {
                    if (method.getName().equals("abort")) {
                        aborted.run();
                    }
                    return method.getName().equals("equals") ? (Object) (self == arguments[0]) : null;
                });
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
