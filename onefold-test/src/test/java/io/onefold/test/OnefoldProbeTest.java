package io.onefold.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onefold.Key;
import io.onefold.NotExecutedException;
import io.onefold.Onefold;
import io.onefold.Operation;
import io.onefold.OperationEvent;
import io.onefold.Outcome;
import io.onefold.WorkNotStartedException;
import io.onefold.store.MemoryStore;
import io.onefold.store.RecordId;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class OnefoldProbeTest {
    private static final Operation<String> PAY =
            Operation.of("pay", String.class).waitFor(Duration.ZERO);

    private final OutcomeCounter probe = new OutcomeCounter();
    private final Onefold onefold =
            Onefold.builder(new MemoryStore()).listener(probe).build();

    @Test
    void executions_and_duplicates_are_counted_by_operation() {
        Operation<String> refund = Operation.of("refund", String.class);
        for (int i = 0; i < 5; i++) {
            onefold.attempt(PAY, Key.of("k").matching("10"), attempt -> "paid");
        }
        onefold.attempt(PAY, Key.of("k").matching("99"), attempt -> "paid");
        onefold.attempt(refund, Key.of("k"), attempt -> "refunded");

        probe.operation("pay")
                .ranOnce()
                .replayed(4)
                .conflicts(1)
                .busy(0)
                .unknown(0)
                .refused(0);
        probe.operation("refund").ranOnce().replayed(0);
        probe.all().ran(2).replayed(4);
    }

    @Test
    void work_that_was_not_begun_did_not_run() {
        assertThatThrownBy(() -> onefold.attempt(PAY, Key.of("k"), attempt -> {
                    throw new WorkNotStartedException("refused", null);
                }))
                .hasMessage("refused");
        onefold.attempt(PAY, Key.of("k"), attempt -> "paid");

        probe.operation("pay").ranOnce();
    }

    @Test
    void busy_refused_and_unknown_are_counted() {
        onefold.attempt(PAY, Key.of("busy"), attempt -> {
            onefold.attempt(PAY, Key.of("busy"), inner -> "twice");
            return "once";
        });
        Operation<String> once = PAY.rejectDuplicates("sent before");
        onefold.attempt(once, Key.of("refused"), attempt -> "once");
        onefold.attempt(once, Key.of("refused"), attempt -> "twice");
        assertThatThrownBy(() -> onefold.attempt(PAY, Key.of("unknown"), attempt -> {
                    throw new IllegalStateException("half way");
                }))
                .hasMessage("half way");
        onefold.attempt(PAY, Key.of("unknown"), attempt -> "twice");

        probe.operation("pay").ran(3).busy(1).refused(1).unknown(1);
    }

    @Test
    void work_that_failed_and_is_tried_again_ran_twice() {
        assertThatThrownBy(() -> onefold.attempt(PAY, Key.of("k"), attempt -> {
                    throw new NotExecutedException("later", null);
                }))
                .isInstanceOf(NotExecutedException.class);
        onefold.attempt(PAY, Key.of("k"), attempt -> "paid");

        probe.operation("pay").ran(2);
    }

    @Test
    void a_replayed_failure_is_a_replay() {
        Operation<String> broke = PAY.failOn(IllegalArgumentException.class);
        assertThatThrownBy(() -> onefold.attempt(broke, Key.of("k"), attempt -> {
                    throw new IllegalArgumentException("no money");
                }))
                .hasMessage("no money");
        onefold.attempt(broke, Key.of("k"), attempt -> "paid");

        probe.operation("pay").ranOnce().replayed(1);
    }

    @Test
    void an_execution_whose_record_came_late_is_counted_once() {
        MovableClock clock = MovableClock.running();
        FaultInjectingStore chaos = FaultInjectingStore.around(new MemoryStore(clock::micros));
        Onefold fragile =
                Onefold.builder(chaos).timer(clock.timer()).listener(probe).build();
        chaos.run(CrashPoint.BEFORE_COMPLETE, () -> clock.advance(Duration.ofMinutes(1)))
                .once();
        chaos.fail(CrashPoint.BEFORE_COMPLETE).times(4);

        Outcome<String> outcome = fragile.attempt(PAY, Key.of("k"), attempt -> "paid");

        assertThat(outcome).isEqualTo(new Outcome.Executed<>("paid", false));
        Instant deadline = Instant.now().plusSeconds(10);
        while (probe.operation("pay").count(OperationEvent.Kind.EXECUTED) == 0
                && Instant.now().isBefore(deadline)) {
            Thread.onSpinWait();
        }
        assertThat(probe.operation("pay").count(OperationEvent.Kind.NOT_STORED)).isEqualTo(1);
        probe.operation("pay").ranOnce();
    }

    @Test
    void an_attempt_that_was_taken_over_and_its_taker_have_both_run() {
        RecordId id = RecordId.of("", "pay", "k");
        for (OperationEvent.Kind kind : new OperationEvent.Kind[] {
            OperationEvent.Kind.NOT_STORED,
            OperationEvent.Kind.TAKEN_OVER,
            OperationEvent.Kind.EXECUTED,
            OperationEvent.Kind.OVERTAKEN
        }) {
            probe.on(new OperationEvent(kind, id, Duration.ZERO));
        }

        probe.operation("pay").ran(2);
    }

    @Test
    void a_wrong_expectation_says_what_was_counted() {
        onefold.attempt(PAY, Key.of("k"), attempt -> "paid");

        assertThatThrownBy(() -> probe.operation("pay").ranOnce().replayed(4))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("operation \"pay\": expected replayed 4, but was 0")
                .hasMessageContaining("executions 1, events {EXECUTED=1}");
        assertThatThrownBy(() -> probe.operation("pya").ranOnce()).hasMessageContaining("heard of: pay");
    }

    @Test
    void after_a_reset_nothing_was_counted() {
        onefold.attempt(PAY, Key.of("k"), attempt -> "paid");

        probe.reset();

        probe.operation("pay").ran(0);
        assertThatThrownBy(() -> probe.operation("pay").ranOnce()).hasMessageContaining("heard of: nothing");
    }
}
