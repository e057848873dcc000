package io.onefold.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.onefold.store.GroupCommit.BatchResults;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class CombinerLoadTest {
    private static final Duration LONG = Duration.ofSeconds(50);

    private final ExecutorService threads = Executors.newCachedThreadPool();

    @AfterEach
    void close() {
        threads.shutdownNow();
    }

    /** Many threads, few records: whatever the order, each call is answered once and with its own answer. */
    @Test
    void under_load_each_call_gets_its_own_answer_once_and_no_limit_is_exceeded() throws Exception {
        int callers = 64;
        int calls = 2_000;
        int lanes = 3;
        int direct = 2;
        int most = 16;
        Stress stress = new Stress();
        GroupCommit combiner = new GroupCommit(stress, direct, lanes, most, LONG);
        CountDownLatch start = new CountDownLatch(1);
        List<Future<Integer>> all = new ArrayList<>();
        for (int i = 0; i < callers; i++) {
            int caller = i;
            all.add(threads.submit(() -> {
                start.await();
                Random random = new Random(caller);
                int failed = 0;
                for (int n = 0; n < calls; n++) {
                    int record = random.nextInt(40);
                    UUID owner = new UUID(caller, n);
                    try {
                        if (random.nextBoolean()) {
                            ClaimResult.Acquired won =
                                    (ClaimResult.Acquired) combiner.claim(Claim.of(id(record), owner, LONG));
                            assertThat(won).isEqualTo(new ClaimResult.Acquired(caller, n));
                        } else {
                            boolean odd = (caller + n) % 2 == 1;
                            assertThat(combiner.update(new Ticket(id(record), owner, 0), release()))
                                    .isEqualTo(odd ? UpdateResult.LOST : UpdateResult.APPLIED);
                        }
                    } catch (StoreException e) {
                        assertThat(e).hasMessage(caller + "/" + n);
                        failed++;
                    }
                }
                return failed;
            }));
        }
        start.countDown();
        int failed = 0;
        for (Future<Integer> caller : all) {
            failed += caller.get();
        }
        assertThat(stress.violations).isEmpty();
        assertThat(stress.calls).hasValue(callers * calls);
        assertThat(stress.failed).hasValue(failed);
        assertThat(failed).isPositive();
        assertThat(stress.largest.get()).as("some calls were combined").isBetween(2, most);
        assertThat(stress.highest.get()).isLessThanOrEqualTo(lanes + direct);
    }

    private static RecordId id(int number) {
        return RecordId.of("", "combined", Integer.toString(number));
    }

    private static Change release() {
        return new Change.Release(RetentionPeriod.of(LONG));
    }

    /** Answers by the caller's and the call's number, and remembers whatever must not be. */
    private static final class Stress implements GroupCommit.BatchSender {
        final ConcurrentLinkedQueue<String> violations = new ConcurrentLinkedQueue<>();
        final AtomicInteger calls = new AtomicInteger();
        final AtomicInteger failed = new AtomicInteger();
        final AtomicInteger largest = new AtomicInteger();
        final AtomicInteger highest = new AtomicInteger();
        private final AtomicInteger underWay = new AtomicInteger();

        @Override
        public BatchResults trip(List<Claim> claims, List<RecordUpdate> updates) {
            highest.accumulateAndGet(underWay.incrementAndGet(), Math::max);
            int size = claims.size() + updates.size();
            largest.accumulateAndGet(size, Math::max);
            calls.addAndGet(size);
            Set<RecordId> ids = new HashSet<>();
            claims.forEach(claim -> ids.add(claim.id()));
            updates.forEach(update -> ids.add(update.ticket().id()));
            if (ids.size() != size) {
                violations.add("two calls for one record in " + claims + updates);
            }
            LockSupport.parkNanos(1);
            List<BatchItemResult<ClaimResult>> claimed = new ArrayList<>();
            for (Claim claim : claims) {
                claimed.add(answer(claim.owner(), new ClaimResult.Acquired(high(claim.owner()), low(claim.owner()))));
            }
            List<BatchItemResult<UpdateResult>> updated = new ArrayList<>();
            for (RecordUpdate update : updates) {
                UUID owner = update.ticket().owner();
                updated.add(
                        answer(owner, (high(owner) + low(owner)) % 2 == 1 ? UpdateResult.LOST : UpdateResult.APPLIED));
            }
            underWay.decrementAndGet();
            return new BatchResults(claimed, updated);
        }

        private <T> BatchItemResult<T> answer(UUID owner, T value) {
            if (low(owner) % 97 == 13) {
                failed.incrementAndGet();
                return BatchItemResult.failed(new StoreException(high(owner) + "/" + low(owner)));
            }
            return BatchItemResult.of(value);
        }

        private static long high(UUID owner) {
            return owner.getMostSignificantBits();
        }

        private static long low(UUID owner) {
            return owner.getLeastSignificantBits();
        }
    }
}
