package io.onefold.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.onefold.servers.PostgresServer;
import io.onefold.store.BatchItemResult;
import io.onefold.store.Change;
import io.onefold.store.Claim;
import io.onefold.store.ClaimResult;
import io.onefold.store.RecordId;
import io.onefold.store.RecordSnapshot;
import io.onefold.store.RecordUpdate;
import io.onefold.store.RetentionPeriod;
import io.onefold.store.Store;
import io.onefold.store.StoreException;
import io.onefold.store.Ticket;
import io.onefold.store.UpdateResult;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What calls that share a trip to PostgreSQL owe each other, with 64 threads at one store. */
@Timeout(60)
class CombinerFaultTest {
    private static final int THREADS = 64;
    private static final Duration LEASE = Duration.ofMinutes(5);
    private static final RetentionPeriod KEEP = RetentionPeriod.of(LEASE);
    private static final RecordTable OWN = RecordTable.named("own_record")
            .holding("own")
            .column("amount", "varchar(8)", Claim::bizId)
            .column("weight", "bigint", claim -> {
                if ("throws".equals(claim.bizId())) {
                    throw new IllegalStateException("no weight");
                }
                return 1L;
            })
            .column("code", "char(3)", claim -> "abc")
            .column("price", "decimal(19, 2)", claim -> new BigDecimal("1.25"));
    private static final AtomicInteger KEYS = new AtomicInteger();

    private final String prefix = "combined-" + KEYS.incrementAndGet() + "-";
    private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    private final FaultDatabase database = FaultDatabase.shared(Database.POSTGRESQL);
    private final HikariDataSource pool = FaultDatabase.pool(database.source(), 12);
    private final Store store =
            JdbcStore.builder(pool).table(OWN).timeout(Duration.ofSeconds(1)).build();

    @AfterEach
    void close() {
        threads.shutdownNow();
        pool.close();
    }

    @Test
    void of_many_calls_for_one_record_one_wins_and_all_see_its_claim() throws Exception {
        for (int round = 0; round < 5; round++) {
            RecordId id = RecordId.of("", "shared", prefix + round);
            List<ClaimResult> answers = atOnce(n -> store.claim(Claim.of(id, UUID.randomUUID(), LEASE)));
            List<ClaimResult.Acquired> won = answers.stream()
                    .filter(ClaimResult.Acquired.class::isInstance)
                    .map(ClaimResult.Acquired.class::cast)
                    .toList();
            assertThat(won).hasSize(1);
            assertThat(answers.stream().filter(RecordSnapshot.class::isInstance).map(RecordSnapshot.class::cast))
                    .hasSize(THREADS - 1)
                    .allMatch(seen -> seen.record().fence() == won.get(0).fence());
        }
    }

    @Test
    void a_column_that_cannot_be_written_fails_its_own_call_alone() throws Exception {
        List<Object> answers = atOnce(n -> {
            String amount = n % 16 == 3 ? "far too long for it" : n % 16 == 7 ? "throws" : "fits";
            return answer(() -> store.claim(Claim.of(RecordId.of("", "own", prefix + n), UUID.randomUUID(), LEASE)
                    .bizId(amount)));
        });
        for (int n = 0; n < THREADS; n++) {
            boolean bad = n % 16 == 3 || n % 16 == 7;
            assertThat(answers.get(n)).isInstanceOf(bad ? RuntimeException.class : ClaimResult.Acquired.class);
        }
        assertThat(database.number(
                        "select count(*) from own_record where amount = 'fits' and code = 'abc' and price = 1.25"
                                + " and idem_key like '" + prefix + "%'"))
                .isEqualTo(THREADS - 8);
    }

    @Test
    void a_record_that_another_transaction_holds_times_out_alone() throws Exception {
        List<Ticket> tickets = atOnce(n -> claimed(prefix + n));
        String held = tickets.get(5).id().key();
        try (Connection connection = database.source().getConnection();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute("select 1 from idempotent_record where idem_key = '" + held + "' for update");
            List<BatchItemResult<UpdateResult>> answers = store.updateAll(releases(tickets));
            for (int n = 0; n < THREADS; n++) {
                BatchItemResult<UpdateResult> answer = answers.get(n);
                if (n == 5) {
                    assertThatThrownBy(answer::get).isInstanceOf(StoreException.class);
                } else {
                    assertThat(answer.get()).as("%s", n).isEqualTo(UpdateResult.APPLIED);
                }
            }
            connection.rollback();
        }
        assertThat(store.update(tickets.get(5), new Change.Release(KEEP))).isEqualTo(UpdateResult.APPLIED);
    }

