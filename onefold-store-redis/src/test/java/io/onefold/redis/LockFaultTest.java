package io.onefold.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.onefold.servers.RedisServer;
import io.onefold.servers.TcpProxy;
import io.onefold.store.Status;
import io.onefold.store.Store;
import java.time.Duration;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Owners that crash or are paused, and servers and networks that do not answer. */
class LockFaultTest {
    private static final Duration LONG = Duration.ofMinutes(1);
    private static final String URI = RedisServer.shared().uri();
    private static final Store STORE = RedisStore.of(RedisConnections.at(URI));

    private final String name = "payout-" + UUID.randomUUID();

    private static RedisConnections through(TcpProxy proxy) {
        return RedisConnections.builder()
                .port(proxy.port())
                .host("127.0.0.1")
                .timeout(Duration.ofSeconds(1))
                .build();
    }

    @Test
    void the_lock_of_a_process_that_crashed_is_taken_over_when_its_lease_is_over_and_not_before() throws Exception {
        try (LockHolder holder = LockHolder.start(URI, name, Duration.ofSeconds(4));
                FencedLocks locks = FencedLocks.on(STORE)) {
            long crashed = holder.fence();
            holder.kill();
            assertThat(locks.tryRun(name, held -> "must not run")).isInstanceOf(LockResult.NotAcquired.class);
            assertThat(locks.<Long, RuntimeException>run(name, LONG, HeldLock::fence))
                    .isGreaterThan(crashed);
        }
    }

    @Test
    void a_process_that_was_paused_for_longer_than_its_lease_is_told_that_it_lost_its_lock() throws Exception {
        try (LockHolder holder = LockHolder.start(URI, name, Duration.ofSeconds(2));
                FencedLocks locks = FencedLocks.on(STORE)) {
            long paused = holder.fence();
            holder.pause();
            locks.run(name, LONG, held -> {
                assertThat(held.fence()).isGreaterThan(paused);
                holder.resume();
                assertThat(holder.end()).isEqualTo("false lost");
                assertThat(held.stillMine()).isTrue();
                assertThat(Objects.requireNonNull(STORE.find(FencedLocks.id(name)))
                                .record()
                                .fence())
                        .as("what another holds is not released")
                        .isEqualTo(held.fence());
                return null;
            });
        }
    }

    @Test
    void who_is_cut_off_knows_when_the_lease_is_over_and_only_the_fence_keeps_its_late_write_out() {
        AtomicLong fenced = new AtomicLong();
        try (TcpProxy proxy = TcpProxy.to(RedisServer.shared().port());
                RedisConnections far = through(proxy);
                FencedLocks cutOff = FencedLocks.on(RedisStore.of(far), Duration.ofSeconds(2));
                FencedLocks locks = FencedLocks.on(STORE)) {
            assertThatExceptionOfType(LockLostException.class)
                    .isThrownBy(() -> cutOff.run(name, held -> {
                        assertThat(held.stillMine()).isTrue();
                        proxy.stall();
                        long later = Objects.requireNonNull(locks.<Long, RuntimeException>run(name, LONG, other -> {
                            assertThat(write(fenced, other.fence())).isTrue();
                            return other.fence();
                        }));
                        assertThat(held.stillMine()).isFalse();
                        assertThat(write(fenced, held.fence())).isFalse();
                        assertThat(fenced).hasValue(later);
                        proxy.flow();
                        return "late";
                    }))
                    .withMessageContaining(name)
                    .withMessageContaining("only the fence protects")
                    .satisfies(lost -> assertThat(lost.value()).isEqualTo("late"));
        }
    }

    /** Update … where fence < ?. */
    private static boolean write(AtomicLong row, long fence) {
        return row.getAndUpdate(there -> Math.max(there, fence)) < fence;
    }

    @Test
    void a_section_that_fails_without_its_lock_throws_its_own_exception_with_the_loss_beside_it() {
        try (TcpProxy proxy = TcpProxy.to(RedisServer.shared().port());
                RedisConnections far = through(proxy);
                FencedLocks cutOff = FencedLocks.on(RedisStore.of(far), Duration.ofSeconds(2));
                FencedLocks locks = FencedLocks.on(STORE)) {
            assertThatExceptionOfType(IllegalStateException.class)
                    .isThrownBy(() -> cutOff.run(name, held -> {
                        proxy.stall();
                        Object unused = locks.run(name, LONG, other -> null);
                        throw new IllegalStateException("its own");
                    }))
                    .withMessage("its own")
                    .satisfies(thrown ->
                            assertThat(thrown.getSuppressed()).singleElement().isInstanceOf(LockLostException.class));
            proxy.flow();
        }
    }

    @Test
    void a_lease_that_ended_while_redis_stood_still_did_no_harm_if_nobody_took_the_lock() {
        try (RedisServer server = RedisServer.start();
                RedisConnections redis = RedisConnections.builder()
                        .url(server.uri())
                        .timeout(Duration.ofSeconds(1))
                        .build();
                FencedLocks locks = FencedLocks.on(RedisStore.of(redis), Duration.ofSeconds(2))) {
            String value = locks.run(name, held -> {
                server.pause();
                Until.met("the lease is over", () -> !held.stillMine());
                server.resume();
                return "alone";
            });
            assertThat(value).isEqualTo("alone");
        }
    }

    @Test
    void a_lock_that_cannot_be_released_is_free_after_its_lease() {
        try (TcpProxy proxy = TcpProxy.to(RedisServer.shared().port());
                RedisConnections far = through(proxy);
                FencedLocks cutOff = FencedLocks.on(RedisStore.of(far), Duration.ofSeconds(4));
                FencedLocks locks = FencedLocks.on(STORE)) {
            assertThat(cutOff.<String, RuntimeException>run(name, held -> {
                        proxy.close();
                        return "inside its lease";
                    }))
                    .isEqualTo("inside its lease");
            assertThat(locks.tryRun(name, held -> "must not run")).isInstanceOf(LockResult.NotAcquired.class);
            assertThat(locks.<String, RuntimeException>run(name, LONG, held -> "free"))
                    .isEqualTo("free");
        }
    }

    @Test
    void a_claim_whose_answer_was_lost_has_the_lock_and_so_has_a_release() {
        try (TcpProxy proxy = TcpProxy.to(RedisServer.shared().port());
                RedisConnections far = RedisConnections.at("redis://127.0.0.1:" + proxy.port());
                FencedLocks locks = FencedLocks.on(RedisStore.of(far))) {
            byte[] key = new KeyLayout("onefold").of(FencedLocks.id(name)).key();
            Object unused = locks.run("so that Redis knows the scripts", held -> null);
            CompletableFuture<Void> claimed = proxy.cutAfterRequestContaining(key);
            CompletableFuture<Void> released = locks.run(name, held -> {
                assertThat(claimed).isCompleted();
                return proxy.cutAfterRequestContaining(key);
            });
            assertThat(released).isCompleted();
            assertThat(Objects.requireNonNull(STORE.find(FencedLocks.id(name)))
                            .record()
                            .status())
                    .isEqualTo(Status.FREE);
        }
    }
}
