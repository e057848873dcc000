package io.onefold.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.onefold.Attempt;
import io.onefold.Key;
import io.onefold.Onefold;
import io.onefold.Operation;
import io.onefold.Outcome;
import io.onefold.TransactionScope;
import io.onefold.store.MemoryStore;
import io.onefold.store.NearCache;
import io.onefold.store.RecordId;
import io.onefold.store.RecordSnapshot;
import io.onefold.store.Store;
import io.onefold.store.TieredStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Joined calls on a store with a cache tier before it: what the tier may answer needs no transaction. */
@ParameterizedClass(name = "{0} {1}")
@MethodSource("everywhere")
class JoinedTierTest {
    private static final Operation<String> POST = Operation.of("post", String.class);
    private static final Operation<String> AMENDABLE = POST.amendable();
    private static final int DUPLICATES = 25;

    @Parameter(0)
    Database database = Database.H2;

    @Parameter(1)
    Tier tier = Tier.NEAR;

    /** What stands before the database; two nodes share the front, and each has a near cache of its own. */
    enum Tier {
        NEAR,
        FRONT,
        BOTH
    }

    private final AtomicInteger borrowed = new AtomicInteger();
    private final AtomicLong nanos = new AtomicLong(1);
    private final AtomicReference<String> epoch = new AtomicReference<>("e1");
    private final ExchangedStore front = new ExchangedStore(new MemoryStore());
    private final AtomicBoolean commits = new AtomicBoolean(true);
    private final List<Store> tiers = new ArrayList<>();
    private HikariDataSource pool = new HikariDataSource();
    private Onefold onefold = Onefold.on(new MemoryStore());
    private Onefold other = onefold;

    static Stream<Arguments> everywhere() {
        return Stream.of(Database.values())
                .flatMap(database -> Stream.of(Tier.values()).map(tier -> Arguments.of(database, tier)));
    }

    @BeforeEach
    void open() {
        pool = Database.pool(database.fresh(), 4);
        DataSource counting = new ForwardingDataSource(pool) {
            @Override
            public Connection getConnection() throws SQLException {
                borrowed.incrementAndGet();
                return super.getConnection();
            }
        };
        JdbcStore records = JdbcStore.of(counting);
        Store truth = new PointedStore(records, point -> {
            if (point == Point.WORKED && !commits.get()) {
                throw new IllegalStateException("no commit");
            }
        });
        onefold = node(truth);
        other = node(truth);
    }

    private Onefold node(Store truth) {
        Store store = tier == Tier.NEAR ? truth : TieredStore.over(front, truth, epoch::get, nanos::get);
        store = tier == Tier.FRONT ? store : NearCache.over(store, 64, nanos::get);
        tiers.add(store);
        return Onefold.on(store);
    }

    @AfterEach
    void close() {
        pool.close();
    }

    private Outcome<String> call(Onefold node, Operation<String> operation, Key key, String result)
            throws SQLException {
        return node.attemptInTransaction(operation, key, (attempt, connection) -> result);
    }

    private Outcome<String> call(String result) throws SQLException {
        return call(onefold, POST, Key.of("k"), result);
    }

    private static void replays(Outcome<String> outcome, String value) {
        assertThat(outcome).isEqualTo(new Outcome.Replayed<>(value, true));
    }

    /** How many connections are borrowed meanwhile: no transaction is open without one. */
    private int connections(Step step) throws SQLException {
        int before = borrowed.get();
        step.run();
        return borrowed.get() - before;
    }

    private void knownNowhere() {
        RecordId id = onefold.id(POST, Key.of("k"));
        assertThat(tiers).allSatisfy(store -> assertThat(known(store, id)).isNull());
    }

    private static @Nullable RecordSnapshot known(Store store, RecordId id) {
        return Objects.requireNonNull(store.tier()).known(id);
    }

    @Test
    void duplicates_of_a_committed_call_open_no_transaction() throws SQLException {
        assertThat(call("once")).isEqualTo(new Outcome.Executed<>("once", true));
        assertThat(connections(() -> {
                    for (int i = 0; i < DUPLICATES; i++) {
                        replays(call("twice"), "once");
                    }
                }))
                .isZero();
    }

