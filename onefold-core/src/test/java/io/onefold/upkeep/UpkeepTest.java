package io.onefold.upkeep;

import static org.assertj.core.api.Assertions.assertThat;

import io.onefold.Key;
import io.onefold.ManualTimer;
import io.onefold.Onefold;
import io.onefold.Operation;
import io.onefold.OperationEvent;
import io.onefold.Outcome;
import io.onefold.Verdict;
import io.onefold.store.MemoryStore;
import io.onefold.store.Status;
import io.onefold.store.StoredRecord;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

class UpkeepTest {
    private static final Operation<String> CHARGE = Operation.of("charge", String.class);

    private final ManualTimer timer = new ManualTimer();
    private final MemoryStore store = new MemoryStore(timer::micros);
    private final List<OperationEvent.Kind> told = new ArrayList<>();
    private final Onefold onefold = Onefold.builder(store)
            .timer(timer)
            .executor(Runnable::run)
            .listener(event -> told.add(event.kind()))
            .build();

    /** An owner that is never heard of again: its timer stands still, and so do its renewals. */
    private void lose(Operation<String> operation, String key) {
        Onefold lost = Onefold.builder(store)
                .timer(new ManualTimer())
                .executor(Runnable::run)
                .build();
        var unused =
                lost.attemptAsync(operation, Key.of(key).bizId("biz-" + key), attempt -> new CompletableFuture<>());
    }

    private Status status(String key) {
        return onefold.find(CHARGE, Key.of(key)).map(StoredRecord::status).orElseThrow();
    }

    @Test
    void a_lost_owner_is_found_when_its_lease_is_over_and_its_outcome_is_settled_by_the_probe() {
        lose(CHARGE, "k");
        List<String> asked = new ArrayList<>();
        Reconciler reconciler = new Reconciler(onefold, timer).probe(CHARGE, stuck -> {
            asked.add(stuck.bizId() + " " + stuck.childKey("provider"));
            return Verdict.executed("found");
        });
        assertThat(reconciler.runOnce(() -> true)).isEqualTo(new Reconciler.ReconcileReport(0, 0, 0));
        timer.pass(Duration.ofSeconds(30));
        assertThat(reconciler.runOnce(() -> true)).isEqualTo(new Reconciler.ReconcileReport(1, 1, 0));
        String childKey = onefold.find(CHARGE, Key.of("k")).orElseThrow().id().child("provider");
        assertThat(asked).containsExactly("biz-k " + childKey);
        assertThat(onefold.attempt(CHARGE, Key.of("k"), attempt -> "again"))
                .isEqualTo(new Outcome.Replayed<>("found", true));
        assertThat(told).contains(OperationEvent.Kind.FOUND_UNKNOWN, OperationEvent.Kind.SETTLED);
    }

    @Test
    void not_found_is_unknown_and_only_what_can_no_longer_happen_runs_again() {
        lose(CHARGE, "k");
        timer.pass(Duration.ofSeconds(30));
        new Reconciler(onefold, timer).probe(CHARGE, stuck -> Verdict.unknown()).runOnce(() -> true);
        assertThat(status("k")).isEqualTo(Status.UNKNOWN);
        new Reconciler(onefold, timer)
                .probe(CHARGE, stuck -> Verdict.canNoLongerHappen())
                .runOnce(() -> true);
        assertThat(status("k")).isEqualTo(Status.FREE);
        assertThat(onefold.attempt(CHARGE, Key.of("k"), attempt -> "attempt " + attempt.number()))
                .isEqualTo(new Outcome.Executed<>("attempt 2", true));
    }

