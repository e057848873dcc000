package io.onefold.upkeep;

import static org.assertj.core.api.Assertions.assertThat;

import io.onefold.Key;
import io.onefold.ManualTimer;
import io.onefold.Onefold;
import io.onefold.Operation;
import io.onefold.OperationEvent;
import io.onefold.Verdict;
import io.onefold.store.MemoryStore;
import io.onefold.store.Status;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How many probes run, for how long, and what becomes of those that do not end. */
@Timeout(60)
class ProbeLimitTest {
    private static final Operation<String> CHARGE = Operation.of("charge", String.class);
    private static final Operation<String> SHIP = Operation.of("ship", String.class);
    private static final MaintenanceSettings SETTINGS =
            MaintenanceSettings.standard().probeThreads(2);

    private final ManualTimer timer = new ManualTimer();
    private final MemoryStore store = new MemoryStore(timer::micros);
    private final List<OperationEvent.Kind> told = new CopyOnWriteArrayList<>();
    private final Onefold onefold = Onefold.builder(store)
            .timer(timer)
            .executor(Runnable::run)
            .listener(event -> told.add(event.kind()))
            .build();

    private void lose(Operation<String> operation, String... keys) {
        Onefold lost = Onefold.builder(store)
                .timer(new ManualTimer())
                .executor(Runnable::run)
                .build();
        for (String key : keys) {
            var unused = lost.attemptAsync(operation, Key.of(key), attempt -> new CompletableFuture<>());
        }
        timer.pass(Duration.ofSeconds(30));
    }

    private Status status(Operation<String> operation, String key) {
        return onefold.find(operation, Key.of(key)).orElseThrow().status();
    }

    /** Waits without heeding interrupts. */
    private static void hang(CountDownLatch until) {
        while (until.getCount() > 0) {
            try {
                until.await();
            } catch (InterruptedException e) {
                // as a driver may do
            }
        }
    }

    @Test
    void no_more_probes_run_at_once_than_there_are_threads_and_all_come_to_run() {
        String[] keys = new String[20];
        for (int i = 0; i < keys.length; i++) {
            keys[i] = "k" + i;
        }
        lose(CHARGE, keys);
        AtomicInteger running = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        Reconciler reconciler = new Reconciler(onefold, timer, SETTINGS).probe(CHARGE, stuck -> {
            most.accumulateAndGet(running.incrementAndGet(), Math::max);
            Thread.onSpinWait();
            running.decrementAndGet();
            return Verdict.executed("found");
        });
        assertThat(reconciler.runOnce(() -> true)).isEqualTo(new Reconciler.ReconcileReport(20, 20, 0));
        assertThat(most.get()).isBetween(1, 2);
    }

    @Test
    void a_probe_that_takes_too_long_is_interrupted_and_its_outcome_stays_unknown() throws Exception {
        lose(CHARGE, "k");
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch interrupted = new CountDownLatch(1);
        Reconciler reconciler = new Reconciler(onefold, timer, SETTINGS).probe(CHARGE, stuck -> {
            asked.countDown();
            try {
                new CountDownLatch(1).await();
            } finally {
                interrupted.countDown();
            }
            return Verdict.executed("never");
        });
        reconciler.startRound(() -> true);
        assertThat(asked.await(30, TimeUnit.SECONDS)).isTrue();
        timer.pass(SETTINGS.probeTimeout());
        assertThat(interrupted.await(30, TimeUnit.SECONDS)).isTrue();
        assertThat(reconciler.awaitProbes(Duration.ofSeconds(30))).isTrue();
        assertThat(status(CHARGE, "k")).isEqualTo(Status.UNKNOWN);
        assertThat(told).containsOnlyOnce(OperationEvent.Kind.PROBE_FAILED);
    }

