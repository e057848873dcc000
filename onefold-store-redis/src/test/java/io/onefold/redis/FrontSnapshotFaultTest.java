package io.onefold.redis;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.onefold.Attempt;
import io.onefold.Key;
import io.onefold.NotExecutedException;
import io.onefold.Onefold;
import io.onefold.Operation;
import io.onefold.Outcome;
import io.onefold.Verdict;
import io.onefold.jdbc.JdbcStore;
import io.onefold.servers.PostgresServer;
import io.onefold.servers.RedisServer;
import io.onefold.store.Claim;
import io.onefold.store.ClaimResult;
import io.onefold.store.RecordId;
import io.onefold.store.TieredStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A Redis before a PostgreSQL comes back with the data of an earlier moment, while the truth has moved on. A node
 * that starts then and asks it gets what the truth would tell.
 */
@Timeout(120)
@Tag("F15")
class FrontSnapshotFaultTest {
    private static final Operation<String> PAY =
            Operation.of("pay", String.class).waitFor(Duration.ZERO);
    private static final Duration SHORT = Duration.ofMillis(1_500);

    /** The end of a record's lease stands at its 40th byte. */
    private static final String TEN_MINUTES_LATER = """
            local there, left, late = redis.call('GET', KEYS[1]), redis.call('PTTL', KEYS[1]), 600000
            local value = there:sub(1, 39) .. struct.pack('>I7', struct.unpack('>I7', there, 40) + 1000 * late) .. there:sub(47)
            return redis.call('SET', KEYS[1], value, 'PX', left + late)
            """;

    private final RedisServer server = RedisServer.start();
    private final HikariDataSource pool = pool();
    private final JdbcStore truth = JdbcStore.of(pool);
    private final List<RedisConnections> connections = new ArrayList<>();
    private final AtomicInteger runs = new AtomicInteger();
    private Node node = newNode();

    /** A process of its own. */
    private record Node(TieredStore door, Onefold onefold) {}

    /** How a call has its effect. */
    private enum Mode {
        LEASED,
        JOINED
    }

    private static HikariDataSource pool() {
        HikariConfig config = new HikariConfig();
        config.setDataSource(
                PostgresServer.shared().dataSource(PostgresServer.shared().newDatabase()));
        return new HikariDataSource(config);
    }

    private Node newNode() {
        RedisConnections redis = RedisConnections.at(server.uri());
        connections.add(redis);
        TieredStore door = TieredStore.over(RedisStore.front(redis), truth, truth::epoch, System::nanoTime);
        return new Node(door, Onefold.on(door));
    }

    @AfterEach
    void stop() {
        connections.forEach(RedisConnections::close);
        server.close();
        pool.close();
    }

    /** What stands in Redis now is what a later {@link #comeBack} finds. */
    private void snapshot() {
        server.command("SAVE");
    }

    private void comeBack() {
        server.kill();
        server.restart();
        node = newNode();
    }

    private Outcome<String> call(Mode mode, Operation<String> operation, Key key) {
        return call(mode, operation, key, attempt -> "run " + runs.incrementAndGet());
    }

    private Outcome<String> call(Mode mode, Operation<String> operation, Key key, Running running) {
        return mode == Mode.LEASED
                ? node.onefold.<String, RuntimeException>attempt(operation, key, running::run)
                : node.onefold.<String, RuntimeException>attemptInTransaction(
                        operation, key, (attempt, connection) -> running.run(attempt));
    }

    private interface Running {
        String run(Attempt attempt);
    }

    private static Outcome<String> ran(int number) {
        return new Outcome.Executed<>("run " + number, true);
    }

    private static Outcome<String> replayed(int number) {
        return new Outcome.Replayed<>("run " + number, true);
    }

    /** Whether the front itself has answered. */
    private boolean hit(Runnable call) {
        long before = node.door.health().hits();
        call.run();
        return node.door.health().hits() > before;
    }

    @ParameterizedTest
    @EnumSource
    void what_the_snapshot_knew_to_be_done_is_replayed_from_it(Mode mode) {
        call(mode, PAY, Key.of("k"));
        snapshot();
        call(mode, PAY, Key.of("later"));
        comeBack();
        assertThat(hit(() -> assertThat(call(mode, PAY, Key.of("k"))).isEqualTo(replayed(1))))
                .isTrue();
        assertThat(call(mode, PAY, Key.of("later"))).isEqualTo(replayed(2));
        assertThat(call(mode, PAY, Key.of("new"))).isEqualTo(ran(3));
    }

    @ParameterizedTest
    @EnumSource
    void a_record_that_was_overwritten_since_is_told_as_overwritten(Mode mode) {
        Operation<String> latest = PAY.overwrite();
        Key old = Key.of("k").matching("old");
        Key young = Key.of("k").matching("young");
        assertThat(call(mode, latest, old)).isEqualTo(ran(1));
        snapshot();
        assertThat(call(mode, latest, young)).isEqualTo(ran(2));
        comeBack();
        assertThat(call(mode, latest, old))
                .isEqualTo(new Outcome.Rejected<>(
                        Outcome.RejectionReason.SUPERSEDED, Outcome.RejectionReason.SUPERSEDED.message()));
        assertThat(call(mode, latest, young)).isEqualTo(replayed(2));
    }