    @Test
    void probes_become_rarer_and_a_long_doubt_raises_one_alarm() {
        lose(CHARGE, "k");
        timer.pass(Duration.ofSeconds(30));
        AtomicInteger probes = new AtomicInteger();
        Reconciler reconciler = new Reconciler(onefold, timer).probe(CHARGE, stuck -> {
            probes.incrementAndGet();
            throw new IllegalStateException("the provider is down");
        });
        for (int seconds = 0; seconds <= 600; seconds += 5) {
            reconciler.runOnce(() -> true);
            timer.pass(Duration.ofSeconds(5));
        }
        // at 0, 5, 15, 35, 75, 155 and 315 seconds
        assertThat(probes).hasValue(7);
        assertThat(told.stream().filter(kind -> kind == OperationEvent.Kind.STUCK))
                .hasSize(1);
    }

    @Test
    void a_shorter_first_pause_makes_all_of_them_shorter() {
        lose(CHARGE, "k");
        timer.pass(Duration.ofSeconds(30));
        AtomicInteger probes = new AtomicInteger();
        Reconciler reconciler = new Reconciler(
                        onefold, timer, MaintenanceSettings.standard().probePause(Duration.ofMillis(500)))
                .probe(CHARGE, stuck -> {
                    probes.incrementAndGet();
                    return Verdict.unknown();
                });
        for (int halves = 0; halves <= 7; halves++) {
            reconciler.runOnce(() -> true);
            timer.pass(Duration.ofMillis(500));
        }
        // at 0, 0.5, 1.5 and 3.5 seconds
        assertThat(probes).hasValue(4);
    }

    @Test
    void what_is_safe_to_repeat_is_freed_without_asking() {
        Operation<String> safe = CHARGE.safeToRepeat();
        lose(safe, "k");
        timer.pass(Duration.ofSeconds(30));
        Reconciler reconciler = new Reconciler(onefold, timer).probe(safe, stuck -> Verdict.executed("never asked"));
        assertThat(reconciler.runOnce(() -> true)).isEqualTo(new Reconciler.ReconcileReport(1, 1, 0));
        assertThat(status("k")).isEqualTo(Status.FREE);
    }

    @Test
    void a_run_ends_when_it_is_told_to() {
        for (int i = 0; i < 5; i++) {
            lose(CHARGE, "k" + i);
        }
        timer.pass(Duration.ofSeconds(30));
        AtomicInteger left = new AtomicInteger(2);
        assertThat(new Reconciler(onefold, timer).runOnce(() -> left.getAndDecrement() > 0))
                .isEqualTo(new Reconciler.ReconcileReport(2, 0, 2));
    }

    @Test
    void closing_again_does_nothing() {
        Maintenance upkeep = Maintenance.start(store, new Reconciler(onefold, timer));
        upkeep.close();
        upkeep.close();
    }

    @Test
    void a_sweep_goes_on_in_batches_until_nothing_is_left() {
        for (int i = 0; i < 25; i++) {
            onefold.attempt(CHARGE, Key.of("k" + i), attempt -> "done");
        }
        Sweeper sweeper = new Sweeper(store, 10);
        assertThat(sweeper.runOnce(() -> true)).isZero();
        timer.pass(Duration.ofDays(1));
        assertThat(sweeper.runOnce(() -> true)).isEqualTo(25);
        assertThat(onefold.find(CHARGE, Key.of("k0"))).isEmpty();
    }

    private MaintenanceLease turn(String duty) {
        return new MaintenanceLease(store, timer, duty, Duration.ofSeconds(30));
    }

    @Test
    void a_turn_is_one_nodes_until_it_ends_or_its_lease_is_over() {
        MaintenanceLease first = turn("sweep");
        MaintenanceLease second = turn("sweep");
        assertThat(first.take()).isTrue();
        assertThat(second.take()).isFalse();
        assertThat(turn("reconcile").take()).isTrue();
        first.end();
        assertThat(second.take()).isTrue();
        assertThat(first.isMine()).isFalse();
        timer.pass(Duration.ofSeconds(20));
        assertThat(second.isMine()).isTrue();
        timer.pass(Duration.ofSeconds(20));
        assertThat(first.take()).isFalse();
        timer.pass(Duration.ofSeconds(10));
        assertThat(first.take()).isTrue();
        assertThat(second.isMine()).isFalse();
        assertThat(second.take()).isFalse();
    }