    @Test
    void a_probe_that_hangs_is_not_started_again_and_stops_no_other() throws Exception {
        lose(CHARGE, "hangs");
        lose(SHIP, "k1", "k2");
        CountDownLatch until = new CountDownLatch(1);
        CountDownLatch hanging = new CountDownLatch(1);
        AtomicInteger hung = new AtomicInteger();
        MaintenanceSettings one = SETTINGS.probeThreads(1);
        Reconciler reconciler = new Reconciler(onefold, timer, one).probe(CHARGE, stuck -> {
            hung.incrementAndGet();
            hanging.countDown();
            hang(until);
            return Verdict.executed("late");
        });
        reconciler.startRound(() -> true);
        assertThat(hanging.await(30, TimeUnit.SECONDS)).isTrue();
        timer.pass(one.probeTimeout());
        reconciler.probe(SHIP, stuck -> Verdict.executed("shipped"));
        for (int round = 0; round < 5; round++) {
            reconciler.runOnce(() -> true);
            timer.pass(Duration.ofMinutes(10));
        }
        assertThat(status(SHIP, "k1")).isEqualTo(Status.SUCCESS);
        assertThat(status(SHIP, "k2")).isEqualTo(Status.SUCCESS);
        assertThat(status(CHARGE, "hangs")).isEqualTo(Status.UNKNOWN);
        assertThat(hung).hasValue(1);
        assertThat(told).contains(OperationEvent.Kind.STUCK);
        // its word counts, however late
        until.countDown();
        while (status(CHARGE, "hangs") != Status.SUCCESS) {
            Thread.onSpinWait();
        }
    }

    @Test
    void probes_that_hang_use_up_no_more_threads_than_may_run_at_once() throws Exception {
        lose(CHARGE, "k1", "k2", "k3", "k4", "k5", "k6");
        CountDownLatch until = new CountDownLatch(1);
        Semaphore hung = new Semaphore(0);
        Reconciler reconciler = new Reconciler(onefold, timer, SETTINGS).probe(CHARGE, stuck -> {
            hung.release();
            hang(until);
            return Verdict.executed("late");
        });
        for (int round = 0; round < 5; round++) {
            reconciler.startRound(() -> true);
            if (round == 0) {
                assertThat(hung.tryAcquire(2, 30, TimeUnit.SECONDS)).isTrue();
            }
            timer.pass(Duration.ofMinutes(10));
        }
        // two were given up, and the operation gets no more
        assertThat(hung.availablePermits()).isZero();
        until.countDown();
        while (status(CHARGE, "k1") != Status.SUCCESS || status(CHARGE, "k6") != Status.SUCCESS) {
            reconciler.runOnce(() -> true);
        }
    }

    @Test
    void a_round_probes_a_bounded_number_of_an_operation_and_the_others_next() {
        lose(CHARGE, "k1", "k2", "k3", "k4", "k5");
        lose(SHIP, "k1");
        Set<String> asked = ConcurrentHashMap.newKeySet();
        AtomicInteger probes = new AtomicInteger();
        Reconciler reconciler = new Reconciler(onefold, timer, SETTINGS.probesPerRound(2))
                .probe(CHARGE, stuck -> {
                    probes.incrementAndGet();
                    asked.add(stuck.id().key());
                    return Verdict.unknown();
                })
                .probe(SHIP, stuck -> Verdict.executed("shipped"));
        assertThat(reconciler.runOnce(() -> true)).isEqualTo(new Reconciler.ReconcileReport(6, 1, 5));
        assertThat(probes).hasValue(2);
        reconciler.runOnce(() -> true);
        reconciler.runOnce(() -> true);
        assertThat(asked).hasSize(5);
        assertThat(probes).hasValue(5);
        // none is due again
        reconciler.runOnce(() -> true);
        assertThat(probes).hasValue(5);
    }

    @Test
    void an_outcome_is_stuck_after_the_time_that_was_set() {
        lose(CHARGE, "k");
        Reconciler reconciler = new Reconciler(onefold, timer, SETTINGS.stuckAfter(Duration.ofSeconds(7)));
        reconciler.runOnce(() -> true);
        timer.pass(Duration.ofSeconds(6));
        reconciler.runOnce(() -> true);
        assertThat(told).doesNotContain(OperationEvent.Kind.STUCK);
        timer.pass(Duration.ofSeconds(1));
        reconciler.runOnce(() -> true);
        reconciler.runOnce(() -> true);
        assertThat(told).containsOnlyOnce(OperationEvent.Kind.STUCK);
    }

    @Test
    void what_the_first_probe_settles_is_not_called_stuck_however_old_it_is() {
        lose(CHARGE, "k");
        new Reconciler(onefold, timer, SETTINGS).runOnce(() -> true);
        timer.pass(Duration.ofHours(1));
        Reconciler started = new Reconciler(onefold, timer, SETTINGS).probe(CHARGE, stuck -> Verdict.executed("found"));
        assertThat(started.runOnce(() -> true).settled()).isEqualTo(1);
        assertThat(told).doesNotContain(OperationEvent.Kind.STUCK);
    }
}
