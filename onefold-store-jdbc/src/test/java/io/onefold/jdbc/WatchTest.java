package io.onefold.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What takes too long on a connection is ended, and nothing else. */
@Timeout(60)
class WatchTest {
    private static final Duration SOON = Duration.ofMillis(50);
    private static final Connection CONNECTION = (Connection) Proxy.newProxyInstance(
            WatchTest.class.getClassLoader(), new Class<?>[] {Connection.class}, (self, method, arguments) -> null);

    private final Semaphore cancelled = new Semaphore(0);

    @Test
    void a_step_that_takes_too_long_is_cancelled_again_and_again_until_it_ends() throws InterruptedException {
        Watch watch = new Watch(SOON, connection -> cancelled.release());
        try (Watch.Guard guard = watch.over(CONNECTION)) {
            cancelled.acquire(2);
        }
        cancelled.drainPermits();
        try (Watch.Guard another = watch.over(CONNECTION)) {
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
        Watch watch = new Watch(SOON, connection -> {
            connection.close();
            cancelled.release();
        });
        watch.over(other).close();
        try (Watch.Guard slow = watch.over(CONNECTION)) {
            cancelled.acquire();
        }
        assertThat(early).hasValue(0);
    }

    @Test
    void who_ends_meanwhile_waits_until_the_cancelling_is_over() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        AtomicInteger over = new AtomicInteger();
        Watch watch = new Watch(SOON, connection -> {
            begun.countDown();
            await(goOn);
            over.incrementAndGet();
        });
        Watch.Guard guard = watch.over(CONNECTION);
        begun.await();
        Thread closing = new Thread(guard::close);
        closing.start();
        Await.value("it waits", closing::getState, state -> state == Thread.State.BLOCKED);
        goOn.countDown();
        closing.join();
        assertThat(over).hasValue(1);
    }

    @Test
    void a_cancelling_that_fails_is_tried_again() throws InterruptedException {
        Watch watch = new Watch(SOON, connection -> {
            cancelled.release();
            throw new SQLException("no way");
        });
        try (Watch.Guard guard = watch.over(CONNECTION)) {
            cancelled.acquire(2);
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