    @Test
    void a_turn_that_was_lost_is_not_taken_for_a_stuck_request() {
        assertThat(turn("sweep").take()).isTrue();
        timer.pass(Duration.ofSeconds(60));
        assertThat(new Reconciler(onefold, timer).runOnce(() -> true))
                .isEqualTo(new Reconciler.ReconcileReport(0, 0, 0));
    }

    @Test
    void the_scheduler_reconciles_and_sweeps_by_itself() throws Exception {
        lose(CHARGE, "k");
        timer.pass(Duration.ofSeconds(30));
        CountDownLatch probed = new CountDownLatch(1);
        Reconciler reconciler = new Reconciler(onefold, timer).probe(CHARGE, stuck -> {
            probed.countDown();
            return Verdict.unknown();
        });
        try (Maintenance upkeep = Maintenance.start(store, reconciler, new Sweeper(store, 100))) {
            assertThat(upkeep).isNotNull();
            assertThat(probed.await(20, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void who_is_interrupted_while_closing_still_leaves_nothing_under_way() throws Exception {
        lose(CHARGE, "k");
        timer.pass(Duration.ofSeconds(30));
        CountDownLatch probing = new CountDownLatch(1);
        AtomicInteger ended = new AtomicInteger();
        Reconciler reconciler = new Reconciler(onefold, timer).probe(CHARGE, stuck -> {
            probing.countDown();
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                // what it takes to clean up
                LockSupport.parkNanos(Duration.ofMillis(200).toNanos());
                ended.incrementAndGet();
            }
            return Verdict.unknown();
        });
        Maintenance upkeep = Maintenance.start(store, reconciler, new Sweeper(store, 100));
        assertThat(probing.await(20, TimeUnit.SECONDS)).isTrue();
        Thread.currentThread().interrupt();
        upkeep.close();
        assertThat(Thread.interrupted()).isTrue();
        assertThat(ended).hasValue(1);
    }

    @Test
    void a_probe_is_registered_while_another_is_asked() throws Exception {
        lose(CHARGE, "k");
        timer.pass(Duration.ofSeconds(30));
        CountDownLatch probing = new CountDownLatch(1);
        CountDownLatch registered = new CountDownLatch(1);
        Reconciler reconciler = new Reconciler(onefold, timer).probe(CHARGE, stuck -> {
            probing.countDown();
            registered.await();
            return Verdict.executed("found");
        });
        CompletableFuture<Reconciler.ReconcileReport> running =
                CompletableFuture.supplyAsync(() -> reconciler.runOnce(() -> true), task -> new Thread(task).start());
        assertThat(probing.await(20, TimeUnit.SECONDS)).isTrue();
        CompletableFuture<?> registration = CompletableFuture.runAsync(
                () -> reconciler.probe(Operation.of("other", String.class), stuck -> Verdict.unknown()),
                task -> new Thread(task).start());
        registration.get(20, TimeUnit.SECONDS);
        registered.countDown();
        assertThat(running.get(20, TimeUnit.SECONDS).settled()).isEqualTo(1);
    }

    @Test
    void what_is_under_way_is_interrupted_when_patience_is_over() throws Exception {
        lose(CHARGE, "k");
        timer.pass(Duration.ofSeconds(30));
        CountDownLatch probing = new CountDownLatch(1);
        AtomicInteger ended = new AtomicInteger();
        Reconciler reconciler = new Reconciler(onefold, timer).probe(CHARGE, stuck -> {
            probing.countDown();
            try {
                new CountDownLatch(1).await();
            } finally {
                ended.incrementAndGet();
            }
            return Verdict.unknown();
        });
        Maintenance upkeep = Maintenance.start(store, reconciler, new Sweeper(store, 100));
        assertThat(probing.await(20, TimeUnit.SECONDS)).isTrue();
        upkeep.close(Duration.ofMillis(1));
        assertThat(ended).hasValue(1);
    }
}