    @Test
    void who_is_interrupted_gets_its_answer_and_stays_interrupted_and_hurts_nobody() throws Exception {
        List<Object> answers = atOnce(n -> {
            boolean interrupted = n % 4 == 0;
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
            Object answer = answer(() -> claimed(prefix + n));
            return Thread.interrupted() == interrupted ? answer : "the interrupt was lost";
        });
        assertThat(answers).allMatch(Ticket.class::isInstance);
    }

    @Test
    @Tag("F26")
    void when_no_connection_is_to_be_had_a_trip_fails_as_a_whole_and_not_one_call_after_another() throws Exception {
        AtomicInteger asked = new AtomicInteger();
        AtomicBoolean exhausted = new AtomicBoolean();
        CountDownLatch arrived = new CountDownLatch(THREADS);
        DataSource source = Passing.each(pool, "getConnection", () -> {
            if (exhausted.get()) {
                asked.incrementAndGet();
                arrived.await();
                throw new SQLException("all connections are in use");
            }
        });
        Store narrow = JdbcStore.builder(source).batching(true).build();
        exhausted.set(true);
        List<Object> answers = atOnce(n -> {
            arrived.countDown();
            return answer(() -> narrow.claim(Claim.of(id(prefix + n), UUID.randomUUID(), LEASE)));
        });
        assertThat(answers).allMatch(StoreException.class::isInstance);
        // eight on their own, two who lead, and those whom they take along: not each of the rest for itself
        assertThat(asked).hasValueLessThan(THREADS);
    }

    @Test
    @Tag("F9")
    void sessions_that_end_in_mid_flush_leave_a_true_answer_or_a_retry_that_is_recognised() throws Exception {
        FaultDatabase own = FaultDatabase.on(PostgresServer.shared());
        AtomicInteger lost = new AtomicInteger();
        try (HikariDataSource brittle = FaultDatabase.pool(own.source(), 12)) {
            Store under = JdbcStore.of(brittle);
            Future<List<Integer>> calls = Executors.newSingleThreadExecutor()
                    .submit(() -> atOnce(n -> {
                        for (int i = 0; i < 20; i++) {
                            UUID owner = UUID.randomUUID();
                            Claim claim = Claim.of(id(prefix + n + "-" + i), owner, LEASE);
                            ClaimResult.Acquired won = (ClaimResult.Acquired) insisting(lost, () -> under.claim(claim));
                            Ticket ticket = new Ticket(claim.id(), owner, won.fence());
                            Change release = new Change.Release(KEEP);
                            assertThat(insisting(lost, () -> under.update(ticket, release)))
                                    .isEqualTo(UpdateResult.APPLIED);
                        }
                        return n;
                    }));
            Random random = new Random(11);
            while (!calls.isDone()) {
                own.terminateSessions();
                LockSupport.parkNanos((10 + random.nextInt(30)) * 1_000_000L);
            }
            assertThat(calls.get()).hasSize(THREADS);
        }
        assertThat(lost).hasPositiveValue();
        assertThat(own.number("select count(*) from idempotent_record where status = 4 and attempts = 1"))
                .isEqualTo(20 * THREADS);
    }

    @Test
    @Tag("F11")
    void flushes_of_several_stores_over_the_same_records_never_end_in_a_deadlock() throws Exception {
        Store other = JdbcStore.builder(pool).table(OWN).build();
        List<Ticket> tickets = atOnce(n -> claimed(prefix + n));
        List<Object> answers = new ArrayList<>();
        for (int round = 0; round < 5; round++) {
            answers.addAll(atOnce(n -> answer(() -> {
                // from both ends, so that the trips meet each other's records in opposite order of arrival
                Store mine = n % 2 == 0 ? store : other;
                Ticket ticket = tickets.get(n % 2 == 0 ? n : THREADS - 1 - n);
                return mine.update(ticket, new Change.Renew(LEASE));
            })));
        }
        assertThat(answers).allMatch(UpdateResult.APPLIED::equals);
    }

