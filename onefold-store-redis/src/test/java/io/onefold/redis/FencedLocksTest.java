package io.onefold.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.onefold.Onefold;
import io.onefold.OperationEvent;
import io.onefold.Timer;
import io.onefold.servers.RedisServer;
import io.onefold.store.Change;
import io.onefold.store.Claim;
import io.onefold.store.ClaimResult;
import io.onefold.store.MemoryStore;
import io.onefold.store.RecordFilter;
import io.onefold.store.ResultPayload;
import io.onefold.store.RetentionPeriod;
import io.onefold.store.Status;
import io.onefold.store.Store;
import io.onefold.store.StoredRecord;
import io.onefold.store.UpdateResult;
import io.onefold.upkeep.Reconciler;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class FencedLocksTest {
    private static final Duration LONG = Duration.ofMinutes(10);
    private static final Store STORE =
            RedisStore.of(RedisConnections.at(RedisServer.shared().uri()));
    private static final Store OTHER =
            RedisStore.of(RedisConnections.at(RedisServer.shared().uri()));

    private final String name = "payout-" + UUID.randomUUID();

    private StoredRecord record() {
        return Objects.requireNonNull(STORE.find(FencedLocks.id(name))).record();
    }

    @Test
    void a_section_runs_under_its_lock_and_its_value_comes_back() {
        try (FencedLocks locks = FencedLocks.on(STORE)) {
            String value = locks.run(name, held -> {
                assertThat(held.stillMine()).isTrue();
                assertThat(held.name()).isEqualTo(name);
                assertThat(record().status()).isEqualTo(Status.PROCESSING);
                assertThat(record().fence()).isEqualTo(held.fence());
                return "done";
            });
            assertThat(value).isEqualTo("done");
            assertThat(record().status()).isEqualTo(Status.FREE);
        }
    }

    @Test
    void one_section_runs_at_a_time_and_each_has_a_higher_fence_than_all_before() {
        try (FencedLocks locks = FencedLocks.on(STORE);
                FencedLocks others = FencedLocks.on(OTHER)) {
            List<Long> fences = new ArrayList<>();
            AtomicBoolean inside = new AtomicBoolean();
            Together.call(16, i -> {
                for (int round = 0; round < 10; round++) {
                    Object unused = (i % 2 == 0 ? locks : others).run(name, LONG, held -> {
                        assertThat(inside.getAndSet(true)).isFalse();
                        fences.add(held.fence());
                        assertThat(record().fence()).isEqualTo(held.fence());
                        assertThat(inside.getAndSet(false)).isTrue();
                        return null;
                    });
                }
                return true;
            });
            assertThat(fences).hasSize(160).isSorted().doesNotHaveDuplicates();
        }
    }

    @Test
    void who_finds_a_lock_taken_runs_nothing_and_is_told_when_it_may_be_free() throws Exception {
        try (FencedLocks locks = FencedLocks.on(STORE);
                FencedLocks others = FencedLocks.on(OTHER)) {
            locks.run(name, held -> {
                LockResult<String> outcome = others.tryRun(name, other -> "must not run");
                assertThat(outcome)
                        .isInstanceOfSatisfying(
                                LockResult.NotAcquired.class,
                                taken -> assertThat(taken.free()).isBetween(Duration.ofSeconds(1), FencedLocks.LEASE));
                long began = System.nanoTime();
                assertThatExceptionOfType(LockNotAcquiredException.class)
                        .isThrownBy(() -> others.run(name, Duration.ofMillis(200), other -> "must not run"))
                        .withMessageContaining(name)
                        .withMessageContaining("PT0.2S");
                assertThat(System.nanoTime() - began).isGreaterThanOrEqualTo(200_000_000);
                return null;
            });
            assertThat(others.tryRun(name, held -> "free again")).isEqualTo(new LockResult.SectionRan<>("free again"));
        }
    }

    @Test
    void a_lock_is_renewed_for_as_long_as_its_section_runs() throws Exception {
        Duration lease = Duration.ofMillis(1_500);
        try (FencedLocks locks = FencedLocks.on(STORE, lease);
                FencedLocks others = FencedLocks.on(OTHER)) {
            locks.run(name, held -> {
                long first = record().times().leaseUntil();
                Until.met("two leases are over", () -> record().times().leaseUntil() > first + 3_000_000);
                assertThat(held.stillMine()).isTrue();
                assertThat(others.tryRun(name, other -> "must not run")).isInstanceOf(LockResult.NotAcquired.class);
                return null;
            });
            assertThat(record().status()).isEqualTo(Status.FREE);
        }
    }

    @Test
    void what_a_section_throws_comes_out_and_the_lock_is_free() {
        try (FencedLocks locks = FencedLocks.on(STORE)) {
            assertThatExceptionOfType(IOException.class)
                    .isThrownBy(() -> locks.run(name, held -> {
                        throw new IOException("on purpose");
                    }))
                    .withNoCause()
                    .satisfies(thrown -> assertThat(thrown.getSuppressed()).isEmpty());
            assertThat(record().status()).isEqualTo(Status.FREE);
        }
    }

    @Test
    void a_thread_that_asks_for_what_it_holds_is_told_that_locks_are_not_reentrant() {
        try (FencedLocks locks = FencedLocks.on(STORE)) {
            locks.run(name, held -> {
                assertThatIllegalStateException()
                        .isThrownBy(() -> locks.tryRun(name, again -> null))
                        .withMessageContaining(name)
                        .withMessageContaining("not reentrant");
                return locks.run("another " + name, another -> null);
            });
        }
    }

    @Test
    void what_a_person_or_the_upkeep_has_settled_can_be_locked_again() {
        try (FencedLocks locks = FencedLocks.on(STORE)) {
            RetentionPeriod keep = RetentionPeriod.of(LONG);
            ResultPayload note = new ResultPayload(ResultPayload.Kind.VALUE, "text", 1, null, new byte[0]);
            // nobody else had it meanwhile: the holder's word still counts
            locks.run(name, held -> {
                assertThat(STORE.update(record().ticket(), new Change.MarkUnknown(note, false)))
                        .isEqualTo(UpdateResult.APPLIED);
                return null;
            });
            assertThat(locks.tryRun(name, held -> "again")).isEqualTo(new LockResult.SectionRan<>("again"));
            List<Change> ends = List.of(
                    new Change.Settle(UUID.randomUUID(), Status.SUCCESS, note, keep, true),
                    new Change.Settle(UUID.randomUUID(), Status.FREE, null, keep, true));
            for (Change end : ends) {
                assertThatExceptionOfType(LockLostException.class)
                        .isThrownBy(() -> locks.run(name, held -> {
                            assertThat(STORE.update(record().ticket(), end)).isEqualTo(UpdateResult.APPLIED);
                            return null;
                        }));
                assertThat(locks.tryRun(name, held -> "again")).isEqualTo(new LockResult.SectionRan<>("again"));
            }
        }
    }

    @Test
    void a_lock_whose_holder_crashed_is_left_alone_by_the_upkeep_and_free_after_its_lease() {
        List<OperationEvent> told = new CopyOnWriteArrayList<>();
        AtomicLong clock = new AtomicLong(1_800_000_000_000_000L);
        MemoryStore store = new MemoryStore(clock::get);
        // a holder that is never heard of again
        Claim crashed = Claim.of(FencedLocks.id(name), UUID.randomUUID(), Duration.ofSeconds(30));
        assertThat(store.claim(crashed)).isInstanceOf(ClaimResult.Acquired.class);
        clock.addAndGet(Duration.ofHours(1).toNanos() / 1_000);
        Onefold onefold = Onefold.builder(store).listener(told::add).build();
        Reconciler reconciler = new Reconciler(onefold, Timer.system("reconciler"));
        assertThat(reconciler.runOnce(() -> true)).isEqualTo(new Reconciler.ReconcileReport(0, 0, 0));
        assertThat(told).isEmpty();
        assertThat(store.list(RecordFilter.stuck(), null, 10).records()).isEmpty();
        try (FencedLocks locks = FencedLocks.on(store)) {
            assertThat(locks.tryRun(name, held -> "free")).isEqualTo(new LockResult.SectionRan<>("free"));
        }
    }

    @Test
    void closing_refuses_new_sections_and_lets_those_under_way_keep_their_locks() throws Exception {
        AtomicReference<Thread> renewing = new AtomicReference<>();
        FencedLocks locks = new FencedLocks(STORE, Duration.ofMillis(600), Duration.ofMillis(25), () -> {
            if (Thread.currentThread().getName().equals("onefold-locks")) {
                renewing.set(Thread.currentThread());
            }
            return System.nanoTime();
        });
        locks.run(name, held -> {
            locks.close();
            long first = record().times().leaseUntil();
            Until.met("two leases are over", () -> record().times().leaseUntil() > first + 1_200_000);
            return null;
        });
        assertThat(record().status()).isEqualTo(Status.FREE);
        assertThatIllegalStateException()
                .isThrownBy(() -> locks.tryRun(name, held -> null))
                .withMessageContaining("closed");
        Thread renewed = Objects.requireNonNull(renewing.get());
        assertThat(renewed.isDaemon()).isTrue();
        Until.met("its thread has ended", () -> !renewed.isAlive());
    }

    @Test
    void what_makes_no_sense_is_refused_with_its_value() {
        try (FencedLocks locks = FencedLocks.on(STORE)) {
            assertThatIllegalArgumentException().isThrownBy(() -> locks.tryRun(" ", held -> null));
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> FencedLocks.on(STORE, Duration.ZERO))
                .withMessageContaining("lease")
                .withMessageContaining("PT0S");
    }
}
