package io.onefold.upkeep;

import static org.assertj.core.api.Assertions.assertThat;

import io.onefold.Key;
import io.onefold.ManualTimer;
import io.onefold.Onefold;
import io.onefold.Operation;
import io.onefold.Verdict;
import io.onefold.store.BatchItemResult;
import io.onefold.store.Claim;
import io.onefold.store.ClaimResult;
import io.onefold.store.ForwardingStore;
import io.onefold.store.MemoryStore;
import io.onefold.store.RecordFilter;
import io.onefold.store.RecordPage;
import io.onefold.store.RecordUpdate;
import io.onefold.store.Status;
import io.onefold.store.Store;
import io.onefold.store.UpdateResult;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Maintenance while much is stuck, and while probes do not end. */
class UpkeepLoadTest {
    private static final Operation<String> CHARGE = Operation.of("charge", String.class);
    private static final Operation<String> SHIP = Operation.of("ship", String.class);
    private static final int MANY = 300;

    private final ManualTimer timer = new ManualTimer();
    private final AtomicInteger writes = new AtomicInteger();
    private final CountDownLatch walked = new CountDownLatch(1);
    private final CountDownLatch swept = new CountDownLatch(1);
    private final Store store = new ForwardingStore(new MemoryStore(timer::micros)) {
        @Override
        public List<BatchItemResult<ClaimResult>> claimAll(List<Claim> claims) {
            writes.addAndGet(claims.size());
            return super.claimAll(claims);
        }

        @Override
        public List<BatchItemResult<UpdateResult>> updateAll(List<RecordUpdate> updates) {
            writes.addAndGet(updates.size());
            return super.updateAll(updates);
        }

        @Override
        public RecordPage list(RecordFilter filter, @Nullable String cursor, int limit) {
            RecordPage page = super.list(filter, cursor, limit);
            if (page.next() == null) {
                walked.countDown();
            }
            return page;
        }

        @Override
        public int sweep(int limit) {
            swept.countDown();
            return super.sweep(limit);
        }
    };
    private final Onefold onefold =
            Onefold.builder(store).timer(timer).executor(Runnable::run).build();

    private void lose(Operation<String> operation, String key) {
        Onefold lost = Onefold.builder(store)
                .timer(new ManualTimer())
                .executor(Runnable::run)
                .build();
        var unused = lost.attemptAsync(operation, Key.of(key), attempt -> new CompletableFuture<>());
    }

    @Test
    void a_round_writes_nothing_for_outcomes_that_stay_unknown() throws Exception {
        for (int i = 0; i < MANY; i++) {
            lose(CHARGE, "k" + i);
        }
        timer.pass(Duration.ofSeconds(30));
        Reconciler reconciler = new Reconciler(onefold, timer);
        assertThat(reconciler.runOnce(() -> true).doubted()).isEqualTo(MANY);
        writes.set(0);
        CountDownLatch probed = new CountDownLatch(1);
        reconciler.probe(CHARGE, stuck -> {
            probed.countDown();
            return Verdict.unknown();
        });
        try (Maintenance upkeep = Maintenance.start(store, reconciler, new Sweeper(store, 100))) {
            assertThat(upkeep).isNotNull();
            assertThat(probed.await(30, TimeUnit.SECONDS)).isTrue();
            assertThat(walked.await(30, TimeUnit.SECONDS)).isTrue();
            assertThat(swept.await(30, TimeUnit.SECONDS)).isTrue();
        }
        // two turns are taken and given back
        assertThat(writes.get()).isLessThan(10);
    }

    @Test
    void probes_that_hang_delay_neither_lost_owners_nor_the_sweep_nor_the_probes_of_others() throws Exception {
        lose(CHARGE, "hangs");
        lose(CHARGE, "hangs too");
        timer.pass(Duration.ofSeconds(30));
        lose(SHIP, "lost");
        timer.pass(Duration.ofSeconds(30));
        CountDownLatch never = new CountDownLatch(1);
        CountDownLatch hanging = new CountDownLatch(2);
        CountDownLatch asked = new CountDownLatch(1);
        Reconciler reconciler = new Reconciler(onefold, timer)
                .probe(CHARGE, stuck -> {
                    hanging.countDown();
                    never.await();
                    return Verdict.unknown();
                })
                .probe(SHIP, stuck -> {
                    asked.countDown();
                    return Verdict.executed("shipped");
                });
        Maintenance upkeep = Maintenance.start(store, reconciler, new Sweeper(store, 100));
        try {
            assertThat(hanging.await(30, TimeUnit.SECONDS)).isTrue();
            assertThat(asked.await(30, TimeUnit.SECONDS)).isTrue();
            assertThat(swept.await(30, TimeUnit.SECONDS)).isTrue();
            assertThat(onefold.find(SHIP, Key.of("lost")).orElseThrow().status())
                    .isNotEqualTo(Status.PROCESSING);
        } finally {
            upkeep.close(Duration.ofMillis(1));
        }
    }
}
