package io.onefold.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.onefold.Key;
import io.onefold.Onefold;
import io.onefold.Operation;
import io.onefold.OperationEvent;
import io.onefold.Outcome;
import io.onefold.Verdict;
import io.onefold.servers.TcpProxy;
import io.onefold.store.Status;
import io.onefold.store.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** The database does what it is asked to, and its answer is lost on the way back; or nobody gets through to it for a while. */
@ParameterizedClass
@EnumSource(
        value = Database.class,
        names = {"POSTGRESQL", "MARIADB"})
@Timeout(60)
class NetworkFaultTest {
    private static final AtomicInteger KEYS = new AtomicInteger();

    @Parameter
    Database kind = Database.POSTGRESQL;

    private final String key = "network-" + KEYS.incrementAndGet();
    private final AtomicInteger runs = new AtomicInteger();
    private final Set<OperationEvent.Kind> events = ConcurrentHashMap.newKeySet();
    private Consumer<Point> reached = point -> {};
    private FaultDatabase database = FaultDatabase.shared(Database.POSTGRESQL);
    private TcpProxy proxy = TcpProxy.to(database.server().port());
    private HikariDataSource pool = new HikariDataSource();
    private HikariDataSource direct = new HikariDataSource();
    private Onefold onefold = Onefold.on(new io.onefold.store.MemoryStore());
    private Onefold other = onefold;

    @BeforeEach
    void open() {
        database = FaultDatabase.shared(kind);
        proxy.close();
        proxy = TcpProxy.to(database.server().port());
        pool = FaultDatabase.pool(database.through(proxy), 4);
        direct = database.pool(2);
        onefold = Onefold.builder(new PointedStore(JdbcStore.of(pool), point -> reached.accept(point)))
                .listener(event -> events.add(event.kind()))
                .build();
        other = Onefold.on(JdbcStore.of(direct));
    }

    @AfterEach
    void close() {
        pool.close();
        direct.close();
        proxy.close();
    }

    @Test
    @Tag("F6")
    void a_leased_completion_whose_answer_was_lost_is_told_again_and_recognised() {
        CompletableFuture<Void> cut = proxy.cutAfterRequestContaining(database.changing());
        assertThat(leased(Pay.ONCE)).isEqualTo(new Outcome.Executed<>("done", true));
        assertThat(cut).isDone();
        assertThat(leased(Pay.ONCE)).isEqualTo(new Outcome.Replayed<>("done", true));
        assertThat(other.attempt(Pay.ONCE, Key.of(key), attempt -> "again"))
                .isEqualTo(new Outcome.Replayed<>("done", true));
        assertThat(runs).hasValue(1);
    }

    @Test
    @Tag("F9")
    void a_claim_whose_answer_was_lost_recognises_itself_and_the_work_runs_once() {
        CompletableFuture<Void> cut = proxy.cutAfterRequestContaining(database.claiming());
        assertThat(leased(Pay.ONCE)).isEqualTo(new Outcome.Executed<>("done", true));
        assertThat(cut).isDone();
        assertThat(runs).hasValue(1);
        assertThat(record()).isEqualTo(Status.SUCCESS);
        assertThat(other.find(Pay.ONCE, Key.of(key)).orElseThrow().attempts()).isEqualTo(1);
    }

    @Test
    @Tag("F9")
    void a_joined_record_whose_answer_was_lost_is_there_with_its_effect_or_the_retry_runs() throws Exception {
        CompletableFuture<Void> cut = proxy.cutAfterRequestContaining(database.claiming());
        if (database.postgres()) {
            // the commit travels with the record
            assertThat(joined(Pay.ONCE)).isEqualTo(new Outcome.Executed<>("done", true));
        } else {
            assertThatThrownBy(() -> joined(Pay.ONCE)).isInstanceOf(StoreException.class);
            assertThat(database.effects(key)).isZero();
        }
        assertThat(cut).isDone();
        assertThat(joined(Pay.ONCE.waitFor(Duration.ofSeconds(20))).orThrow()).isEqualTo("done");
        assertThat(runs).hasValue(database.postgres() ? 1 : 2);
        assertThat(database.effects(key)).isEqualTo(1);
    }

