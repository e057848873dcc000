package io.onefold.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.onefold.store.BatchItemResult;
import io.onefold.store.Claim;
import io.onefold.store.RecordId;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Steps of PostgreSQL that succeed although they were cancelled. */
@Timeout(60)
class LateCancelTest {
    private static final Duration STEP = Duration.ofSeconds(3);

    @Test
    void a_connection_whose_transaction_began_too_late_has_its_isolation_again() throws Exception {
        try (Connection only = Database.POSTGRESQL.fresh().getConnection()) {
            AtomicBoolean slow = new AtomicBoolean();
            DataSource source = Passing.each(lending(only), "setTransactionIsolation", () -> {
                if (slow.getAndSet(false)) {
                    rest(STEP.plusMillis(500));
                }
            });
            JdbcStore store = JdbcStore.builder(source)
                    .timeout(STEP)
                    .batching(true)
                    .table(RecordTable.named("other_record").holding("other"))
                    .build();
            only.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
            slow.set(true);
            List<Claim> both = List.of(claim("shared"), claim("other"));
            assertThat(store.claimAll(both)).hasSize(2).allMatch(BatchItemResult::succeeded);
            assertThat(slow).as("a transaction was begun").isFalse();
            assertThat(only.getTransactionIsolation()).isEqualTo(Connection.TRANSACTION_SERIALIZABLE);
        }
    }

    private static void rest(Duration time) {
        long until = System.nanoTime() + time.toNanos();
        for (long left = time.toNanos(); left > 0; left = until - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }

    /** As pools do that give a connection back as it is. */
    private static DataSource lending(Connection only) {
        Connection lent = (Connection) Proxy.newProxyInstance(
                Connection.class.getClassLoader(), new Class<?>[] {Connection.class}, (self, method, args) -> {
                    try {
                        return method.getName().equals("close") ? null : method.invoke(only, args);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
        return (DataSource) Proxy.newProxyInstance(
                DataSource.class.getClassLoader(),
                new Class<?>[] {DataSource.class},
                (self, method, args) -> switch (method.getName()) {
                    case "getConnection" -> lent;
                    case "isWrapperFor" -> false;
                    default -> throw new UnsupportedOperationException(method.getName());
                });
    }

    private static Claim claim(String operation) {
        return Claim.of(RecordId.of("scope", operation, "key"), UUID.randomUUID(), Duration.ofMinutes(1));
    }
}
