package io.onefold.spring.message;

import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.aopalliance.intercept.MethodInterceptor;
import org.springframework.dao.CannotAcquireLockException;
import org.springframework.jdbc.core.JdbcTemplate;

/** What listeners did, and what is to happen to them. */
final class Log {
    private static final long PATIENCE_SECONDS = 40;
    private static final long PAUSE_MILLIS = 10;

    private final List<String> ran = new CopyOnWriteArrayList<>();
    private final List<String> delivered = new CopyOnWriteArrayList<>();
    private final Set<String> failing = ConcurrentHashMap.newKeySet();
    private final Set<String> givenUp = ConcurrentHashMap.newKeySet();
    private final Set<String> crashing = ConcurrentHashMap.newKeySet();
    private final AtomicInteger acknowledged = new AtomicInteger();
    private final JdbcTemplate jdbc;
    final CountDownLatch gate = new CountDownLatch(1);

    Log(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    void failOnce(String payload) {
        failing.add(payload);
    }

    /** As by a database that gives the transaction up for another. */
    void giveUpOnce(String payload) {
        givenUp.add(payload);
    }

    /** After the listener has returned, and before its message is acknowledged. */
    void crashOnce(String payload) {
        crashing.add(payload);
    }

    void run(String payload) {
        ran.add(payload);
        if (failing.remove(payload)) {
            throw new IllegalStateException("told to fail");
        }
    }

    void runWithEffect(String payload) {
        jdbc.update("insert into effect(what) values (?)", payload);
        run(payload);
        if (givenUp.remove(payload)) {
            throw new CannotAcquireLockException("given up", new SQLException("deadlock", "40001", 40001));
        }
    }

    void runBehindGate(String payload) throws InterruptedException {
        ran.add(payload);
        if (!gate.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            throw new IllegalStateException("the gate stayed closed");
        }
    }

    /** An advice of the container's: it sees deliveries, and stands between the listener and the acknowledgement. */
    <M> MethodInterceptor advice(Class<M> type, Function<M, String> payload) {
        return invocation -> {
            Object message = Arrays.stream(invocation.getArguments())
                    .filter(type::isInstance)
                    .findFirst()
                    .orElse(null);
            if (message == null) {
                return invocation.proceed();
            }
            String text = payload.apply(type.cast(message));
            delivered.add(text);
            Object returned = invocation.proceed();
            if (crashing.remove(text)) {
                throw new IllegalStateException("told to crash before the acknowledgement");
            }
            return returned;
        };
    }

    /** Told by the container. What a broker has left would not do: RabbitMQ leaves out what is delivered and not acknowledged. */
    void acknowledged() {
        acknowledged.incrementAndGet();
    }

    int acknowledgements() {
        return acknowledged.get();
    }

    long runs(String payload) {
        return ran.stream().filter(payload::equals).count();
    }

    long deliveries(String payload) {
        return delivered.stream().filter(payload::equals).count();
    }

    int effects(String payload) {
        Integer count = jdbc.queryForObject("select count(*) from effect where what = ?", Integer.class, payload);
        return count == null ? 0 : count;
    }

    static void await(String what, BooleanSupplier condition) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - deadline > 0) {
                throw new AssertionError("waited in vain until " + what);
            }
            try {
                Thread.sleep(PAUSE_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new AssertionError("interrupted", e);
            }
        }
    }
}
