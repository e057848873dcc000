package io.onefold.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.onefold.Key;
import io.onefold.Onefold;
import io.onefold.Operation;
import io.onefold.Outcome;
import io.onefold.Verdict;
import io.onefold.store.RecordFilter;
import io.onefold.store.Status;
import io.onefold.store.StoredRecord;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A process is paused (SIGSTOP) for longer than its lease, lives in another time zone, or is waited for in vain. */
@Timeout(120)
class PauseFaultTest {
    private static final Duration SHORT = Duration.ofMillis(600);
    private static final AtomicInteger KEYS = new AtomicInteger();

    @TempDir
    Path dir;

    private final String key = "pause-" + KEYS.incrementAndGet();
    private final AtomicInteger runs = new AtomicInteger();
    private FaultDatabase database = FaultDatabase.shared(Database.POSTGRESQL);
    private HikariDataSource pool = new HikariDataSource();
    private Onefold onefold = Onefold.on(new io.onefold.store.MemoryStore());

    @BeforeEach
    void open() {
        open(FaultDatabase.shared(Database.POSTGRESQL));
    }

    private void open(FaultDatabase where) {
        pool.close();
        database = where;
        pool = database.pool(4);
        onefold = Onefold.on(JdbcStore.of(pool));
    }

    @AfterEach
    void close() {
        pool.close();
    }

    @Test
    @Tag("F17")
    void who_slept_through_its_lease_and_a_settlement_is_overtaken_and_overwrites_nothing() throws Exception {
        try (WorkerProcess worker = start("leased", Point.WORKING, SHORT)) {
            worker.awaitPoint().stop();
            awaitUnknown();
            assertThat(onefold.settle(Pay.ONCE, Key.of(key), Verdict.executed("settled")))
                    .isTrue();
            worker.resume();
            worker.goOn();
            assertThat(worker.outcome()).isEqualTo("Overtaken[value=worker's]");
        }
        assertThat(leased(Pay.ONCE)).isEqualTo(new Outcome.Replayed<>("settled", true));
        assertThat(runs).hasValue(0);
        assertThat(paid()).isEqualTo(1);
    }

    @Test
    @Tag("F17")
    void who_slept_through_its_lease_settles_the_doubt_if_nobody_has_decided() throws Exception {
        try (WorkerProcess worker = start("leased", Point.WORKING, SHORT)) {
            worker.awaitPoint().stop();
            awaitUnknown();
            worker.resume();
            worker.goOn();
            assertThat(worker.outcome()).isEqualTo("Executed[value=worker's, stored=true]");
        }
        assertThat(leased(Pay.ONCE)).isEqualTo(new Outcome.Replayed<>("worker's", true));
        assertThat(runs).hasValue(0);
        assertThat(paid()).isEqualTo(1);
    }

    @Test
    @Tag("F17")
    void a_joined_call_that_sleeps_holds_its_record_and_commits_when_it_wakes() throws Exception {
        try (WorkerProcess worker = start("joined", Point.WORKING, SHORT)) {
            worker.awaitPoint().stop();
            assertThat(joined(Pay.ONCE)).isInstanceOf(Outcome.InProgress.class);
            worker.resume();
            worker.goOn();
            assertThat(worker.outcome()).isEqualTo("Executed[value=worker's, stored=true]");
        }
        assertThat(joined(Pay.ONCE)).isEqualTo(new Outcome.Replayed<>("worker's", true));
        assertThat(database.effects(key)).isEqualTo(1);
    }

    @Test
    @Tag("F17")
    void a_joined_call_whose_session_was_ended_in_its_sleep_has_no_effect_when_it_wakes() throws Exception {
        open(FaultDatabase.on(database.server()));
        try (WorkerProcess worker = start("joined", Point.WORKED, SHORT)) {
            worker.awaitPoint().stop();
            pool.close();
            database.terminateSessions();
            open(database);
            assertThat(joined(Pay.ONCE.waitFor(Duration.ofSeconds(30))))
                    .isEqualTo(new Outcome.Executed<>("parent's", true));
            worker.resume();
            worker.goOn();
            assertThat(worker.outcome()).contains("StoreException");
        }
        assertThat(joined(Pay.ONCE)).isEqualTo(new Outcome.Replayed<>("parent's", true));
        assertThat(database.effects(key)).isEqualTo(1);
    }

    @Test
    @Tag("F18")
    void who_was_taken_over_in_its_sleep_is_overtaken_even_while_its_successor_works() throws Exception {
        Operation<String> repeatable = Pay.ONCE.safeToRepeat();
        try (WorkerProcess worker = start("leased", Point.WORKING, SHORT)) {
            worker.awaitPoint().stop();
            Await.value(
                    "it is taken over",
                    () -> onefold.attempt(repeatable, Key.of(key), attempt -> {
                        runs.incrementAndGet();
                        assertThat(attempt.fence()).isGreaterThan(worker.fence());
                        worker.resume();
                        worker.goOn();
                        assertThat(worker.outcome()).isEqualTo("Overtaken[value=worker's]");
                        assertThat(record().status()).isEqualTo(Status.PROCESSING);
                        assertThat(record().fence()).isEqualTo(attempt.fence());
                        return "parent's";
                    }),
                    outcome -> outcome instanceof Outcome.Executed);
        }
        assertThat(leased(Pay.ONCE)).isEqualTo(new Outcome.Replayed<>("parent's", true));
        assertThat(runs).hasValue(1);
    }

