package io.onefold;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.onefold.store.MemoryStore;
import io.onefold.store.RecordFilter;
import io.onefold.upkeep.Reconciler;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class ShadowTest {
    private static final Operation<Void> PAY = Operation.of("pay").waitFor(Duration.ZERO);
    private static final Key KEY = Key.of("k");
    private static final CompletionStage<?> DONE = CompletableFuture.completedFuture(null);

    private final ManualTimer timer = new ManualTimer();
    private final MemoryStore store = new MemoryStore(timer::micros);
    private final Onefold onefold =
            Onefold.builder(store).timer(timer).executor(Runnable::run).build();
    private final ListAppender<ILoggingEvent> told = new ListAppender<>();

    @BeforeEach
    void listen() {
        told.start();
        logger().setLevel(Level.INFO);
        logger().addAppender(told);
    }

    @AfterEach
    void leave() {
        logger().detachAppender(told);
        logger().setLevel(null);
    }

    private static Logger logger() {
        return (Logger) LoggerFactory.getLogger("io.onefold.shadow");
    }

    private void observe(Operation<?> operation, Key key, CompletionStage<?> end) {
        ShadowObserver.observe(onefold, operation, key, false, end);
    }

    private static CompletionStage<?> failed(RuntimeException why) {
        return CompletableFuture.failedFuture(why);
    }

    private List<String> told() {
        return told.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
    }

    @Test
    void a_duplicate_would_get_the_first_answer() {
        observe(PAY, KEY, DONE);
        assertThat(told()).isEmpty();
        observe(PAY, KEY, DONE);
        assertThat(told()).containsExactly("pay: a duplicate ran, which would get the first answer");
    }

    @Test
    void the_retry_of_a_call_that_had_no_effect_is_no_duplicate() {
        observe(PAY, KEY, failed(new NotExecutedException("not now", null)));
        observe(PAY.retryOn(IllegalStateException.class), KEY, failed(new IllegalStateException()));
        ShadowObserver.observe(onefold, PAY, KEY, true, failed(new IllegalStateException("rolled back")));
        observe(PAY.safeToRepeat(), KEY, failed(new IllegalStateException()));
        observe(PAY, KEY, DONE);
        assertThat(told()).isEmpty();
    }

    /** Under load, any of them may be the first to reach the store. */
    @Test
    void calls_that_came_one_after_the_other_are_recorded_so_however_late() {
        Deque<Runnable> tasks = new ArrayDeque<>();
        Onefold busy = Onefold.builder(store).timer(timer).executor(tasks::add).build();
        ShadowObserver.observe(busy, PAY, KEY, false, failed(new NotExecutedException("not now", null)));
        ShadowObserver.observe(busy, PAY, KEY, false, DONE);
        ShadowObserver.observe(busy, PAY, Key.of("other"), false, DONE);
        while (!tasks.isEmpty()) {
            tasks.removeLast().run();
        }
        assertThat(told()).isEmpty();
        ShadowObserver.observe(busy, PAY, KEY, false, failed(new NotExecutedException("not now", null)));
        while (!tasks.isEmpty()) {
            tasks.removeLast().run();
        }
        assertThat(told()).containsExactly("pay: a duplicate ran, which would get the first answer");
        assertThat(busy.observed().late()).isZero();
    }

    @Test
    void one_that_is_under_way_holds_nobody_up() {
        observe(PAY, KEY, new CompletableFuture<>());
        observe(PAY, KEY, DONE);
        assertThat(told())
                .containsExactly("pay: a duplicate ran, which would be told that the first is still under way");
        assertThat(onefold.observed().late()).isZero();
    }

    @Test
    void a_duplicate_hears_how_the_first_has_ended() {
        observe(PAY.failOn(IllegalStateException.class), KEY, failed(new IllegalStateException()));
        observe(PAY, KEY, DONE);
        observe(PAY, Key.of("lost"), failed(new IllegalStateException()));
        observe(PAY, Key.of("lost"), DONE);
        observe(PAY, Key.of("slow"), new CompletableFuture<>());
        observe(PAY, Key.of("slow"), DONE);
        assertThat(told())
                .containsExactly(
                        "pay: a duplicate ran, which would be told how the first has failed",
                        "pay: a duplicate ran, which would be told that nobody knows what became of the first",
                        "pay: a duplicate ran, which would be told that the first is still under way");
    }

    @Test
    void who_rejects_duplicates_would_refuse_them_and_who_overwrites_would_run_them() {
        Operation<Void> once = Operation.of("once").rejectDuplicates("once is enough");
        observe(once, KEY, DONE);
        observe(once, KEY, DONE);
        assertThat(told()).containsExactly("once: a duplicate ran, which would be refused: once is enough");
        Operation<Void> last = Operation.of("last").overwrite();
        observe(last, KEY.matching("a"), DONE);
        observe(last, KEY.matching("b"), DONE);
        assertThat(told()).hasSize(1);
        observe(last, KEY.matching("a"), DONE);
        assertThat(told().get(1)).startsWith("last: a duplicate ran, which would be refused");
    }

    @Test
    void a_key_that_is_used_for_something_else_is_told() {
        observe(PAY, KEY.matching("a"), DONE);
        observe(PAY, KEY.matching("b"), DONE);
        assertThat(told())
                .containsExactly(
                        "pay: a key was used for another request, which would be refused; it differs in [(body)]");
    }

    @Test
    void what_was_observed_answers_nobody() {
        observe(PAY, KEY, DONE);
        assertThat(onefold.attempt(PAY, KEY, attempt -> null)).isInstanceOf(Outcome.Executed.class);
    }

    @Test
    void tokens_are_not_spent() {
        observe(PAY, Key.ofToken("t", "u"), DONE); // this engine has none, and would refuse them all
        observe(PAY, Key.ofToken("t", "u"), DONE);
        assertThat(told()).containsExactly("pay: a duplicate ran, which would get the first answer");
    }

    @Test
    void long_names_have_shadows_of_their_own() {
        String name = "n".repeat(99);
        observe(Operation.of(name + "a"), KEY, DONE);
        observe(Operation.of(name + "b"), KEY, DONE);
        assertThat(told()).isEmpty();
    }

    @Test
    void an_owner_that_was_lost_leaves_nothing_to_settle() {
        observe(PAY, KEY, new CompletableFuture<>());
        timer.pass(Operation.MAX_RUN.plusMinutes(1));
        new Reconciler(onefold, timer).runOnce(() -> true);
        assertThat(store.list(RecordFilter.stuck(), null, 10).records()).isEmpty();
        observe(PAY, KEY, DONE);
        assertThat(told()).isEmpty();
    }

    @Test
    void what_cannot_be_observed_is_told_without_a_trace() {
        onefold.close();
        observe(PAY, KEY, DONE);
        assertThat(told.list).singleElement().satisfies(event -> {
            assertThat(event.getFormattedMessage()).startsWith("pay: a call could not be observed: ");
            assertThat(event.getThrowableProxy()).isNull();
        });
    }
}
