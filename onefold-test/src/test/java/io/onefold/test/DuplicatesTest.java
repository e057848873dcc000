package io.onefold.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onefold.Key;
import io.onefold.NotExecutedException;
import io.onefold.Onefold;
import io.onefold.Operation;
import io.onefold.Outcome;
import io.onefold.store.MemoryStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Calls in plain Java. */
class DuplicatesTest {
    private static final Operation<String> PAY = Operation.of("pay", String.class);

    private final OutcomeCounter probe = new OutcomeCounter();
    private final Onefold onefold =
            Onefold.builder(new MemoryStore()).listener(probe).build();
    private final AtomicInteger paid = new AtomicInteger();

    private String pay() {
        return "paid " + paid.incrementAndGet();
    }

    @Test
    void outcomes_say_who_ran() {
        DuplicateCalls.of(() -> onefold.attempt(PAY, Key.of("k"), attempt -> pay()))
                .times(8)
                .concurrently()
                .ranOnce()
                .replayed(7)
                .sameAnswer();
    }

    @Test
    void futures_are_waited_for() {
        Callable<CompletableFuture<Outcome<String>>> call =
                () -> onefold.attemptAsync(PAY, Key.of("k"), attempt -> CompletableFuture.completedFuture(pay()));

        DuplicateCalls.of(call).times(3).concurrently().ranOnce().replayed(2);
    }

    @Test
    void values_do_not_say_who_ran_unless_executions_are_counted() {
        DuplicateCalls calls = DuplicateCalls.of(() -> onefold.run(PAY, Key.of("k"), attempt -> pay()))
                .times(4);

        calls.counting(probe).concurrently().ranOnce().replayed(3).sameAnswer();
        calls.counting(paid::get).oneByOne().ran(0).replayed(4).sameAnswer();
        assertThatThrownBy(() -> calls.oneByOne().ranOnce()).hasMessageContaining("counting(...)");
        assertThatThrownBy(() -> calls.oneByOne().replayed(4)).hasMessageContaining("counting(...)");
    }

    @Test
    void an_execution_that_threw_is_not_taken_for_one_that_was_answered() {
        AtomicInteger calls = new AtomicInteger();
        CallResults replies = DuplicateCalls.of(() -> onefold.run(PAY, Key.of("k"), attempt -> {
                    if (calls.getAndIncrement() == 0) {
                        throw new NotExecutedException("no line", null);
                    }
                    return pay();
                }))
                .times(5)
                .counting(probe)
                .oneByOne();

        replies.ran(2).replayed(3);
        assertThatThrownBy(() -> replies.replayed(4))
                .hasMessageContaining("expected 4 of 5 to be replayed, but 3 were");
        assertThatThrownBy(() -> replies.replayed(1))
                .hasMessageContaining("expected 1 of 5 to be replayed, but 2 were");
    }

    @Test
    void what_is_counted_outweighs_what_is_said() {
        assertThatThrownBy(() -> DuplicateCalls.of(() -> {
                            pay();
                            return onefold.attempt(PAY, Key.of("k"), attempt -> pay());
                        })
                        .times(3)
                        .counting(paid::get)
                        .oneByOne()
                        .ranOnce())
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("expected 1 to run, but counted 4")
                .hasMessageContaining("counted executions: 4");
        assertThatThrownBy(() -> DuplicateCalls.of(() -> onefold.attempt(PAY, Key.of(pay()), attempt -> "twice"))
                        .times(2)
                        .counting(() -> paid.get() > 0 ? 1 : 0)
                        .oneByOne()
                        .ran(0))
                .hasMessageContaining("counted so many, but 2 say that they did");
    }

    @Test
    void exceptions_of_onefold_say_what_became_of_a_call() {
        Operation<String> once = PAY.rejectDuplicates("sent before");
        DuplicateCalls.of(() -> onefold.run(once, Key.of("refused"), attempt -> pay()))
                .times(3)
                .counting(probe)
                .oneByOne()
                .ranOnce()
                .refused(2);

        onefold.run(PAY, Key.of("conflict").matching("10"), attempt -> pay());
        DuplicateCalls.of(() -> onefold.run(PAY, Key.of("conflict").matching("99"), attempt -> pay()))
                .times(2)
                .concurrently()
                .ran(0)
                .conflicts(2);

        Operation<String> hasty = PAY.waitFor(Duration.ZERO);
        onefold.run(hasty, Key.of("busy"), attempt -> {
            DuplicateCalls.of(() -> onefold.run(hasty, Key.of("busy"), another -> pay()))
                    .concurrently()
                    .busy(2);
            return "first";
        });

        Outcome<String> failed = new Outcome.AttemptFailed<>(null);
        DuplicateCalls.of(() -> failed).oneByOne().ran(0).attemptFailed(2);
        DuplicateCalls.of(failed::orThrow).oneByOne().ran(0).attemptFailed(2);

        assertThatThrownBy(() -> onefold.run(PAY, Key.of("unknown"), attempt -> {
                    throw new IllegalStateException("half way");
                }))
                .hasMessage("half way");
        DuplicateCalls.of(() -> onefold.run(PAY, Key.of("unknown"), attempt -> pay()))
                .times(3)
                .concurrently()
                .unknown(3);
    }

