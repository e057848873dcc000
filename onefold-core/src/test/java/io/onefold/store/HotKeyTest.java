package io.onefold.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.onefold.Key;
import io.onefold.ManualTimer;
import io.onefold.Onefold;
import io.onefold.Operation;
import io.onefold.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Ten thousand duplicates of one key cost the truth a handful of steps behind a front door. */
@Timeout(60)
class HotKeyTest {
    private static final Operation<String> CHARGE =
            Operation.of("charge", String.class).waitFor(Duration.ZERO);
    private static final Operation<String> PATIENT = CHARGE.waitFor(Duration.ofMinutes(1));
    private static final Key KEY = Key.of("k").matching("a");
    private static final int DUPLICATES = 10_000;
    private static final int THREADS = 50;
    private static final int HANDFUL = 10;

    private final ManualTimer timer = new ManualTimer();
    private final CountedStore front = new CountedStore(new MemoryStore(timer::micros));
    private final CountedStore truth = new CountedStore(new MemoryStore(timer::micros));
    private final AtomicInteger readings = new AtomicInteger();
    private final Onefold one = node();
    private final Onefold other = node();
    private final CompletableFuture<String> running = new CompletableFuture<>();
    private final AtomicInteger runs = new AtomicInteger();

    private Onefold node() {
        Store door = TieredStore.over(front, truth, this::epoch, timer::nanos);
        return Onefold.builder(door)
                .timer(timer)
                .executor(Runnable::run)
                .waiters(DUPLICATES, DUPLICATES)
                .build();
    }

    private String epoch() {
        readings.incrementAndGet();
        return "e1";
    }

    private CompletionStage<Outcome<String>> send(Onefold node, Operation<String> operation) {
        return node.attemptAsync(operation, KEY, attempt -> {
            runs.incrementAndGet();
            return running;
        });
    }

    /** All duplicates from many threads at once, half of them on each node. */
    private List<CompletionStage<Outcome<String>>> storm(Operation<String> operation) throws Exception {
        CyclicBarrier together = new CyclicBarrier(THREADS);
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        List<Future<List<CompletionStage<Outcome<String>>>>> senders = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            Onefold node = i % 2 == 0 ? one : other;
            senders.add(threads.submit(() -> {
                List<CompletionStage<Outcome<String>>> sent = new ArrayList<>();
                together.await();
                for (int k = 0; k < DUPLICATES / THREADS; k++) {
                    sent.add(send(node, operation));
                }
                return sent;
            }));
        }
        List<CompletionStage<Outcome<String>>> answers = new ArrayList<>();
        for (Future<List<CompletionStage<Outcome<String>>>> sender : senders) {
            answers.addAll(sender.get());
        }
        threads.shutdown();
        return answers;
    }

    private void costsAHandful() {
        assertThat(truth.steps).hasValueLessThanOrEqualTo(HANDFUL);
        assertThat(readings).hasValueLessThanOrEqualTo(HANDFUL);
        assertThat(runs).hasValue(1);
    }

    private void allAreReplayed(List<CompletionStage<Outcome<String>>> answers) {
        assertThat(answers)
                .hasSize(DUPLICATES)
                .allSatisfy(answer -> assertThat(answer).isCompletedWithValue(new Outcome.Replayed<>("once", true)));
    }

    @Test
    void one_after_another() {
        var owner = send(one, CHARGE);
        for (int i = 0; i < DUPLICATES / 2; i++) {
            assertThat(other.attempt(CHARGE, KEY, attempt -> "twice")).isInstanceOf(Outcome.InProgress.class);
        }
        running.complete("once");
        assertThat(owner).isCompletedWithValue(new Outcome.Executed<>("once", true));
        for (int i = 0; i < DUPLICATES / 2; i++) {
            assertThat(other.attempt(CHARGE, KEY, attempt -> "twice")).isEqualTo(new Outcome.Replayed<>("once", true));
        }
        assertThat(truth.steps).hasValue(2);
    }

    @Test
    void at_once_from_the_first_on() throws Exception {
        var answers = storm(CHARGE);
        running.complete("once");
        assertThat(answers)
                .filteredOn(answer -> answer.toCompletableFuture().join() instanceof Outcome.Executed)
                .hasSize(1);
        costsAHandful();
    }

    @Test
    void at_once_when_it_is_done() throws Exception {
        send(one, CHARGE);
        running.complete("once");
        allAreReplayed(storm(CHARGE));
        costsAHandful();
    }

    @Test
    void at_once_when_it_is_done_and_the_front_was_flushed() throws Exception {
        send(one, CHARGE);
        running.complete("once");
        front.store = new MemoryStore(timer::micros);
        assertThat(storm(CHARGE))
                .allSatisfy(answer -> assertThat(answer.toCompletableFuture().join())
                        .isInstanceOfAny(Outcome.Replayed.class, Outcome.InProgress.class));
        costsAHandful();
    }

    @Test
    void at_once_while_it_runs_and_the_mark_is_over() throws Exception {
        send(one, CHARGE);
        timer.pass(Duration.ofSeconds(7));
        // how many wait for the epoch to be read is for EpochsTest to say
        one.attempt(CHARGE, Key.of("one"), attempt -> "awake");
        other.attempt(CHARGE, Key.of("other"), attempt -> "awake");
        truth.steps.set(0);
        assertThat(storm(CHARGE))
                .allSatisfy(answer ->
                        assertThat(answer.toCompletableFuture().join()).isInstanceOf(Outcome.InProgress.class));
        costsAHandful();
    }

    @Test
    void waiting_and_looking_again_and_again() throws Exception {
        send(one, CHARGE);
        var answers = storm(PATIENT);
        timer.pass(Duration.ofSeconds(9));
        assertThat(answers).noneMatch(answer -> answer.toCompletableFuture().isDone());
        assertThat(truth.steps).hasValueLessThan(HANDFUL);
        running.complete("once");
        timer.pass(Duration.ofSeconds(1));
        allAreReplayed(answers);
        assertThat(truth.steps).hasValueLessThanOrEqualTo(HANDFUL);
        assertThat(runs).hasValue(1);
    }
}