    @ParameterizedTest
    @EnumSource
    void after_an_attempt_to_overwrite_in_vain_the_earlier_end_is_told_and_the_attempt_is_not(Mode mode) {
        Operation<String> latest = PAY.overwrite();
        Key old = Key.of("k").matching("old");
        Key young = Key.of("k").matching("young");
        assertThat(call(mode, latest, old)).isEqualTo(ran(1));
        try {
            call(mode, latest, young, attempt -> {
                snapshot();
                throw attempt.notExecuted("it cannot be done now");
            });
        } catch (NotExecutedException e) {
            // as it was told
        }
        comeBack();
        Redises.await(
                "nobody is told any more that it runs", () -> !(call(mode, latest, old) instanceof Outcome.InProgress));
        assertThat(call(mode, latest, old)).isEqualTo(replayed(1));
        Redises.await(
                "the attempt may be repeated", () -> call(mode, latest, young).equals(ran(2)));
        assertThat(call(mode, latest, young)).isEqualTo(replayed(2));
    }

    @ParameterizedTest
    @EnumSource
    void a_record_in_its_next_life_is_not_told_by_a_copy_of_the_one_before(Mode mode) {
        Operation<String> brief = PAY.keepFor(SHORT);
        assertThat(call(mode, brief, Key.of("k"))).isEqualTo(ran(1));
        snapshot();
        Operation<String> kept = PAY;
        Redises.await(
                "the first life is over", () -> call(mode, kept, Key.of("k")).equals(ran(2)));
        comeBack();
        assertThat(call(mode, kept, Key.of("k"))).isEqualTo(replayed(2));
    }

    @ParameterizedTest
    @EnumSource
    void who_is_late_is_refused_though_the_snapshot_had_the_answer(Mode mode) {
        Operation<String> strict = PAY.keepFor(SHORT).refuseLateDuplicates(Duration.ofHours(1));
        Outcome<String> late =
                new Outcome.Rejected<>(Outcome.RejectionReason.LATE, Outcome.RejectionReason.LATE.message());
        assertThat(call(mode, strict, Key.of("k"))).isEqualTo(ran(1));
        snapshot();
        Redises.await("the keep is over", () -> call(mode, strict, Key.of("k")).equals(late));
        comeBack();
        for (int i = 0; i < 3; i++) {
            assertThat(call(mode, strict, Key.of("k"))).isEqualTo(late);
        }
        assertThat(runs).hasValue(1);
    }

    @ParameterizedTest
    @EnumSource
    void what_a_person_has_settled_since_is_told_by_everybody(Mode mode) throws Exception {
        Key key = Key.of("k");
        CountDownLatch goOn = new CountDownLatch(1);
        CompletableFuture<Outcome<String>> owner = new CompletableFuture<>();
        CountDownLatch began = new CountDownLatch(1);
        Onefold busy = node.onefold;
        new Thread(() -> owner.complete(busy.<String, RuntimeException>attempt(PAY, key, attempt -> {
                    began.countDown();
                    join(goOn);
                    return "run " + runs.incrementAndGet();
                })))
                .start();
        began.await();
        assertThat(call(mode, PAY, key)).isInstanceOf(Outcome.InProgress.class);
        snapshot();
        assertThat(node.onefold.settle(PAY, key, Verdict.executed("a person's word")))
                .isTrue();
        comeBack();
        Redises.await(
                "nobody is told any more that it runs", () -> !(call(mode, PAY, key) instanceof Outcome.InProgress));
        goOn.countDown();
        assertThat(owner.get()).isEqualTo(new Outcome.Overtaken<>("run 1"));
        assertThat(call(mode, PAY, key)).isEqualTo(new Outcome.Replayed<>("a person's word", true));
        assertThat(runs).hasValue(1);
    }

    @ParameterizedTest
    @EnumSource
    void what_was_amended_since_is_told_as_amended(Mode duplicates) {
        Operation<String> handled = PAY.amendable();
        Key key = Key.of("k");
        AtomicReference<Attempt> first = new AtomicReference<>();
        call(Mode.JOINED, handled, key, attempt -> {
            first.set(attempt);
            return "value";
        });
        assertThat(call(duplicates, handled, key)).isEqualTo(new Outcome.Replayed<>("value", true));
        snapshot();
        assertThat(node.onefold.amend(handled, key, Objects.requireNonNull(first.get()), "response"))
                .isTrue();
        comeBack();
        for (int i = 0; i < 3; i++) {
            assertThat(call(duplicates, handled, key)).isEqualTo(new Outcome.Replayed<>("response", true));
        }
    }

    @Test
    void a_mark_of_a_clock_that_was_ahead_turns_nobody_away() {
        Duration lease = Duration.ofSeconds(5);
        RecordId id = node.onefold.id(PAY, Key.of("k"));
        RecordId there = id.at(truth.epoch());
        Claim claim = Claim.of(id, UUID.randomUUID(), lease);
        // a claimant that leaves its mark, and is gone before it asks the truth
        assertThat(RedisStore.front(connections.get(0)).claim(claim.mark(there, lease, null)))
                .isInstanceOf(ClaimResult.Acquired.class);
        assertThat(call(Mode.LEASED, PAY, Key.of("k"))).isInstanceOf(Outcome.InProgress.class);
        // a replica takes over whose clock is ten minutes behind: to it, all times of the mark are that much later
        server.command("EVAL", TEN_MINUTES_LATER, "1", Redises.key(there));
        assertThat(call(Mode.LEASED, PAY, Key.of("k"))).isEqualTo(ran(1));
    }

    private static void join(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
