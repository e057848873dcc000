package io.onefold.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.onefold.Key;
import io.onefold.Onefold;
import io.onefold.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

@ParameterizedClass(name = "{0} {1}")
@MethodSource("whereWaitingIsOnefolds")
class JoinedWaitTest extends JoinedCases {

    @Test
    void who_waits_for_a_transaction_of_onefolds_holds_no_connection() throws Exception {
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        try (HikariDataSource two = Database.pool(source(), 2, "TRANSACTION_" + isolation)) {
            Onefold narrow = Onefold.on(JdbcStore.of(two));
            ExecutorService threads = Executors.newCachedThreadPool();
            List<Future<Outcome<String>>> calls = new ArrayList<>();
            calls.add(threads.submit(() -> narrow.attemptInTransaction(REPEATED, key(), (attempt, connection) -> {
                entered.countDown();
                goOn.await();
                return post(connection, "once");
            })));
            entered.await();
            for (int i = 0; i < 8; i++) {
                calls.add(threads.submit(() -> narrow.attemptInTransaction(
                        REPEATED.waitFor(Duration.ofSeconds(60)),
                        key(),
                        (attempt, connection) -> post(connection, "once"))));
            }
            // with two connections, one of them held by the work, others get through only if those who wait hold none
            for (int i = 0; i < 10; i++) {
                assertThat(narrow.attempt(POST, Key.of(key + "-" + i), attempt -> "free")
                                .orThrow())
                        .isEqualTo("free");
            }
            goOn.countDown();
            for (Future<Outcome<String>> call : calls) {
                assertThat(call.get().orThrow()).isEqualTo("once");
            }
            threads.shutdownNow();
        }
        assertThat(posted()).isEqualTo(1);
    }
}
