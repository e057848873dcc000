package io.onefold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.onefold.store.BatchItemResult;
import io.onefold.store.Claim;
import io.onefold.store.ForwardingStore;
import io.onefold.store.MemoryStore;
import io.onefold.store.RecordId;
import io.onefold.store.RecordUpdate;
import io.onefold.store.StoreException;
import io.onefold.store.UpdateResult;
import io.onefold.upkeep.Reconciler;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Lost work is logged, also where nobody listens. */
class UnknownOutcomeLogTest {
    private static final Operation<String> CHARGE = Operation.of("charge", String.class);
    private static final Operation<String> SHIP = Operation.of("ship", String.class);

    private final Logger logger = (Logger) LoggerFactory.getLogger("io.onefold");
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
    private @Nullable Level before;
    private final ManualTimer timer = new ManualTimer();
    private final MemoryStore store = new MemoryStore(timer::micros);
    private final Onefold onefold = Onefold.builder(store)
            .timer(timer)
            .executor(Runnable::run)
            .node("node-7")
            .build();

    @BeforeEach
    void listen() {
        before = logger.getLevel();
        logger.setLevel(Level.WARN);
        lines.start();
        logger.addAppender(lines);
    }

    @AfterEach
    void listenNoMore() {
        logger.detachAppender(lines);
        logger.setLevel(before);
    }

    private List<ILoggingEvent> lines() {
        return List.copyOf(lines.list).stream()
                .filter(line -> line.getLevel().isGreaterOrEqual(Level.WARN))
                .toList();
    }

    private ILoggingEvent onlyLine() {
        assertThat(lines()).hasSize(1);
        return lines().get(0);
    }

    private String safe(Operation<String> operation, String key) {
        return onefold.id(operation, Key.of(key)).safe();
    }

    private void fail(Operation<String> operation, String key) {
        assertThatThrownBy(() -> onefold.run(operation, Key.of(key), attempt -> {
                    throw new IllegalStateException("the line went dead");
                }))
                .hasMessage("the line went dead");
    }

    private void lose(String key) {
        Onefold lost = Onefold.builder(store)
                .timer(new ManualTimer())
                .executor(Runnable::run)
                .build();
        var unused = lost.attemptAsync(CHARGE, Key.of(key), attempt -> new CompletableFuture<>());
    }

    @Test
    void an_exception_that_says_nothing_about_the_effect_is_logged_with_operation_safe_key_node_and_advice() {
        fail(CHARGE, "secret-key");
        ILoggingEvent line = onlyLine();
        assertThat(line.getLevel()).isEqualTo(Level.WARN);
        assertThat(line.getFormattedMessage())
                .contains("operation charge", "key " + safe(CHARGE, "secret-key"), "node node-7")
                .contains("the work threw java.lang.IllegalStateException")
                .contains("OutcomeProbe", "Onefold.settle", "retryOn", "failOn")
                .doesNotContain("secret-key");
        assertThat(line.getThrowableProxy().getMessage()).isEqualTo("the line went dead");
    }

    @Test
    void duplicates_that_meet_an_unknown_outcome_log_nothing_more() {
        fail(CHARGE, "k");
        for (int i = 0; i < 10; i++) {
            assertThat(onefold.attempt(CHARGE, Key.of("k"), attempt -> "never")).isInstanceOf(Outcome.Unknown.class);
        }
        timer.pass(Duration.ofMinutes(2));
        assertThat(lines()).hasSize(1);
    }

    @Test
    void a_lost_owner_is_logged_by_the_duplicate_that_finds_it() {
        lose("k");
        timer.pass(Duration.ofSeconds(30));
        assertThat(onefold.attempt(CHARGE, Key.of("k"), attempt -> "never")).isInstanceOf(Outcome.Unknown.class);
        assertThat(onlyLine().getFormattedMessage())
                .contains(
                        "operation charge", "key " + safe(CHARGE, "k"), "node node-7", "the lease of the owner ended");
    }

    @Test
    void a_lost_owner_is_logged_by_the_reconciler_and_later_as_an_error() {
        lose("k");
        timer.pass(Duration.ofSeconds(30));
        Reconciler reconciler = new Reconciler(onefold, timer);
        reconciler.runOnce(() -> true);
        assertThat(onlyLine().getFormattedMessage()).contains("the lease of the owner ended");
        timer.pass(Duration.ofMinutes(5));
        for (int round = 0; round < 5; round++) {
            reconciler.runOnce(() -> true);
            timer.pass(Duration.ofMinutes(2));
        }
        assertThat(lines()).hasSize(2);
        ILoggingEvent alarm = lines().get(1);
        assertThat(alarm.getLevel()).isEqualTo(Level.ERROR);
        assertThat(alarm.getFormattedMessage())
                .contains("operation charge", "key " + safe(CHARGE, "k"), "node node-7", "no probe is registered")
                .contains("Onefold.settle");
    }

