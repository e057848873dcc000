package io.onefold.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.onefold.Key;
import io.onefold.Onefold;
import io.onefold.Operation;
import io.onefold.Outcome;
import io.onefold.Timer;
import io.onefold.Verdict;
import io.onefold.store.Status;
import io.onefold.upkeep.Reconciler;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** A process is killed (SIGKILL) at every point of an execution, and another one retries. */
@ParameterizedClass
@EnumSource(
        value = Database.class,
        names = {"POSTGRESQL", "MARIADB"})
@Tag("F24")
@Timeout(120)
class CrashFaultTest {
    private static final Duration LONG = Duration.ofHours(1);
    private static final AtomicInteger KEYS = new AtomicInteger();

    @Parameter
    Database kind = Database.POSTGRESQL;

    @TempDir
    Path dir;

    private final String key = "crash-" + KEYS.incrementAndGet();
    private final AtomicInteger runs = new AtomicInteger();
    private FaultDatabase database = FaultDatabase.shared(Database.POSTGRESQL);
    private HikariDataSource pool = new HikariDataSource();
    private Onefold onefold = Onefold.on(new io.onefold.store.MemoryStore());

    @BeforeEach
    void open() {
        database = FaultDatabase.shared(kind);
        pool = database.pool(4);
        onefold = Onefold.on(JdbcStore.of(pool));
    }

    @AfterEach
    void close() {
        pool.close();
    }

    @Test
    @Tag("F1")
    void of_a_leased_call_killed_before_its_claim_nothing_is_left_and_the_retry_runs() throws Exception {
        killed("leased", Point.BEFORE_CLAIM);
        assertThat(leased()).isEqualTo(new Outcome.Executed<>("parent's", true));
        assertThat(paid()).isEqualTo(1);
    }

    @Test
    @Tag("F1")
    void of_a_joined_call_killed_before_its_transaction_nothing_is_left_and_the_retry_runs() throws Exception {
        killed("joined", Point.BEFORE_CLAIM);
        assertRolledBackAndRun();
    }

    @Test
    @Tag("F2")
    void a_leased_call_killed_before_its_work_is_unknown_and_runs_only_when_it_can_no_longer_happen() throws Exception {
        killed("leased", Point.CLAIMED);
        assertUnknownAndNotRun();
        assertThat(paid()).isZero();
        settleByProbe(Verdict.canNoLongerHappen());
        assertThat(leased()).isEqualTo(new Outcome.Executed<>("parent's", true));
        assertThat(paid()).isEqualTo(1);
    }

    @Test
    @Tag("F2")
    void a_joined_call_killed_before_its_work_is_rolled_back_and_the_retry_runs() throws Exception {
        killed("joined", Point.CLAIMED);
        assertRolledBackAndRun();
    }

    @Test
    @Tag("F3")
    void a_leased_call_killed_in_its_work_is_unknown_and_replays_what_the_probe_finds() throws Exception {
        killed("leased", Point.WORKING);
        assertUnknownAndNotRun();
        assertReplaysWhatTheProbeFinds();
    }

    @Test
    @Tag("F3")
    void a_joined_call_killed_in_its_work_is_rolled_back_and_the_retry_runs() throws Exception {
        killed("joined", Point.WORKING);
        assertRolledBackAndRun();
    }

    @Test
    @Tag("F4")
    void a_leased_call_killed_after_its_work_is_unknown_and_replays_what_the_probe_finds() throws Exception {
        killed("leased", Point.WORKED);
        assertUnknownAndNotRun();
        assertReplaysWhatTheProbeFinds();
    }

    @Test
    @Tag("F4")
    void a_joined_call_killed_before_its_commit_is_rolled_back_and_the_retry_runs() throws Exception {
        killed("joined", Point.WORKED);
        assertRolledBackAndRun();
    }

    @Test
    @Tag("F5")
    void a_leased_call_killed_before_its_answer_is_replayed() throws Exception {
        killed("leased", Point.RECORDED);
        assertThat(leased()).isEqualTo(new Outcome.Replayed<>("worker's", true));
        assertThat(runs).hasValue(0);
        assertThat(paid()).isEqualTo(1);
    }

