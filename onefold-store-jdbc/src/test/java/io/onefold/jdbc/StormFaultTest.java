package io.onefold.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.onefold.Key;
import io.onefold.Onefold;
import io.onefold.Operation;
import io.onefold.Outcome;
import io.onefold.servers.PostgresServer;
import io.onefold.store.RecordFilter;
import io.onefold.store.Status;
import io.onefold.store.StoreException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Eight callers who retry until they have an answer, while sessions or the whole server are ended under them. */
@Timeout(120)
class StormFaultTest {
    private static final int THREADS = 8;
    private static final int CALLS = 500;
    private static final Operation<String> PAY =
            Pay.leased(Duration.ofSeconds(2)).waitFor(Duration.ofSeconds(1));

    private final AtomicInteger next = new AtomicInteger();
    private final AtomicInteger blows = new AtomicInteger();
    private final AtomicInteger retries = new AtomicInteger();
    private final Map<String, Integer> abroad = new ConcurrentHashMap<>();
    private final Map<String, String> answers = new ConcurrentHashMap<>();

    @Test
    @Tag("F10")
    void sessions_that_end_all_the_time_cost_no_effect_and_make_none_twice() throws Exception {
        FaultDatabase database = FaultDatabase.on(PostgresServer.shared());
        Random random = new Random(7);
        storm(database, 20, () -> {
            LockSupport.parkNanos((20 + random.nextInt(31)) * 1_000_000L);
            database.terminateSessions();
        });
    }

    @Test
    @Tag("F25")
    void a_server_that_is_killed_twice_costs_no_effect_and_makes_none_twice() throws Exception {
        try (PostgresServer server = PostgresServer.start()) {
            FaultDatabase database = FaultDatabase.on(server);
            int[] killed = new int[1];
            storm(database, 0, () -> {
                if (killed[0] < 2 && next.get() > (killed[0] + 1) * CALLS / 3) {
                    killed[0]++;
                    server.restart();
                }
                LockSupport.parkNanos(1_000_000);
            });
            assertThat(killed[0]).isEqualTo(2);
        }
    }

    /** @param least so many blows, while callers call: some more than {@link #CALLS} if need be */
    private void storm(FaultDatabase database, int least, Runnable blow) throws Exception {
        try (HikariDataSource pool = FaultDatabase.pool(database.source(), 6)) {
            Onefold onefold = Onefold.on(JdbcStore.of(pool));
            ExecutorService threads = Executors.newFixedThreadPool(THREADS);
            List<Future<?>> callers = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                callers.add(threads.submit(() -> call(onefold, least)));
            }
            while (!callers.stream().allMatch(Future::isDone)) {
                blow.run();
                blows.incrementAndGet();
            }
            for (Future<?> caller : callers) {
                caller.get();
            }
            threads.shutdown();
        }
        try (HikariDataSource pool = FaultDatabase.pool(database.source(), 6)) {
            check(database, Onefold.on(JdbcStore.of(pool)));
        }
    }

    /** Even numbers are joined, odd ones leased. */
    private void call(Onefold onefold, int least) {
        int number;
        while ((number = next.getAndIncrement()) < CALLS || blows.get() < least) {
            String key = "storm-" + number;
            while (!answers.containsKey(key)) {
                try {
                    Outcome<String> outcome = number % 2 == 0
                            ? onefold.attemptInTransaction(
                                    PAY, Key.of(key), (attempt, connection) -> Pay.inLedger(connection, key, key))
                            : onefold.attempt(PAY, Key.of(key), attempt -> {
                                abroad.merge(key, 1, Integer::sum);
                                return key;
                            });
                    if (!(outcome instanceof Outcome.InProgress)) {
                        answers.put(key, outcome.getClass().getSimpleName());
                    }
                } catch (StoreException e) {
                    retries.incrementAndGet();
                } catch (SQLException e) {
                    // the work's own statement met the end of the session
                    retries.incrementAndGet();
                }
            }
        }
    }

    private void check(FaultDatabase database, Onefold onefold) throws Exception {
        assertThat(answers).hasSizeGreaterThanOrEqualTo(CALLS);
        assertThat(answers.values()).isSubsetOf("Executed", "Replayed", "Unknown");
        int joined = 0;
        for (String key : answers.keySet()) {
            if (Integer.parseInt(key.substring("storm-".length())) % 2 == 0) {
                joined++;
                assertThat(answers.get(key)).isNotEqualTo("Unknown");
            } else {
                // of a claim whose answers were all lost, nobody knows whether work followed it; here none did
                int least = "Unknown".equals(answers.get(key)) ? 0 : 1;
                assertThat(abroad.getOrDefault(key, 0)).as(key).isBetween(least, 1);
            }
        }
        assertThat(database.number("select count(*) from ledger")).isEqualTo(joined);
        assertThat(database.number("select count(distinct reference) from ledger"))
                .isEqualTo(joined);
        // an end that is still being told: wait for it
        Await.until(
                "nothing is under way",
                () -> onefold.store()
                        .list(RecordFilter.of(Status.PROCESSING, Status.FREE), null, 1)
                        .records()
                        .isEmpty());
        for (String key : answers.keySet()) {
            Outcome<String> again = onefold.attempt(PAY, Key.of(key), attempt -> "again");
            assertThat(again).isInstanceOfAny(Outcome.Replayed.class, Outcome.Unknown.class);
        }
    }
}
