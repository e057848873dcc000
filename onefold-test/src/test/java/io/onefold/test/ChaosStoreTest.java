package io.onefold.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onefold.Key;
import io.onefold.Onefold;
import io.onefold.Operation;
import io.onefold.OperationEvent;
import io.onefold.Outcome;
import io.onefold.store.BatchItemResult;
import io.onefold.store.Claim;
import io.onefold.store.ClaimResult;
import io.onefold.store.MemoryStore;
import io.onefold.store.RecordId;
import io.onefold.store.Status;
import io.onefold.store.StoreException;
import io.onefold.store.StoredRecord;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ChaosStoreTest {
    private static final Operation<String> PAY =
            Operation.of("pay", String.class).lease(Duration.ofSeconds(30)).waitFor(Duration.ZERO);
    private static final Key KEY = Key.of("order-1");

    private final MovableClock clock = MovableClock.running();
    private final MemoryStore memory = new MemoryStore(clock::micros);
    private final FaultInjectingStore chaos = FaultInjectingStore.around(memory);
    private final OutcomeCounter probe = new OutcomeCounter();
    private final Onefold onefold =
            Onefold.builder(chaos).timer(clock.timer()).listener(probe).build();
    private final AtomicInteger paid = new AtomicInteger();

    @Test
    void a_claim_that_fails_is_not_made_and_is_tried_again() {
        chaos.fail(CrashPoint.BEFORE_CLAIM).times(2);

        assertThat(pay()).isEqualTo(new Outcome.Executed<>("paid 1", true));
        assertThat(chaos.struck()).isEqualTo(2);
    }

    @Test
    void a_store_that_cannot_be_reached_is_an_error_and_nothing_runs() {
        chaos.fail(CrashPoint.BEFORE_CLAIM).always();

        assertThatThrownBy(this::pay).isInstanceOf(StoreException.class);
        assertThat(paid).hasValue(0);
        assertThat(onefold.find(PAY, KEY)).isEmpty();

        chaos.heal();
        assertThat(pay()).isEqualTo(new Outcome.Executed<>("paid 1", true));
    }

    @Test
    void a_claim_whose_answer_is_lost_stands_and_knows_itself_again() {
        List<Optional<Status>> before = new ArrayList<>();
        chaos.run(
                        CrashPoint.BEFORE_CLAIM,
                        () -> before.add(onefold.find(PAY, KEY).map(StoredRecord::status)))
                .always();
        chaos.fail(CrashPoint.AFTER_CLAIM).once();

        assertThat(pay()).isEqualTo(new Outcome.Executed<>("paid 1", true));
        assertThat(before).containsExactly(Optional.empty(), Optional.of(Status.PROCESSING));
    }

    @Test
    void only_claims_that_were_won_have_answers_to_lose() {
        pay();
        chaos.fail(CrashPoint.AFTER_CLAIM).once();

        assertThat(pay()).isEqualTo(new Outcome.Replayed<>("paid 1", true));
        assertThat(chaos.struck()).isZero();
    }

    @Test
    void a_crash_after_the_claim_leaves_it_busy_and_then_unknown() {
        chaos.crash(CrashPoint.AFTER_CLAIM).once();

        assertThatThrownBy(this::pay).isInstanceOf(SimulatedCrash.class).hasMessage("crashed AFTER_CLAIM");
        assertThat(pay()).isInstanceOf(Outcome.InProgress.class);
        clock.advance(Duration.ofSeconds(31));
        assertThat(pay()).isInstanceOf(Outcome.Unknown.class);
        assertThat(paid).hasValue(0);
    }

    @Test
    void a_crash_after_the_effect_is_never_repeated() {
        chaos.crash(CrashPoint.BEFORE_COMPLETE).once();

        assertThatThrownBy(this::pay).isInstanceOf(SimulatedCrash.class);
        clock.advance(Duration.ofMinutes(1));

        assertThat(pay()).isInstanceOf(Outcome.Unknown.class);
        assertThat(paid).hasValue(1);
    }

    @Test
    void a_crash_after_the_completion_is_replayed() {
        chaos.crash(CrashPoint.AFTER_COMPLETE).once();

        assertThatThrownBy(this::pay).isInstanceOf(SimulatedCrash.class);

        assertThat(pay()).isEqualTo(new Outcome.Replayed<>("paid 1", true));
    }

    @Test
    void a_completion_that_fails_or_whose_answer_is_lost_is_tried_again() {
        chaos.fail(CrashPoint.BEFORE_COMPLETE).once();
        chaos.run(CrashPoint.BEFORE_COMPLETE, () -> assertThat(status()).isEqualTo(Status.PROCESSING))
                .once();
        chaos.fail(CrashPoint.AFTER_COMPLETE).once();

        assertThat(pay()).isEqualTo(new Outcome.Executed<>("paid 1", true));
        assertThat(chaos.struck()).isEqualTo(3);
        assertThat(pay()).isEqualTo(new Outcome.Replayed<>("paid 1", true));
    }

    @Test
    void failures_and_releases_are_ends_of_the_work_too() {
        Operation<String> broke = PAY.failOn(IllegalArgumentException.class);
        chaos.crash(CrashPoint.BEFORE_COMPLETE).once();

        assertThatThrownBy(() -> onefold.attempt(broke, KEY, attempt -> {
                    throw new IllegalArgumentException("no money");
                }))
                .isInstanceOf(SimulatedCrash.class);
        assertThat(status()).isEqualTo(Status.PROCESSING);
    }

    @Test
    void an_owner_that_has_lost_its_lease_is_overtaken_and_somebody_else_is_at_work() {
        chaos.loseLease().once();

        assertThat(pay()).isEqualTo(new Outcome.Overtaken<>("paid 1"));
        assertThat(pay()).isInstanceOf(Outcome.InProgress.class);
        clock.advance(Duration.ofSeconds(31));
        assertThat(pay()).isInstanceOf(Outcome.Unknown.class);
    }

    @Test
    void an_attempt_learns_of_its_lost_lease_when_it_is_renewed() {
        chaos.loseLease().once();

        onefold.attempt(PAY, KEY, attempt -> {
            clock.advance(Duration.ofSeconds(20));
            assertThat(attempt.leaseLost()).isTrue();
            return "paid";
        });

        assertThat(probe.operation("pay").count(OperationEvent.Kind.LEASE_LOST)).isEqualTo(1);
    }

    @Test
    void a_lease_that_cannot_be_renewed_ends_with_time() {
        chaos.fail(CrashPoint.BEFORE_RENEW).always();

        onefold.attempt(PAY, KEY, attempt -> {
            clock.advance(Duration.ofSeconds(31));
            assertThat(attempt.leaseLost()).isTrue();
            return onefold.attempt(PAY, KEY, another -> "twice").toString();
        });

        probe.operation("pay").ranOnce().unknown(1);
    }

    @Test
    void a_fault_keeps_to_its_operation_and_key() {
        chaos.crash(CrashPoint.BEFORE_CLAIM).operation("refund").once();
        chaos.crash(CrashPoint.BEFORE_CLAIM).operation("pay").key("order-2").once();
        chaos.crash(CrashPoint.BEFORE_CLAIM).key("hidden").once();

        assertThat(pay()).isInstanceOf(Outcome.Executed.class);
        assertThatThrownBy(() -> onefold.attempt(PAY, Key.of("order-2"), attempt -> ""))
                .isInstanceOf(SimulatedCrash.class);
        assertThatThrownBy(
                        () -> onefold.attempt(PAY.hashKeys(), Key.of("hidden").in("tenant"), attempt -> ""))
                .isInstanceOf(SimulatedCrash.class);
        assertThat(chaos.struck()).isEqualTo(2);
    }

    @Test
    void a_slow_store_takes_its_time() {
        chaos.slow(CrashPoint.BEFORE_CLAIM, Duration.ofMillis(50)).once();
        long began = System.nanoTime();

        pay();

        assertThat(Duration.ofNanos(System.nanoTime() - began)).isGreaterThanOrEqualTo(Duration.ofMillis(50));
    }

    @Test
    void of_a_batch_only_those_fail_that_are_to() {
        chaos.fail(CrashPoint.BEFORE_CLAIM).key("b").once();
        chaos.fail(CrashPoint.AFTER_CLAIM).key("c").once();
        List<Claim> claims =
                List.of("a", "b", "c", "d").stream().map(ChaosStoreTest::claim).toList();

        List<BatchItemResult<ClaimResult>> answers = chaos.claimAll(claims);

        assertThat(answers).extracting(BatchItemResult::succeeded).containsExactly(true, false, false, true);
        assertThat(memory.find(claims.get(1).id())).isNull();
        assertThat(memory.find(claims.get(2).id())).isNotNull();
    }

    @Test
    void signals_are_those_of_the_store_behind() {
        assertThat(chaos.signals()).isSameAs(memory.signals());
        assertThat(chaos.joining()).isNull();
    }

    @Test
    void a_fault_strikes_at_least_once() {
        assertThatThrownBy(() -> chaos.fail(CrashPoint.BEFORE_CLAIM).times(0)).hasMessageContaining("not 0");
    }

    private Outcome<String> pay() {
        return onefold.attempt(PAY, KEY, attempt -> "paid " + paid.incrementAndGet());
    }

    private Status status() {
        return onefold.find(PAY, KEY).orElseThrow().status();
    }

    private static Claim claim(String key) {
        return Claim.of(RecordId.of("", "pay", key), UUID.randomUUID(), Duration.ofSeconds(30));
    }
}