    @Test
    @Tag("F11")
    void a_deadlock_with_somebody_elses_transaction_is_survived() throws Exception {
        FaultDatabase own = FaultDatabase.on(PostgresServer.shared());
        // who waits looks for a circle once, after this time: it must be there by then
        own.execute("alter database " + own.name() + " set deadlock_timeout = '2s'");
        ExecutorService flushing = Executors.newSingleThreadExecutor();
        try (HikariDataSource quick = FaultDatabase.pool(own.source(), 4);
                Connection connection = own.source().getConnection();
                Statement statement = connection.createStatement()) {
            Store under = JdbcStore.of(quick);
            List<Ticket> tickets = new ArrayList<>();
            for (int n = 0; n < 8; n++) {
                UUID owner = UUID.randomUUID();
                ClaimResult.Acquired won = (ClaimResult.Acquired) under.claim(Claim.of(id(prefix + n), owner, LEASE));
                tickets.add(new Ticket(id(prefix + n), owner, won.fence()));
            }
            // it is the flush that looks for a circle, and so the flush that is given up
            statement.execute("set deadlock_timeout = '60s'");
            connection.setAutoCommit(false);
            lock(statement, tickets.get(3));
            Future<List<BatchItemResult<UpdateResult>>> flush =
                    flushing.submit(() -> under.updateAll(releases(tickets)));
            // and nobody else, in a database that is its own
            Await.until(
                    "the flush waits",
                    () -> own.number("select count(*) from pg_stat_activity"
                                    + " where wait_event_type = 'Lock' and datname = current_database()")
                            > 0);
            for (Ticket ticket : tickets) {
                lock(statement, ticket);
            }
            connection.commit();
            assertThat(flush.get()).allMatch(answer -> answer.get() == UpdateResult.APPLIED);
            // sessions tell what they counted when they end
            quick.close();
            Await.until(
                    "the deadlock is counted",
                    () -> own.number("select deadlocks from pg_stat_database where datname = current_database()") > 0);
        } finally {
            flushing.shutdownNow();
        }
    }

    private static List<RecordUpdate> releases(List<Ticket> tickets) {
        return tickets.stream()
                .map(ticket -> new RecordUpdate(ticket, new Change.Release(KEEP)))
                .toList();
    }

    @Test
    void a_store_that_was_down_answers_again_without_being_opened_anew() throws Exception {
        FaultDatabase own = FaultDatabase.on(PostgresServer.shared());
        try (HikariDataSource brittle = FaultDatabase.pool(own.source(), 4)) {
            Store under = JdbcStore.of(brittle);
            own.terminateSessions();
            List<Object> answers =
                    atOnce(n -> answer(() -> under.claim(Claim.of(id(prefix + n), UUID.randomUUID(), LEASE))));
            assertThat(answers).allMatch(answer -> answer instanceof ClaimResult || answer instanceof StoreException);
            assertThat(under.claim(Claim.of(id(prefix + "after"), UUID.randomUUID(), LEASE)))
                    .isInstanceOf(ClaimResult.Acquired.class);
        }
    }

    private static void lock(Statement statement, Ticket ticket) throws Exception {
        statement.execute("select 1 from idempotent_record where idem_key = '"
                + ticket.id().key() + "' for update");
    }

    private Ticket claimed(String key) {
        UUID owner = UUID.randomUUID();
        ClaimResult.Acquired won = (ClaimResult.Acquired) store.claim(Claim.of(id(key), owner, LEASE));
        return new Ticket(id(key), owner, won.fence());
    }

    private static RecordId id(String key) {
        return RecordId.of("", "shared", key);
    }

    private static <T> T insisting(AtomicInteger lost, Callable<T> call) throws Exception {
        while (true) {
            try {
                return call.call();
            } catch (StoreException e) {
                lost.incrementAndGet();
            }
        }
    }

    private static Object answer(Callable<?> call) {
        try {
            return call.call();
        } catch (Exception e) {
            return e;
        }
    }

    private interface Numbered<T> {
        T call(int number) throws Exception;
    }

    private <T> List<T> atOnce(Numbered<T> call) throws InterruptedException, ExecutionException {
        CountDownLatch start = new CountDownLatch(THREADS);
        List<Future<T>> calls = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            int number = i;
            calls.add(threads.submit(() -> {
                start.countDown();
                start.await();
                return call.call(number);
            }));
        }
        List<T> answers = new ArrayList<>();
        for (Future<T> one : calls) {
            answers.add(one.get());
        }
        return answers;
    }
}
