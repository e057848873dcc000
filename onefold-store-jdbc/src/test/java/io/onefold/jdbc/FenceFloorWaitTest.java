package io.onefold.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.onefold.store.Change;
import io.onefold.store.Claim;
import io.onefold.store.ClaimResult;
import io.onefold.store.RecordId;
import io.onefold.store.RetentionPeriod;
import io.onefold.store.StoreTransactions;
import io.onefold.store.Ticket;
import io.onefold.store.UpdateResult;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Databases where a claim waits for a record that another transaction has written, while others go on. */
@Tag("F16")
@Timeout(120)
class FenceFloorWaitTest {
    private static final Duration LONG = Duration.ofHours(1);

    /** On InnoDB a claim that waits keeps a lock on the floors: nobody but the sweep waits for it. */
    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB", "MYSQL"})
    void a_claim_that_waits_keeps_nobody_from_claiming_while_the_floor_is_raised(Database database) throws Exception {
        DataSource source = database.fresh();
        try (HikariDataSource pool = Database.pool(source, 12)) {
            JdbcStore store = JdbcStore.of(pool);
            String waits = database == Database.POSTGRESQL
                    ? "select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"
                    : "select count(*) from information_schema.innodb_trx where trx_state = 'LOCK WAIT'";
            Ticket due = FenceFloorTest.won(store, claim("due"));
            assertThat(store.update(due, new Change.Release(RetentionPeriod.of(Duration.ofMillis(1)))))
                    .isEqualTo(UpdateResult.APPLIED);
            CompletableFuture<ClaimResult> waiting;
            CompletableFuture<Integer> sweeping;
            try (Connection connection = pool.getConnection()) {
                connection.setAutoCommit(false);
                try (StoreTransactions.RecordTransaction transaction = store.join(connection)) {
                    Claim held = claim("held");
                    long fence = transaction.enter(held.id()).fence();
                    assertThat(transaction.write(held, fence, new Change.Release(RetentionPeriod.of(LONG))))
                            .isTrue();
                    waiting = FenceFloorTest.beside(() -> store.claim(claim("held")));
                    Await.until("the claim waits", () -> waiting(source, waits) > 0);
                    sweeping = FenceFloorTest.beside(() -> store.sweep(10));
                    Await.until(
                            "the sweep waits, or has raised the floor",
                            () -> waiting(source, waits) > 1
                                    || !Sqls.texts(source, "select floor from onefold_fence")
                                            .isEmpty());
                    for (int i = 0; i < 20; i++) {
                        Claim other = claim("other-" + i);
                        assertThat(FenceFloorTest.beside(() -> store.claim(other))
                                        .get(5, TimeUnit.SECONDS))
                                .isInstanceOf(ClaimResult.Acquired.class);
                    }
                    assertThat(waiting).isNotDone();
                    connection.commit();
                }
            }
            assertThat(waiting.get(30, TimeUnit.SECONDS)).isNotNull();
            assertThat(sweeping.get(30, TimeUnit.SECONDS)).isEqualTo(1);
        }
    }

    /** InnoDB shows the same picture for as long as somebody looks at it more often than every tenth of a second. */
    private static int waiting(DataSource source, String waits) throws SQLException {
        LockSupport.parkNanos(Duration.ofMillis(200).toNanos());
        return Integer.parseInt(Sqls.texts(source, waits).get(0));
    }

    private static Claim claim(String key) {
        return Claim.of(RecordId.of("scope", "shared", key), UUID.randomUUID(), LONG);
    }
}
