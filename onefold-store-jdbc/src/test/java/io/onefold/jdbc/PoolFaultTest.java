package io.onefold.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.onefold.Key;
import io.onefold.Onefold;
import io.onefold.Operation;
import io.onefold.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Far more calls than connections. */
@ParameterizedClass
@EnumSource(
        value = Database.class,
        names = {"POSTGRESQL", "MARIADB"})
@Tag("F26")
@Timeout(60)
class PoolFaultTest {
    private static final Operation<String> PATIENT = Pay.ONCE.waitFor(Duration.ofSeconds(50));
    private static final AtomicInteger KEYS = new AtomicInteger();

    @Parameter
    Database kind = Database.POSTGRESQL;

    private final String key = "pool-" + KEYS.incrementAndGet() + "-";
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<Future<Outcome<String>>> calls = new ArrayList<>();
    private FaultDatabase database = FaultDatabase.shared(Database.POSTGRESQL);
    private HikariDataSource two = new HikariDataSource();
    private Onefold onefold = Onefold.on(new io.onefold.store.MemoryStore());

    @BeforeEach
    void open() {
        database = FaultDatabase.shared(kind);
        two = Database.pool(database.source(), 2);
        onefold = Onefold.on(JdbcStore.of(two));
    }

    @AfterEach
    void close() {
        threads.shutdownNow();
        two.close();
    }

    @Test
    void leased_work_and_who_waits_for_it_hold_no_connection() throws Exception {
        CountDownLatch atWork = new CountDownLatch(10);
        CountDownLatch goOn = new CountDownLatch(1);
        AtomicInteger runs = new AtomicInteger();
        for (int i = 0; i < 50; i++) {
            String name = key + i % 10;
            calls.add(threads.submit(() -> onefold.attempt(PATIENT, Key.of(name), attempt -> {
                runs.incrementAndGet();
                atWork.countDown();
                goOn.await();
                return name;
            })));
        }
        atWork.await();
        Await.until("nobody holds a connection", () -> two.getHikariPoolMXBean().getActiveConnections() == 0);
        assertThat(onefold.attemptInTransaction(
                        Pay.ONCE, Key.of(key + "between"), (attempt, connection) -> "got through"))
                .isEqualTo(new Outcome.Executed<>("got through", true));
        goOn.countDown();
        for (int i = 0; i < 50; i++) {
            assertThat(calls.get(i).get().orThrow()).isEqualTo(key + i % 10);
        }
        assertThat(runs).hasValue(10);
    }

    @Test
    void leased_and_joined_calls_all_end_with_two_connections() throws Exception {
        for (int i = 0; i < 50; i++) {
            String name = key + i % 30;
            boolean joins = i % 2 == 0;
            calls.add(threads.submit(() -> joins
                    ? onefold.attemptInTransaction(
                            PATIENT, Key.of(name), (attempt, connection) -> Pay.inLedger(connection, name, name))
                    : onefold.attempt(PATIENT, Key.of(name), attempt -> nested(name))));
        }
        for (int i = 0; i < 50; i++) {
            assertThat(calls.get(i).get().orThrow()).isEqualTo(key + i % 30);
        }
        for (int i = 0; i < 30; i++) {
            assertThat(database.effects(key + i)).isEqualTo(1);
        }
    }

    /** A transaction inside leased work: the outer call must not hold a connection meanwhile. */
    private String nested(String name) throws Exception {
        Outcome<String> inner = onefold.attemptInTransaction(
                PATIENT, Key.of(name + "-inner"), (attempt, connection) -> Pay.inLedger(connection, name, name));
        return Objects.requireNonNull(inner.orThrow());
    }
}
