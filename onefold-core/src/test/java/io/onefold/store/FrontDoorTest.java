package io.onefold.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.onefold.Key;
import io.onefold.ManualTimer;
import io.onefold.Onefold;
import io.onefold.Operation;
import io.onefold.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What a front door spares the truth, beside keeping every promise of the contract. */
class FrontDoorTest {
    private static final Operation<String> CHARGE =
            Operation.of("charge", String.class).waitFor(Duration.ZERO);
    private static final int DUPLICATES = 10_000;

    private final ManualTimer timer = new ManualTimer();
    private final CountedStore front = new CountedStore(new MemoryStore(timer::micros));
    private final CountedStore truth = new CountedStore(new MemoryStore(timer::micros));

    private Onefold node(String epoch) {
        Store door = FrontDoor.over(front, truth, epoch, timer::nanos);
        return Onefold.builder(door).timer(timer).executor(Runnable::run).build();
    }

    @Test
    void a_hot_key_costs_the_truth_a_handful_of_steps() {
        Onefold one = node("e1");
        Onefold other = node("e1");
        CompletableFuture<String> running = new CompletableFuture<>();
        var owner = one.attemptAsync(CHARGE, Key.of("k").matching("a"), attempt -> running);
        for (int i = 0; i < DUPLICATES / 2; i++) {
            assertThat(other.attempt(CHARGE, Key.of("k").matching("a"), attempt -> "twice"))
                    .isInstanceOf(Outcome.Busy.class);
        }
        running.complete("once");
        assertThat(owner).isCompletedWithValue(new Outcome.Executed<>("once", true));
        for (int i = 0; i < DUPLICATES / 2; i++) {
            assertThat(other.attempt(CHARGE, Key.of("k").matching("a"), attempt -> "twice"))
                    .isEqualTo(new Outcome.Replayed<>("once", true));
        }
        assertThat(truth.steps).hasValue(2);
    }

    @Test
    void a_new_epoch_knows_nothing_of_the_old_one() {
        assertThat(node("e1").attempt(CHARGE, Key.of("k"), attempt -> "first")).isInstanceOf(Outcome.Executed.class);
        truth.store = new MemoryStore(timer::micros);
        assertThat(node("e1").attempt(CHARGE, Key.of("k"), attempt -> "second"))
                .isEqualTo(new Outcome.Replayed<>("first", true));
        assertThat(node("e2").attempt(CHARGE, Key.of("k"), attempt -> "second"))
                .isEqualTo(new Outcome.Executed<>("second", true));
    }

    @Test
    void a_front_that_fails_is_left_alone_for_a_while_and_asked_again_later() {
        Onefold one = node("e1");
        front.failing = true;
        assertThat(one.attempt(CHARGE, Key.of("k"), attempt -> "once")).isEqualTo(new Outcome.Executed<>("once", true));
        int asked = front.steps.get();
        assertThat(one.attempt(CHARGE, Key.of("k"), attempt -> "twice"))
                .isEqualTo(new Outcome.Replayed<>("once", true));
        assertThat(front.steps).hasValue(asked);
        front.failing = false;
        timer.pass(Duration.ofSeconds(1));
        one.attempt(CHARGE, Key.of("k"), attempt -> "twice");
        int before = truth.steps.get();
        assertThat(one.attempt(CHARGE, Key.of("k"), attempt -> "twice"))
                .isEqualTo(new Outcome.Replayed<>("once", true));
        assertThat(truth.steps).as("the front knows it again").hasValue(before);
    }

    /** Counts the steps it is asked for. */
    private static final class CountedStore implements Store {
        final AtomicInteger steps = new AtomicInteger();
        Store store;
        boolean failing;

        CountedStore(Store store) {
            this.store = store;
        }

        private Store step() {
            steps.incrementAndGet();
            if (failing) {
                throw new StoreException("not now");
            }
            return store;
        }

        @Override
        public List<Answer<Claimed>> claimAll(List<Claim> claims) {
            return step().claimAll(claims);
        }

        @Override
        public List<Answer<Updated>> updateAll(List<Update> updates) {
            return step().updateAll(updates);
        }

        @Override
        public @Nullable Seen find(RecordId id) {
            return step().find(id);
        }

        @Override
        public Page list(Filter filter, @Nullable String cursor, int limit) {
            return step().list(filter, cursor, limit);
        }

        @Override
        public int sweep(int limit) {
            return step().sweep(limit);
        }
    }
}