    @Test
    void a_probe_that_fails_is_logged_with_its_exception_and_so_is_the_alarm() {
        lose("k");
        timer.pass(Duration.ofSeconds(30));
        Reconciler reconciler = new Reconciler(onefold, timer).probe(CHARGE, stuck -> {
            throw new IllegalStateException("the provider is down");
        });
        reconciler.runOnce(() -> true);
        timer.pass(Duration.ofMinutes(6));
        reconciler.runOnce(() -> true);
        assertThat(lines())
                .filteredOn(line -> line.getThrowableProxy() != null)
                .extracting(
                        line -> line.getLevel() + " " + line.getThrowableProxy().getMessage())
                .contains("WARN the provider is down", "ERROR the provider is down");
    }

    @Test
    void a_store_that_cannot_be_told_is_logged_once_a_minute_and_not_once_a_try() {
        Onefold cut = Onefold.builder(new ForwardingStore(store) {
                    @Override
                    public List<BatchItemResult<UpdateResult>> updateAll(List<RecordUpdate> updates) {
                        throw new StoreException("the network is gone");
                    }
                })
                .timer(timer)
                .executor(Runnable::run)
                .build();
        var unused = cut.attemptAsync(CHARGE, Key.of("k"), attempt -> CompletableFuture.completedFuture("charged"));
        timer.pass(Duration.ofSeconds(59));
        List<ILoggingEvent> unknown = lines().stream()
                .filter(line -> line.getLoggerName().equals("io.onefold.unknown"))
                .toList();
        assertThat(unknown).hasSize(1);
        assertThat(unknown.get(0).getFormattedMessage()).contains("not recorded yet", StoreException.class.getName());
        assertThat(unknown.get(0).getThrowableProxy().getMessage()).isEqualTo("the network is gone");
        timer.pass(Duration.ofMinutes(11));
        assertThat(lines())
                .filteredOn(line -> line.getLevel() == Level.ERROR)
                .singleElement()
                .satisfies(line -> assertThat(line.getFormattedMessage()).contains("never recorded", "charge"));
    }

    @Test
    void one_line_stands_for_an_operation_a_cause_and_a_minute_and_says_for_how_many() {
        for (int i = 0; i < 50; i++) {
            fail(CHARGE, "k" + i);
            fail(SHIP, "k" + i);
        }
        assertThat(lines()).hasSize(2);
        timer.pass(Duration.ofMinutes(1));
        assertThat(lines()).hasSize(4);
        assertThat(lines().subList(2, 4))
                .allSatisfy(line -> assertThat(line.getFormattedMessage()).contains("49 more within a minute"));
        fail(CHARGE, "another");
        assertThat(lines()).hasSize(4);
        timer.pass(Duration.ofMinutes(1));
        assertThat(lines()).hasSize(5);
        assertThat(lines().get(4).getFormattedMessage()).contains("1 more within a minute", safe(CHARGE, "another"));
        timer.pass(Duration.ofMinutes(5));
        fail(CHARGE, "much later");
        assertThat(lines()).hasSize(6);
        assertThat(lines().get(5).getThrowableProxy()).isNotNull();
        timer.pass(Duration.ofMinutes(1));
        assertThat(lines()).hasSize(6);
        assertThat(timer.pending()).isZero();
    }

    @Test
    void what_is_counted_is_told_when_the_node_closes() {
        fail(CHARGE, "k1");
        fail(CHARGE, "k2");
        onefold.close();
        assertThat(lines()).hasSize(2);
        assertThat(lines().get(1).getFormattedMessage()).contains("1 more");
        timer.pass(Duration.ofSeconds(10)); // no lease is left to renew
        assertThat(timer.pending()).isZero();
    }

    @Test
    void more_operations_than_fit_share_one_line() {
        UnknownOutcomeLog log = new UnknownOutcomeLog(timer, "node-7");
        for (int i = 0; i < 3_000; i++) {
            log.warn(RecordId.of("scope", "operation-" + i, "k"), "Outcome unknown", "cause", "Settle it.", null);
        }
        assertThat(lines()).hasSize(1_001);
        timer.pass(Duration.ofMinutes(1));
        assertThat(lines()).hasSize(1_002);
        assertThat(lines().get(1_001).getFormattedMessage()).contains("several operations", "1999 more");
        timer.pass(Duration.ofMinutes(1));
        log.warn(RecordId.of("scope", "operation-9999", "k"), "Outcome unknown", "cause", "Settle it.", null);
        assertThat(lines()).hasSize(1_003);
    }

    @Test
    void what_was_only_observed_is_not_lost_work() {
        Onefold lost = Onefold.builder(store)
                .timer(new ManualTimer())
                .executor(Runnable::run)
                .build();
        RecordId observed = RecordId.of("", ShadowObserver.name("charge"), "k");
        var unused = lost.store().claim(Claim.of(observed, UUID.randomUUID(), Duration.ofSeconds(30)));
        timer.pass(Duration.ofSeconds(30));
        assertThat(new Reconciler(onefold, timer).runOnce(() -> true).settled()).isEqualTo(1);
        assertThat(lines()).isEmpty();
    }
}
