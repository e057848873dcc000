package io.onefold.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.onefold.Key;
import io.onefold.ManualTimer;
import io.onefold.Onefold;
import io.onefold.Operation;
import io.onefold.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Where those who wait are woken when there is a front. */
class FrontSignalsTest {
    private static final RecordId ID = RecordId.of("tenant", "op", "key");

    private final ManualTimer timer = new ManualTimer();
    private final Wired front = new Wired();
    private final Wired truth = new Wired();
    private final TieredStore door = TieredStore.over(front, truth, () -> "e1", timer::nanos);
    private final RecordSignals signals = Objects.requireNonNull(door.signals());
    private final AtomicInteger woken = new AtomicInteger();

    private RecordSignals.Subscription subscribe() {
        return signals.subscribe(ID, woken::incrementAndGet);
    }

    private void shutFront() {
        front.failing = true;
        door.sweep(1);
        assertThat(door.health().open()).isFalse();
    }

    @Test
    void who_waits_does_so_under_the_identity_that_the_record_has_at_the_front() {
        RecordSignals.Subscription subscription = subscribe();
        front.memory.publish(ID);
        truth.memory.publish(ID);
        assertThat(woken).hasValue(0);
        front.memory.publish(ID.at("e1"));
        assertThat(woken).hasValue(1);
        subscription.close();
        front.memory.publish(ID.at("e1"));
        assertThat(woken).hasValue(1);
    }

    @Test
    void while_the_front_is_shut_they_wait_at_the_truth() {
        shutFront();
        subscribe();
        truth.memory.publish(ID);
        assertThat(woken).hasValue(1);
    }

    @Test
    void a_front_that_takes_no_subscription_leaves_them_to_the_truth() {
        front.deaf = true;
        subscribe();
        truth.memory.publish(ID);
        assertThat(woken).hasValue(1);
    }

    @Test
    void where_nothing_can_wake_them_waiting_fails_nobody() {
        front.deaf = true;
        truth.mute = true;
        RecordSignals alone = Objects.requireNonNull(
                TieredStore.over(front, truth, () -> "e1", timer::nanos).signals());
        alone.subscribe(ID, woken::incrementAndGet).close();
        alone.publish(ID);
        front.mute = true;
        assertThat(TieredStore.over(front, truth, () -> "e1", timer::nanos).signals())
                .isNull();
    }

    @Test
    void a_front_without_signals_leaves_them_to_the_truth() {
        front.mute = true;
        assertThat(door.signals()).isSameAs(truth);
    }

    @Test
    void who_publishes_tells_both_and_one_that_fails_does_not_keep_the_other_from_hearing() {
        truth.memory.subscribe(ID, woken::incrementAndGet);
        subscribe();
        signals.publish(ID);
        assertThat(woken).hasValue(2);
        front.deaf = true;
        signals.publish(ID);
        assertThat(woken).hasValue(3);
    }

    @Test
    void signals_say_nothing_about_the_fronts_health() {
        front.deaf = true;
        subscribe();
        signals.publish(ID);
        assertThat(door.health().open()).isTrue();
        front.deaf = false;
        shutFront();
        timer.pass(Duration.ofMinutes(1));
        subscribe();
        signals.publish(ID);
        assertThat(door.health().open()).isFalse();
    }

    @Test
    void a_waiter_on_another_node_is_woken_and_need_not_look() {
        Operation<String> charge = Operation.of("charge", String.class).waitFor(Duration.ofMinutes(1));
        Onefold one = node();
        Onefold other = node();
        CompletableFuture<String> running = new CompletableFuture<>();
        var owner = one.attemptAsync(charge, Key.of("k"), attempt -> running);
        var waiter = other.attemptAsync(charge, Key.of("k"), attempt -> running);
        assertThat(waiter).isNotDone();
        running.complete("once");
        assertThat(owner).isCompletedWithValue(new Outcome.Executed<>("once", true));
        assertThat(waiter).isCompletedWithValue(new Outcome.Replayed<>("once", true));
    }

    private Onefold node() {
        return Onefold.builder(TieredStore.over(front, truth, () -> "e1", timer::nanos))
                .timer(timer)
                .executor(Runnable::run)
                .build();
    }

    /** A store that can wake, whose steps may fail, and whose signals may be cut or missing. */
    private final class Wired implements Store, RecordSignals {
        final MemoryStore memory = new MemoryStore(timer::micros);
        boolean failing;
        boolean deaf;
        boolean mute;

        private MemoryStore step(boolean fails) {
            if (fails) {
                throw new StoreException("not now");
            }
            return memory;
        }

        @Override
        public List<BatchItemResult<ClaimResult>> claimAll(List<Claim> claims) {
            return step(failing).claimAll(claims);
        }

        @Override
        public List<BatchItemResult<UpdateResult>> updateAll(List<RecordUpdate> updates) {
            return step(failing).updateAll(updates);
        }

        @Override
        public @Nullable RecordSnapshot find(RecordId id) {
            return step(failing).find(id);
        }

        @Override
        public RecordPage list(RecordFilter filter, @Nullable String cursor, int limit) {
            return step(failing).list(filter, cursor, limit);
        }

        @Override
        public int sweep(int limit) {
            return step(failing).sweep(limit);
        }

        @Override
        public @Nullable RecordSignals signals() {
            return mute ? null : this;
        }

        @Override
        public Subscription subscribe(RecordId id, Runnable wake) {
            return step(deaf).subscribe(id, wake);
        }

        @Override
        public void publish(RecordId id) {
            step(deaf).publish(id);
        }
    }
}
