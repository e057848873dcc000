package io.onefold.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.onefold.Key;
import io.onefold.Onefold;
import io.onefold.Operation;
import io.onefold.Outcome;
import io.onefold.store.RecordFilter;
import java.sql.Connection;
import java.time.Duration;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(60)
class OwnConnectionsTest {
    private static final Operation<String> LONG =
            Operation.of("long", String.class).lease(Duration.ofSeconds(1)).waitFor(Duration.ZERO);

    @ParameterizedTest
    @EnumSource(
            value = Database.class,
            names = {"POSTGRESQL", "MARIADB", "MYSQL"})
    void leases_are_renewed_while_the_work_holds_every_connection_of_the_pool(Database database) throws Exception {
        DataSource source = database.fresh();
        try (HikariDataSource pool = Database.pool(source, 1)) {
            JdbcStore store = JdbcStore.builder(pool).ownConnections(source).build();
            Outcome<String> outcome = Onefold.on(store).attempt(LONG, Key.of("one"), attempt -> {
                try (Connection all = pool.getConnection()) {
                    JdbcStore watching = JdbcStore.of(source);
                    long until = now(watching) + Duration.ofSeconds(2).toNanos() / 1_000;
                    while (now(watching) < until && !attempt.leaseLost()) {
                        Thread.onSpinWait();
                    }
                    return all.isValid(1) && !attempt.leaseLost() ? "held" : "lost";
                }
            });
            assertThat(outcome).isEqualTo(new Outcome.Executed<>("held", true));
        }
    }

    @Test
    void the_epoch_is_read_while_the_work_holds_every_connection_of_the_pool() throws Exception {
        for (Database database : Database.values()) {
            DataSource source = database.fresh();
            try (HikariDataSource pool = Database.pool(source, 1)) {
                pool.setConnectionTimeout(250);
                JdbcStore store = JdbcStore.builder(pool).ownConnections(source).build();
                String epoch = store.epoch();
                try (Connection all = pool.getConnection()) {
                    assertThat(store.epoch()).isEqualTo(epoch);
                    assertThat(all.isClosed()).isFalse();
                }
            }
        }
    }

    private static long now(JdbcStore store) {
        return store.list(RecordFilter.stuck().operation("nobody's"), null, 1).now();
    }
}
