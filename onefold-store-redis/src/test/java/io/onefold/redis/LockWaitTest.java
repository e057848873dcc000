package io.onefold.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.onefold.servers.RedisServer;
import io.onefold.store.BatchItemResult;
import io.onefold.store.ForwardingStore;
import io.onefold.store.MemoryStore;
import io.onefold.store.RecordUpdate;
import io.onefold.store.Store;
import io.onefold.store.UpdateResult;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Those who wait for a lock. Where they must be woken, they would not look again within the test's patience. */
class LockWaitTest {
    private static final Duration LONG = Duration.ofMinutes(10);
    private static final Store STORE =
            RedisStore.of(RedisConnections.at(RedisServer.shared().uri()));
    private static final Store OTHER =
            RedisStore.of(RedisConnections.at(RedisServer.shared().uri()));

    private final String name = "payout-" + UUID.randomUUID();

    /** Whether the record says so. */
    private boolean isWaitedFor() {
        String key =
                new String(new KeyLayout("onefold").of(FencedLocks.id(name)).key(), US_ASCII);
        return RedisServer.shared().command("GETRANGE", key, "1", "1").equals("\b");
    }

    @Test
    void all_who_wait_are_woken_by_one_release_after_another() throws Exception {
        try (FencedLocks locks = FencedLocks.on(STORE, LONG);
                FencedLocks patient = new FencedLocks(OTHER, LONG, LONG, System::nanoTime)) {
            CompletableFuture<List<Long>> fences = locks.run(name, held -> {
                CompletableFuture<List<Long>> waiting = CompletableFuture.supplyAsync(
                        () -> Together.call(3, i -> fence(patient)), task -> new Thread(task).start());
                Until.met("someone waits", this::isWaitedFor);
                assertThat(waiting).isNotDone();
                return waiting;
            });
            assertThat(Objects.requireNonNull(fences).get(1, TimeUnit.MINUTES))
                    .hasSize(3)
                    .doesNotHaveDuplicates();
        }
    }

    private long fence(FencedLocks locks) {
        return Objects.requireNonNull(locks.<Long, RuntimeException>run(name, LONG, HeldLock::fence));
    }

    @Test
    void an_interrupt_ends_the_waiting() {
        try (FencedLocks locks = FencedLocks.on(STORE);
                FencedLocks others = FencedLocks.on(OTHER)) {
            Object unused = locks.run(name, held -> {
                Thread.currentThread().interrupt();
                assertThat(others.tryRun(name, LONG, other -> "must not run"))
                        .isInstanceOf(LockResult.NotAcquired.class);
                return null;
            });
            assertThat(Thread.interrupted()).isTrue();
        }
    }

    @Test
    void who_was_interrupted_inside_still_releases() {
        Store touchy = new ForwardingStore(new MemoryStore()) {
            @Override
            public List<BatchItemResult<UpdateResult>> updateAll(List<RecordUpdate> updates) {
                assertThat(Thread.currentThread().isInterrupted()).isFalse();
                return super.updateAll(updates);
            }
        };
        try (FencedLocks locks = FencedLocks.on(touchy)) {
            Object unused = locks.run(name, held -> {
                Thread.currentThread().interrupt();
                return null;
            });
            assertThat(Thread.interrupted()).isTrue();
            assertThat(locks.tryRun(name, held -> "free")).isEqualTo(new LockResult.SectionRan<>("free"));
        }
    }

    @Test
    void closing_ends_the_waiting() throws Exception {
        FencedLocks closing = FencedLocks.on(OTHER);
        try (FencedLocks locks = FencedLocks.on(STORE)) {
            locks.run(name, held -> {
                CompletableFuture<Object> refused = CompletableFuture.supplyAsync(
                        () -> closing.run(name, LONG, other -> "must not run"), task -> new Thread(task).start());
                Until.met("someone waits", this::isWaitedFor);
                closing.close();
                assertThatExceptionOfType(ExecutionException.class)
                        .isThrownBy(() -> refused.get(1, TimeUnit.MINUTES))
                        .withCauseInstanceOf(IllegalStateException.class);
                return null;
            });
        }
    }

    @Test
    void a_store_in_memory_wakes_them_too() throws Exception {
        try (FencedLocks locks = new FencedLocks(new MemoryStore(), LONG, LONG, System::nanoTime)) {
            CompletableFuture<List<Long>> fences = CompletableFuture.supplyAsync(
                    () -> Together.call(8, i -> fence(locks)), task -> new Thread(task).start());
            assertThat(fences.get(1, TimeUnit.MINUTES)).hasSize(8).doesNotHaveDuplicates();
        }
    }
}