    @Test
    void another_payload_is_a_conflict_without_a_transaction() throws SQLException {
        call(onefold, POST, Key.of("k").matching(Map.of("cents", 1)), "once");
        assertThat(connections(() -> assertThat(call(onefold, POST, Key.of("k").matching(Map.of("cents", 2)), "twice"))
                        .isEqualTo(new Outcome.Conflict<>(List.of("cents")))))
                .isZero();
    }

    @Test
    void one_duplicate_asks_the_database_for_what_the_tier_has_lost() throws SQLException {
        call("once");
        front.present = new MemoryStore();
        nanos.addAndGet(Duration.ofMinutes(1).toNanos());
        assertThat(connections(() -> replays(call("twice"), "once"))).isPositive();
        assertThat(connections(() -> replays(call("twice"), "once"))).isZero();
    }

    @Test
    void a_final_failure_is_told_without_a_transaction() throws SQLException {
        Operation<String> failing = POST.failOn(IllegalArgumentException.class);
        assertThatThrownBy(() -> onefold.attemptInTransaction(failing, Key.of("k"), (attempt, connection) -> {
                    throw new IllegalArgumentException("no such account");
                }))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(call(onefold, failing, Key.of("k"), "twice")).isInstanceOf(Outcome.Failed.class);
        assertThat(connections(() ->
                        assertThat(call(onefold, failing, Key.of("k"), "twice")).isInstanceOf(Outcome.Failed.class)))
                .isZero();
    }

    @Test
    void what_is_not_committed_stands_in_no_tier() throws SQLException {
        assertThatThrownBy(() -> onefold.attemptInTransaction(POST, Key.of("k"), (attempt, connection) -> {
                    knownNowhere();
                    throw new SQLException("rolled back");
                }))
                .isInstanceOf(SQLException.class);
        knownNowhere();
        commits.set(false);
        assertThatThrownBy(() -> call("not committed")).isInstanceOf(IllegalStateException.class);
        knownNowhere();
        commits.set(true);
        assertThat(call("once")).isEqualTo(new Outcome.Executed<>("once", true));
        replays(call("twice"), "once");
    }

    @Test
    void what_is_written_in_a_transaction_of_the_callers_is_copied_only_when_that_is_over() throws SQLException {
        try (Connection connection = pool.getConnection()) {
            connection.setAutoCommit(false);
            try (TransactionScope joined = onefold.joined(connection)) {
                joined.run(POST, Key.of("k"), attempt -> "rolled back");
                replays(joined.attempt(POST, Key.of("k"), attempt -> "twice"), "rolled back");
                knownNowhere();
                connection.rollback();
            }
            knownNowhere();
            try (TransactionScope joined = onefold.joined(connection)) {
                joined.run(POST, Key.of("k"), attempt -> "once");
                connection.commit();
            }
            connection.setAutoCommit(true);
        }
        replays(call("twice"), "once");
        assertThat(connections(() -> replays(call("twice"), "once"))).isZero();
    }

    @Test
    void an_amended_result_is_told_from_the_tier_and_the_earlier_one_never() throws SQLException {
        AtomicReference<Attempt> attempts = new AtomicReference<>();
        onefold.attemptInTransaction(AMENDABLE, Key.of("k"), (attempt, connection) -> {
            attempts.set(attempt);
            return "value";
        });
        knownNowhere();
        for (Onefold node : List.of(onefold, other)) {
            replays(call(node, AMENDABLE, Key.of("k"), "twice"), "value");
            // of a leased call, which should not be made at such an operation, but may be
            replays(node.attempt(AMENDABLE, Key.of("k"), attempt -> "twice"), "value");
        }
        knownNowhere();
        assertThat(onefold.amend(AMENDABLE, Key.of("k"), Objects.requireNonNull(attempts.get()), "response"))
                .isTrue();
        assertThat(connections(() -> replays(call(onefold, AMENDABLE, Key.of("k"), "twice"), "response")))
                .isZero();
        replays(call(other, AMENDABLE, Key.of("k"), "twice"), "response");
        replays(other.attempt(AMENDABLE, Key.of("k"), attempt -> "twice"), "response");
        assertThat(connections(() -> replays(call(onefold, AMENDABLE, Key.of("k"), "twice"), "response")))
                .isZero();
    }