    @Test
    @Tag("F5")
    void a_joined_call_killed_before_its_answer_is_replayed() throws Exception {
        killed("joined", Point.RECORDED);
        assertThat(joined()).isEqualTo(new Outcome.Replayed<>("worker's", true));
        assertThat(runs).hasValue(0);
        assertThat(database.effects(key)).isEqualTo(1);
    }

    /** The one that waits for a lease to end by itself; the others end it. */
    @Test
    @Tag("F3")
    void the_lease_of_who_was_killed_ends_by_itself() throws Exception {
        try (WorkerProcess worker = start("leased", Point.WORKING, Duration.ofMillis(500))) {
            worker.awaitPoint().kill();
        }
        Await.value("it is unknown", this::leased, outcome -> outcome instanceof Outcome.Unknown);
        assertThat(runs).hasValue(0);
        assertThat(paid()).isEqualTo(1);
    }

    private void assertRolledBackAndRun() throws Exception {
        assertThat(onefold.find(Pay.ONCE, Key.of(key))).isEmpty();
        assertThat(joined()).isEqualTo(new Outcome.Executed<>("parent's", true));
        assertThat(database.effects(key)).isEqualTo(1);
        assertThat(joined()).isEqualTo(new Outcome.Replayed<>("parent's", true));
        assertThat(database.effects(key)).isEqualTo(1);
    }

    private void assertUnknownAndNotRun() throws Exception {
        assertThat(leased()).isInstanceOf(Outcome.InProgress.class);
        assertThat(status()).isEqualTo(Status.PROCESSING);
        database.endLease(key);
        assertThat(leased()).isInstanceOf(Outcome.Unknown.class);
        assertThat(leased()).isInstanceOf(Outcome.Unknown.class);
        assertThat(joined()).isInstanceOf(Outcome.Unknown.class);
        assertThat(status()).isEqualTo(Status.UNKNOWN);
        assertThat(runs).hasValue(0);
    }

    private void assertReplaysWhatTheProbeFinds() throws Exception {
        assertThat(paid()).isEqualTo(1);
        settleByProbe(Verdict.executed("found"));
        assertThat(leased()).isEqualTo(new Outcome.Replayed<>("found", true));
        assertThat(runs).hasValue(0);
        assertThat(paid()).isEqualTo(1);
    }

    private void settleByProbe(Verdict<String> verdict) {
        Reconciler reconciler = new Reconciler(onefold, Timer.system("probing"))
                .probe(Pay.ONCE, stuck -> stuck.id().key().equals(key) ? verdict : Verdict.unknown());
        assertThat(reconciler.runOnce(() -> true).settled()).isEqualTo(1);
    }

    private void killed(String mode, Point point) throws Exception {
        try (WorkerProcess worker = start(mode, point, LONG)) {
            worker.awaitPoint().kill();
        }
    }

    private WorkerProcess start(String mode, Point point, Duration lease) throws Exception {
        return WorkerProcess.start(database, mode, point, key, lease, dir.resolve("paid"));
    }

    private Outcome<String> leased() throws Exception {
        return onefold.attempt(Pay.ONCE, Key.of(key), attempt -> {
            runs.incrementAndGet();
            return Pay.abroad(dir.resolve("paid"), key, "parent's");
        });
    }

    /** With patience: the server needs a moment to notice that a session's process is gone. */
    private Outcome<String> joined() throws Exception {
        Operation<String> patient = Pay.ONCE.waitFor(Duration.ofSeconds(30));
        return onefold.attemptInTransaction(patient, Key.of(key), (attempt, connection) -> {
            runs.incrementAndGet();
            return Pay.inLedger(connection, key, "parent's");
        });
    }

    private int paid() throws Exception {
        return Pay.paidAbroad(dir.resolve("paid"), key);
    }

    private Status status() {
        return onefold.find(Pay.ONCE, Key.of(key)).orElseThrow().status();
    }
}
