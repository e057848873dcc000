package io.onefold.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.onefold.Key;
import io.onefold.Onefold;
import io.onefold.Operation;
import io.onefold.Outcome;
import io.onefold.store.Change;
import io.onefold.store.Claim;
import io.onefold.store.ClaimResult;
import io.onefold.store.RecordId;
import io.onefold.store.RecordSignals;
import io.onefold.store.ResultPayload;
import io.onefold.store.RetentionPeriod;
import io.onefold.store.Ticket;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

/** Two stores on one PostgreSQL, as two processes would have them. */
@Timeout(60)
class SignalsTest {
    private static final Operation<String> SLOW = Operation.of("slow", String.class);
    private static final ResultPayload DONE =
            new ResultPayload(ResultPayload.Kind.NOTHING, "none", 1, null, new byte[0]);

    private final DataSource source = Database.POSTGRESQL.fresh();

    @Test
    void who_waits_is_woken_by_the_end_of_the_record() throws Exception {
        try (HikariDataSource pool = Database.pool(source, 4)) {
            JdbcStore here = JdbcStore.builder(pool).ownConnections(source).build();
            JdbcStore there = JdbcStore.of(pool);
            Ticket ticket = claimed(there);
            AtomicInteger woken = new AtomicInteger();
            CountDownLatch ended = new CountDownLatch(1);
            CountDownLatch said = new CountDownLatch(1);
            RecordSignals.Subscription subscription = signals(here).subscribe(ticket.id(), () -> {
                if (woken.incrementAndGet() == 1) {
                    said.countDown();
                } else {
                    ended.countDown();
                }
            });
            // the first wake-up says that the record knows of us
            assertThat(said.await(30, TimeUnit.SECONDS)).isTrue();
            assertThat(waited(ticket.id())).isTrue();
            there.update(ticket, new Change.Complete(DONE, RetentionPeriod.of(Duration.ofHours(1))));
            assertThat(ended.await(30, TimeUnit.SECONDS)).isTrue();
            subscription.close();
        }
    }

    @Test
    void a_record_that_nobody_waits_for_notifies_nobody() throws Exception {
        try (HikariDataSource pool = Database.pool(source, 4);
                Connection listening = source.getConnection()) {
            JdbcStore store = JdbcStore.of(pool);
            try (Statement statement = listening.createStatement()) {
                statement.execute("listen onefold");
            }
            Ticket unwaited = claimed(store);
            Ticket waited = claimed(store);
            try (Statement statement = listening.createStatement()) {
                statement.execute("update idempotent_record set waited = true where id = '"
                        + waited.id().uuid() + "'");
            }
            store.update(unwaited, new Change.Complete(DONE, RetentionPeriod.of(Duration.ofHours(1))));
            store.update(waited, new Change.Complete(DONE, RetentionPeriod.of(Duration.ofHours(1))));
            PGNotification[] heard = listening.unwrap(PGConnection.class).getNotifications(30_000);
            assertThat(heard).hasSize(1);
            assertThat(heard[0].getParameter()).isEqualTo(waited.id().uuid().toString());
        }
    }

    @Test
    void a_listener_whose_connection_is_killed_listens_again() throws Exception {
        try (HikariDataSource pool = Database.pool(source, 4)) {
            JdbcStore here = JdbcStore.builder(pool).ownConnections(source).build();
            JdbcStore there = JdbcStore.of(pool);
            Ticket ticket = claimed(there);
            AtomicInteger woken = new AtomicInteger();
            signals(here).subscribe(ticket.id(), woken::incrementAndGet);
            await(woken, 1);
            int before = woken.get();
            try (Connection connection = source.getConnection();
                    Statement statement = connection.createStatement()) {
                statement.execute("select pg_terminate_backend(pid) from pg_stat_activity"
                        + " where datname = current_database() and query = 'listen onefold'"
                        + " or query like '%set waited = true%' and pid <> pg_backend_pid()");
            }
            // back again, it says once more that someone waits, and wakes them, for they may have missed something
            await(woken, before + 1);
            int again = woken.get();
            there.update(ticket, new Change.Complete(DONE, RetentionPeriod.of(Duration.ofHours(1))));
            await(woken, again + 1);
        }
    }

    @Test
    void a_duplicate_in_another_process_gets_the_answer() throws Exception {
        try (HikariDataSource pool = Database.pool(source, 8)) {
            Onefold here =
                    Onefold.on(JdbcStore.builder(pool).ownConnections(source).build());
            Onefold there = Onefold.on(JdbcStore.of(pool));
            CountDownLatch began = new CountDownLatch(1);
            CountDownLatch goOn = new CountDownLatch(1);
            CompletableFuture<String> first = CompletableFuture.supplyAsync(
                    () -> there.run(SLOW, Key.of("one"), attempt -> {
                        began.countDown();
                        try {
                            goOn.await();
                        } catch (InterruptedException e) {
                            throw new IllegalStateException(e);
                        }
                        return "done";
                    }),
                    task -> new Thread(task).start());
            began.await();
            CompletableFuture<Outcome<String>> second = CompletableFuture.supplyAsync(
                    () -> here.attempt(SLOW.waitFor(Duration.ofSeconds(30)), Key.of("one"), attempt -> "never"),
                    task -> new Thread(task).start());
            RecordId id = RecordId.of("", "slow", "one");
            while (!waited(id)) {
                Thread.onSpinWait();
            }
            goOn.countDown();
            assertThat(second.join()).isEqualTo(new Outcome.Replayed<>("done", true));
            assertThat(first.join()).isEqualTo("done");
        }
    }

    private static void await(AtomicInteger count, int least) {
        while (count.get() < least) {
            Thread.onSpinWait();
        }
    }

    private static RecordSignals signals(JdbcStore store) {
        return Objects.requireNonNull(store.signals());
    }

    private static Ticket claimed(JdbcStore store) {
        RecordId id = RecordId.of("", "op", UUID.randomUUID().toString());
        UUID owner = UUID.randomUUID();
        ClaimResult.Acquired won = (ClaimResult.Acquired) store.claim(Claim.of(id, owner, Duration.ofMinutes(1)));
        return new Ticket(id, owner, won.fence());
    }

    private boolean waited(RecordId id) throws SQLException {
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(
                        "select 1 from idempotent_record where waited and id = '" + id.uuid() + "'")) {
            return row.next();
        }
    }
}
