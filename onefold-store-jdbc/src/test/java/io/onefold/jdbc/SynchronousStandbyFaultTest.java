package io.onefold.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.onefold.Key;
import io.onefold.Onefold;
import io.onefold.Outcome;
import io.onefold.servers.PostgresServer;
import io.onefold.store.Change;
import io.onefold.store.Claim;
import io.onefold.store.ClaimResult;
import io.onefold.store.RecordId;
import io.onefold.store.RetentionPeriod;
import io.onefold.store.StoreException;
import io.onefold.store.Ticket;
import io.onefold.store.UpdateResult;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** PostgreSQL waits for a standby before it acknowledges a commit, and the standby does not answer. */
@Timeout(180)
@Tag("F25")
class SynchronousStandbyFaultTest {
    private static final Duration LEASE = Duration.ofMinutes(10);
    private static final AtomicInteger KEYS = new AtomicInteger();
    private static final PostgresServer PRIMARY = PostgresServer.start();
    private static final FaultDatabase DATABASE = FaultDatabase.on(PRIMARY);
    private static final PostgresServer STANDBY = PRIMARY.startStandby();

    /** A commit that waits for the standby. */
    private static final String WAITING = "wait_event = 'SyncRep' and datname = current_database()";

    private final String key = "standby-" + KEYS.incrementAndGet();
    private final RecordId id = RecordId.of("", "pay", key);

    @BeforeAll
    static void waitForStandby() {
        PRIMARY.waitForStandby();
    }

    @AfterEach
    void resume() {
        STANDBY.resume();
    }

    @AfterAll
    static void stop() {
        STANDBY.close();
        PRIMARY.close();
    }

    private static JdbcStore store() {
        return JdbcStore.builder(DATABASE.source())
                .timeout(Duration.ofSeconds(1))
                .build();
    }

    @Test
    void a_claim_that_the_synchronous_standby_has_not_heard_of_is_not_granted() {
        JdbcStore store = store();
        STANDBY.pause();
        Claim claim = Claim.of(id, UUID.randomUUID(), LEASE);
        assertThatThrownBy(() -> store.claim(claim)).isInstanceOf(StoreException.class);
        assertThatThrownBy(() -> store.claim(claim)).as("it finds itself").isInstanceOf(StoreException.class);
        STANDBY.resume();
        assertThat(store.claim(claim)).isInstanceOf(ClaimResult.Acquired.class);
        PRIMARY.awaitStandby();
        assertThat(new FaultDatabase(STANDBY, DATABASE.name())
                        .number("select count(*) from idempotent_record where idem_key = '" + key + "'"))
                .as("the standby knows the claim")
                .isEqualTo(1);
    }

    @Test
    void an_end_that_the_synchronous_standby_has_not_heard_of_is_not_acknowledged() {
        JdbcStore store = store();
        UUID owner = UUID.randomUUID();
        ClaimResult.Acquired won = (ClaimResult.Acquired) store.claim(Claim.of(id, owner, LEASE));
        Ticket ticket = new Ticket(id, owner, won.fence());
        Change end = new Change.Release(RetentionPeriod.of(Duration.ofDays(1)));
        STANDBY.pause();
        assertThatThrownBy(() -> store.update(ticket, end)).isInstanceOf(StoreException.class);
        assertThatThrownBy(() -> store.update(ticket, end))
                .as("it finds itself")
                .isInstanceOf(StoreException.class);
        STANDBY.resume();
        assertThat(store.update(ticket, end)).isEqualTo(UpdateResult.APPLIED);
    }

    /** The commit is neither cancelled nor taken for granted because its record is there. */
    @Test
    void a_joined_commit_that_the_synchronous_standby_has_not_heard_of_is_not_acknowledged() throws Exception {
        try (HikariDataSource pool = DATABASE.pool(4)) {
            Onefold onefold = Onefold.on(
                    JdbcStore.builder(pool).timeout(Duration.ofSeconds(1)).build());
            STANDBY.pause();
            CompletableFuture<String> ended = started(() -> joined(onefold, key + "-ended"));
            CompletableFuture<String> hung = started(() -> joined(onefold, key + "-hung"));
            Await.until("both wait for the standby", () -> waiting() == 2);
            DATABASE.number("select count(pg_terminate_backend(pid)) from pg_stat_activity where pid ="
                    + " (select min(pid) from pg_stat_activity where " + WAITING + ")");
            Await.until("both have ended", () -> ended.isDone() && hung.isDone());
            assertThat(ended.join()).contains("CommitUnknownException");
            assertThat(hung.join()).contains("CommitUnknownException");
            STANDBY.resume();
            for (String name : List.of("-ended", "-hung")) {
                Await.value(
                        "a retry is replayed",
                        () -> joined(onefold, key + name),
                        String.valueOf(new Outcome.Replayed<>("paid", true))::equals);
                assertThat(DATABASE.effects(key + name)).isEqualTo(1);
            }
        }
    }

    private static long waiting() {
        return DATABASE.number("select count(*) from pg_stat_activity where " + WAITING);
    }

    private static String joined(Onefold onefold, String key) {
        try {
            return String.valueOf(onefold.attemptInTransaction(
                    Pay.leased(Duration.ofMillis(500)),
                    Key.of(key),
                    (attempt, connection) -> Pay.inLedger(connection, key, "paid")));
        } catch (Exception e) {
            return String.valueOf(e);
        }
    }

    private static CompletableFuture<String> started(Supplier<String> call) {
        return CompletableFuture.supplyAsync(call, task -> new Thread(task, "caller").start());
    }
}