    @Test
    void a_failure_that_is_told_again_is_a_replay() {
        Operation<String> broke = PAY.failOn(IllegalArgumentException.class);
        DuplicateCalls.of(() -> onefold.run(broke, Key.of("k"), attempt -> {
                    throw new IllegalArgumentException("no money");
                }))
                .times(3)
                .counting(probe)
                .oneByOne()
                .ranOnce()
                .replayed(2);
    }

    @Test
    void all_begin_together() {
        CyclicBarrier together = new CyclicBarrier(5);

        DuplicateCalls.of(() -> together.await(10, TimeUnit.SECONDS) >= 0)
                .times(5)
                .concurrently()
                .sameAnswer();
    }

    @Test
    void one_by_one_is_on_the_calling_thread() {
        List<Thread> threads = new ArrayList<>();

        DuplicateCalls.of(() -> threads.add(Thread.currentThread())).times(3).oneByOne();

        assertThat(threads).hasSize(3).containsOnly(Thread.currentThread());
    }

    @Test
    void one_that_has_no_answer_in_time_is_shown_and_interrupted() throws Exception {
        AtomicInteger calls = new AtomicInteger();
        CountDownLatch interrupted = new CountDownLatch(1);

        assertThatThrownBy(() -> DuplicateCalls.of(() -> {
                            if (calls.incrementAndGet() == 2) {
                                try {
                                    new CountDownLatch(1).await();
                                } catch (InterruptedException e) {
                                    interrupted.countDown();
                                }
                            }
                            return "done";
                        })
                        .times(3)
                        .within(Duration.ofMillis(200))
                        .concurrently())
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("1 of 3 had no answer within PT0.2S")
                .hasMessageContaining("LATE")
                .hasMessageContaining("RETURNED  done");
        assertThat(interrupted.await(10, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void one_by_one_all_of_them_have_the_time_together() {
        AtomicInteger calls = new AtomicInteger();

        assertThatThrownBy(() -> DuplicateCalls.of(() -> {
                            if (calls.incrementAndGet() == 2) {
                                new CountDownLatch(1).await();
                            }
                            return "done";
                        })
                        .times(4)
                        .within(Duration.ofMillis(200))
                        .oneByOne())
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("3 of 4 had no answer within PT0.2S")
                .hasMessageContaining("RETURNED  done");
        assertThat(calls).hasValue(2);
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    @Test
    void one_by_one_a_future_is_waited_for_as_long_as_there_is_time() {
        assertThatThrownBy(() -> DuplicateCalls.of(() -> new CompletableFuture<String>())
                        .within(Duration.ofMillis(200))
                        .oneByOne())
                .hasMessageContaining("2 of 2 had no answer within PT0.2S");
    }

    @Test
    void a_wrong_expectation_shows_what_each_got_and_threw() {
        AtomicInteger calls = new AtomicInteger();
        NotExecutedException thrown = new NotExecutedException("no line", null);

        assertThatThrownBy(() -> DuplicateCalls.of(() -> onefold.attempt(PAY, Key.of("k"), attempt -> {
                            if (calls.getAndIncrement() == 0) {
                                throw thrown;
                            }
                            return pay();
                        }))
                        .times(3)
                        .oneByOne()
                        .ranOnce()
                        .replayed(2))
                .isInstanceOf(AssertionError.class)
                .hasMessage("""
                        expected 2 of 3 to be replayed, but 1 was
                          1. THREW  io.onefold.NotExecutedException: no line
                          2. RAN  paid 1
                          3. REPLAYED  paid 1""")
                .hasSuppressedException(thrown);
    }

    @Test
    void different_answers_are_not_the_same() {
        assertThatThrownBy(
                        () -> DuplicateCalls.of(this::pay).times(2).oneByOne().sameAnswer())
                .hasMessageContaining("expected answers to be the same, but they differ")
                .hasMessageContaining("paid 2");
        assertThatThrownBy(() -> DuplicateCalls.of(() -> {
                            throw new IllegalStateException("none");
                        })
                        .oneByOne()
                        .sameAnswer())
                .hasMessageContaining("there are none");
    }

    @Test
    void what_makes_no_sense_is_refused() {
        DuplicateCalls calls = DuplicateCalls.of(this::pay);
        assertThatThrownBy(() -> calls.times(0)).hasMessageContaining("not 0");
        assertThatThrownBy(() -> calls.within(Duration.ZERO)).hasMessageContaining("PT0S");
    }
}
