package io.onefold.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.onefold.servers.PostgresServer;
import io.onefold.servers.TcpProxy;
import io.onefold.store.Claim;
import io.onefold.store.ClaimResult;
import io.onefold.store.RecordId;
import io.onefold.store.StoreException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** PostgreSQL takes what it is sent and answers nothing, not even a request to cancel. */
@Tag("F7")
@Timeout(120)
class HungServerFaultTest {
    private static final int CALLS = 30;
    /** Four that cancel, four that abort. */
    private static final int THREADS = 8;

    private final FaultDatabase database = FaultDatabase.on(PostgresServer.shared());

    @Test
    void calls_end_and_few_threads_are_held_while_nothing_is_answered() throws Exception {
        int before = cancelling();
        try (TcpProxy proxy = TcpProxy.to(database.server().port());
                HikariDataSource pool = FaultDatabase.pool(database.through(proxy), CALLS)) {
            JdbcStore store = JdbcStore.builder(pool)
                    .timeout(Duration.ofSeconds(2))
                    .batching(false)
                    .build();
            fill(pool);
            List<CompletableFuture<String>> calls;
            AtomicInteger most = new AtomicInteger();
            try (Connection holder = database.source().getConnection();
                    Statement lock = holder.createStatement()) {
                holder.setAutoCommit(false);
                lock.execute("lock table idempotent_record in exclusive mode");
                calls = startClaims(store);
                Await.until(
                        "more wait at the server than there are threads to cancel them",
                        () -> database.number("select count(*) from pg_stat_activity where wait_event_type = 'Lock'"
                                        + " and datname = current_database()")
                                > 2 * THREADS);
                proxy.stall();
                Await.until("every call has ended", () -> {
                    most.accumulateAndGet(cancelling() - before, Math::max);
                    assertThat(most.get()).as("threads that cancel or abort").isLessThanOrEqualTo(THREADS);
                    return calls.stream().allMatch(CompletableFuture::isDone);
                });
                holder.rollback();
            }
            assertThat(calls).allSatisfy(call -> assertThat(call.join()).isEqualTo("StoreException"));
            assertThat(most.get()).as("it was tried").isPositive();
            proxy.flow();
            Await.value("the server is heard again", () -> claimed(store, "later"), "Acquired"::equals);
        }
    }

    private static void fill(HikariDataSource pool) throws SQLException {
        List<Connection> all = new ArrayList<>();
        for (int i = 0; i < CALLS; i++) {
            all.add(pool.getConnection());
        }
        for (Connection connection : all) {
            connection.close();
        }
    }

    private static List<CompletableFuture<String>> startClaims(JdbcStore store) {
        List<CompletableFuture<String>> calls = new ArrayList<>();
        for (int i = 0; i < CALLS; i++) {
            String key = "hung-" + i;
            calls.add(CompletableFuture.supplyAsync(
                    () -> claimed(store, key), task -> new Thread(task, "caller").start()));
        }
        return calls;
    }

    private static String claimed(JdbcStore store, String key) {
        try {
            ClaimResult claimed =
                    store.claim(Claim.of(RecordId.of("", "pay", key), UUID.randomUUID(), Duration.ofMinutes(1)));
            return claimed.getClass().getSimpleName();
        } catch (StoreException e) {
            return "StoreException";
        }
    }

    private static int cancelling() {
        return (int) Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("onefold-cancel")
                        || thread.getName().equals("onefold-abort"))
                .count();
    }
}