    @Test
    void a_result_is_not_replaced_by_one_that_cannot_be_kept() throws SQLException {
        Operation<String> small = AMENDABLE.maxResultBytes(100);
        AtomicReference<Attempt> attempts = new AtomicReference<>();
        onefold.attemptInTransaction(small, Key.of("k"), (attempt, connection) -> {
            attempts.set(attempt);
            return "value";
        });
        Attempt attempt = Objects.requireNonNull(attempts.get());
        assertThat(onefold.amend(small, Key.of("k"), attempt, "x".repeat(100))).isFalse();
        replays(call(onefold, small, Key.of("k"), "twice"), "value");
        assertThat(onefold.amend(small, Key.of("k"), attempt, "response")).isTrue();
        replays(call(onefold, small, Key.of("k"), "twice"), "response");
    }

    @Test
    void after_an_amendment_nobody_is_told_the_earlier_result_whoever_read_it_before() throws Exception {
        for (int round = 0; round < 20; round++) {
            Key key = Key.of("k" + round);
            AtomicBoolean amended = new AtomicBoolean();
            AtomicReference<Attempt> attempts = new AtomicReference<>();
            onefold.attemptInTransaction(AMENDABLE, key, (attempt, connection) -> {
                attempts.set(attempt);
                return "value";
            });
            AtomicInteger callers = new AtomicInteger();
            JoinedCases.atOnce(4, () -> {
                if (callers.incrementAndGet() == 4) {
                    onefold.amend(AMENDABLE, key, Objects.requireNonNull(attempts.get()), "response");
                    amended.set(true);
                    return null;
                }
                for (int i = 0; i < 10; i++) {
                    boolean after = amended.get();
                    Outcome<String> told = call(i % 2 == 0 ? onefold : other, AMENDABLE, key, "twice");
                    if (after) {
                        replays(told, "response");
                    }
                }
                return null;
            });
        }
    }

    @Test
    void only_what_no_tier_holds_is_amended() throws SQLException {
        AtomicReference<Attempt> attempts = new AtomicReference<>();
        onefold.attemptInTransaction(POST, Key.of("k"), (attempt, connection) -> {
            attempts.set(attempt);
            return "value";
        });
        assertThatThrownBy(() -> onefold.amend(POST, Key.of("k"), Objects.requireNonNull(attempts.get()), "response"))
                .isInstanceOf(IllegalArgumentException.class);
        onefold.attempt(AMENDABLE, Key.of("leased"), attempt -> {
            attempts.set(attempt);
            return "value";
        });
        assertThatThrownBy(() ->
                        onefold.amend(AMENDABLE, Key.of("leased"), Objects.requireNonNull(attempts.get()), "response"))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void what_may_be_overwritten_is_asked_of_the_database() throws SQLException {
        Operation<String> overwriting = POST.overwrite();
        Key first = Key.of("k").matching(Map.of("cents", 1));
        Key second = Key.of("k").matching(Map.of("cents", 2));
        // the end of a leased call is copied to the front, where only leased calls replace it
        onefold.attempt(overwriting, first, attempt -> "first");
        replays(call(other, overwriting, first, "again"), "first");
        assertThat(call(onefold, overwriting, second, "second")).isEqualTo(new Outcome.Executed<>("second", true));
        replays(call(other, overwriting, second, "again"), "second");
        assertThat(call(other, overwriting, first, "again")).isInstanceOf(Outcome.Rejected.class);
    }

    @Test
    void in_another_epoch_the_front_answers_nobody() throws SQLException {
        call("once");
        epoch.set("e2");
        nanos.addAndGet(Duration.ofMinutes(1).toNanos());
        assertThat(connections(() -> replays(call("twice"), "once"))).isPositive();
    }

    @FunctionalInterface
    private interface Step {
        void run() throws SQLException;
    }
}