    @Test
    @Tag("F10")
    void a_commit_whose_answer_was_lost_is_found_and_the_caller_gets_the_result() throws Exception {
        List<CompletableFuture<Void>> cuts = new ArrayList<>();
        reached = point -> {
            if (point == Point.WORKED) {
                cuts.add(proxy.cutAfterRequestContaining(database.committing()));
            }
        };
        assertThat(joined(Pay.ONCE)).isEqualTo(new Outcome.Executed<>("done", true));
        assertThat(cuts).singleElement().matches(CompletableFuture::isDone);
        assertThat(runs).hasValue(1);
        assertThat(database.effects(key)).isEqualTo(1);
        assertThat(joined(Pay.ONCE)).isEqualTo(new Outcome.Replayed<>("done", true));
        assertThat(database.effects(key)).isEqualTo(1);
    }

    @Test
    @Tag("F10")
    void a_commit_that_never_arrived_is_told_as_a_store_exception_and_the_retry_runs() throws Exception {
        reached = point -> {
            if (point == Point.WORKED && runs.get() == 1) {
                proxy.cut();
            }
        };
        assertThatThrownBy(() -> joined(Pay.ONCE)).isInstanceOf(StoreException.class);
        assertThat(database.effects(key)).isZero();
        assertThat(joined(Pay.ONCE.waitFor(Duration.ofSeconds(20)))).isEqualTo(new Outcome.Executed<>("done", true));
        assertThat(database.effects(key)).isEqualTo(1);
    }

    @Test
    @Tag("F20")
    void who_cannot_renew_its_lease_is_told_and_its_result_counts_if_nobody_has_decided() throws Exception {
        Outcome<String> outcome = onefold.attempt(Pay.leased(Duration.ofMillis(500)), Key.of(key), attempt -> {
            CountDownLatch lost = new CountDownLatch(1);
            attempt.onLeaseLost(lost::countDown);
            assertThat(attempt.leaseLost()).isFalse();
            unreachable();
            lost.await();
            assertThat(attempt.leaseLost()).isTrue();
            assertThat(other.attempt(Pay.ONCE, Key.of(key), again -> "again"))
                    .isInstanceOfAny(Outcome.Unknown.class, Outcome.InProgress.class);
            proxy.accept();
            return "done";
        });
        assertThat(outcome).isEqualTo(new Outcome.Executed<>("done", true));
        assertThat(events).contains(OperationEvent.Kind.LEASE_LOST);
        assertThat(other.attempt(Pay.ONCE, Key.of(key), again -> "again"))
                .isEqualTo(new Outcome.Replayed<>("done", true));
    }

    @Test
    @Tag("F20")
    void who_cannot_renew_its_lease_is_overtaken_by_who_decided_meanwhile() throws Exception {
        Outcome<String> outcome = onefold.attempt(Pay.leased(Duration.ofMillis(500)), Key.of(key), attempt -> {
            CountDownLatch lost = new CountDownLatch(1);
            attempt.onLeaseLost(lost::countDown);
            unreachable();
            lost.await();
            Await.value(
                    "it is unknown",
                    () -> other.attempt(Pay.ONCE, Key.of(key), again -> "again"),
                    seen -> seen instanceof Outcome.Unknown);
            assertThat(other.settle(Pay.ONCE, Key.of(key), Verdict.executed("settled")))
                    .isTrue();
            proxy.accept();
            return "done";
        });
        assertThat(outcome).isEqualTo(new Outcome.Overtaken<>("done"));
        assertThat(other.attempt(Pay.ONCE, Key.of(key), again -> "again"))
                .isEqualTo(new Outcome.Replayed<>("settled", true));
    }

    private void unreachable() {
        proxy.refuse();
        proxy.cut();
    }

    private Outcome<String> leased(Operation<String> operation) {
        return onefold.attempt(operation, Key.of(key), attempt -> {
            runs.incrementAndGet();
            return "done";
        });
    }

    private Outcome<String> joined(Operation<String> operation) throws Exception {
        return onefold.attemptInTransaction(operation, Key.of(key), (attempt, connection) -> {
            runs.incrementAndGet();
            return Pay.inLedger(connection, key, "done");
        });
    }

    private Status record() {
        return other.find(Pay.ONCE, Key.of(key)).orElseThrow().status();
    }
}