    @Test
    @Tag("F19")
    void who_waits_in_vain_leaves_the_owners_record_alone() throws Exception {
        try (WorkerProcess worker = start("leased", Point.WORKING, Duration.ofHours(1))) {
            worker.awaitPoint();
            StoredRecord before = record();
            assertThat(leased(Pay.ONCE.waitFor(Duration.ofMillis(100)))).isInstanceOf(Outcome.InProgress.class);
            assertThat(joined(Pay.ONCE.waitFor(Duration.ofMillis(100)))).isInstanceOf(Outcome.InProgress.class);
            assertThat(record()).usingRecursiveComparison().isEqualTo(before);
            worker.goOn();
            assertThat(worker.outcome()).isEqualTo("Executed[value=worker's, stored=true]");
        }
        assertThat(leased(Pay.ONCE)).isEqualTo(new Outcome.Replayed<>("worker's", true));
        assertThat(runs).hasValue(0);
        assertThat(paid()).isEqualTo(1);
    }

    @Test
    @Tag("F16")
    void time_zones_of_processes_and_sessions_change_no_time_in_postgresql() throws Exception {
        open(FaultDatabase.on(database.server()));
        database.execute("alter database " + database.name() + " set timezone to 'America/Caracas'");
        assertTimesAreTheServers();
    }

    @Test
    @Tag("F16")
    void time_zones_of_processes_and_sessions_change_no_time_in_mariadb() throws Exception {
        open(FaultDatabase.shared(Database.MARIADB));
        database.execute("set global time_zone = '-04:30'");
        try {
            open(database);
            assertTimesAreTheServers();
        } finally {
            database.execute("set global time_zone = 'SYSTEM'");
        }
    }

    /** The lease is a tenth of the distance between the zones: if one of them counted, it would be over or far away. */
    private void assertTimesAreTheServers() throws Exception {
        Duration lease = Duration.ofMinutes(90);
        long before = database.clock();
        try (WorkerProcess worker = WorkerProcess.start(
                database,
                "leased",
                Point.WORKING,
                key,
                lease,
                dir.resolve("paid"),
                "-Duser.timezone=Pacific/Kiritimati")) {
            worker.awaitPoint();
            StoredRecord.RecordTimes times = record().times();
            long after = database.clock();
            assertThat(times.createdAt()).isBetween(before, after);
            assertThat(times.updatedAt()).isBetween(before, after);
            assertThat(times.leaseUntil() - times.updatedAt()).isEqualTo(lease.toNanos() / 1_000);
            assertThat(record().fence()).isBetween(before, after);
            assertThat(leased(Pay.ONCE)).isInstanceOf(Outcome.InProgress.class);
            assertThat(onefold.store().list(RecordFilter.stuck(), null, 1_000).records())
                    .noneMatch(record -> record.id().key().equals(key));
            worker.goOn();
            assertThat(worker.outcome()).isEqualTo("Executed[value=worker's, stored=true]");
        }
        StoredRecord.RecordTimes times = record().times();
        assertThat(times.updatedAt()).isBetween(before, database.clock());
        assertThat(times.expireAt() - times.updatedAt())
                .isEqualTo(io.onefold.RetentionPresets.DEFAULT.toNanos() / 1_000);
        assertThat(onefold.store()
                        .list(RecordFilter.of(Status.SUCCESS), null, 1_000)
                        .records())
                .filteredOn(record -> record.id().key().equals(key))
                .singleElement()
                .satisfies(listed -> assertThat(listed.times()).isEqualTo(times));
        assertThat(leased(Pay.ONCE)).isEqualTo(new Outcome.Replayed<>("worker's", true));
        assertThat(runs).hasValue(0);
    }

    private void awaitUnknown() throws Exception {
        Await.value("it is unknown", () -> leased(Pay.ONCE), outcome -> outcome instanceof Outcome.Unknown);
    }

    private WorkerProcess start(String mode, Point point, Duration lease) throws Exception {
        return WorkerProcess.start(database, mode, point, key, lease, dir.resolve("paid"));
    }

    private Outcome<String> leased(Operation<String> operation) throws Exception {
        return onefold.attempt(operation, Key.of(key), attempt -> {
            runs.incrementAndGet();
            return Pay.abroad(dir.resolve("paid"), key, "parent's");
        });
    }

    private Outcome<String> joined(Operation<String> operation) throws Exception {
        return onefold.attemptInTransaction(
                operation, Key.of(key), (attempt, connection) -> Pay.inLedger(connection, key, "parent's"));
    }

    private int paid() throws Exception {
        return Pay.paidAbroad(dir.resolve("paid"), key);
    }

    private StoredRecord record() {
        return onefold.find(Pay.ONCE, Key.of(key)).orElseThrow();
    }
}
