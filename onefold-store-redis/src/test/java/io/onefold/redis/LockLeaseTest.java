package io.onefold.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.onefold.store.BatchItemResult;
import io.onefold.store.Claim;
import io.onefold.store.ClaimResult;
import io.onefold.store.ForwardingStore;
import io.onefold.store.MemoryStore;
import io.onefold.store.Store;
import io.onefold.store.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** From when a hold counts, by a clock that the test moves. */
class LockLeaseTest {
    private static final Duration LONG = Duration.ofMinutes(1);

    private final String name = "payout-7";

    @Test
    void a_hold_counts_from_the_claim_whose_answer_was_lost_not_from_the_one_that_found_it() {
        long lease = LONG.toNanos();
        AtomicLong clock = new AtomicLong();
        Store losing = new ForwardingStore(new MemoryStore()) {
            @Override
            public List<BatchItemResult<ClaimResult>> claimAll(List<Claim> claims) {
                List<BatchItemResult<ClaimResult>> answers = super.claimAll(claims);
                if (clock.compareAndSet(0, lease * 9 / 10)) {
                    throw new StoreException("lost on purpose");
                }
                return answers;
            }
        };
        try (FencedLocks locks = new FencedLocks(losing, LONG, Duration.ofMillis(1), clock::get)) {
            locks.run(name, held -> {
                assertThat(held.stillMine()).isTrue();
                clock.addAndGet(lease / 10);
                assertThat(held.stillMine()).isFalse();
                return null;
            });
        }
    }

    @Test
    void an_answer_that_came_later_than_the_lease_does_not_begin_a_section() {
        AtomicLong nanos = new AtomicLong();
        long lease = Duration.ofMinutes(10).toNanos();
        // at the first look the claim is asked for, at the third it is known
        long[] clock = {0, 0, 2 * lease, 2 * lease, 2 * lease, 2 * lease};
        try (FencedLocks locks = new FencedLocks(
                new MemoryStore(),
                Duration.ofNanos(lease),
                Duration.ofMillis(1),
                () -> clock[(int) Math.min(nanos.getAndIncrement(), clock.length - 1)])) {
            assertThat(locks.tryRun(name, held -> "must not run")).isInstanceOf(LockResult.NotAcquired.class);
            assertThat(locks.tryRun(name, held -> "free")).isEqualTo(new LockResult.SectionRan<>("free"));
        }
    }
}
