package io.onefold.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.onefold.store.BatchItemResult;
import io.onefold.store.Claim;
import io.onefold.store.ClaimResult;
import io.onefold.store.ForwardingStore;
import io.onefold.store.RecordSnapshot;
import io.onefold.store.Store;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;

/** Counts the calls that wait for another one: each looks at the record once more when it has entered the waiters. */
public final class WaiterCountingStore extends ForwardingStore {
    private final Map<UUID, Integer> met = new ConcurrentHashMap<>();

    public WaiterCountingStore(Store store) {
        super(store);
    }

    @Override
    public List<BatchItemResult<ClaimResult>> claimAll(List<Claim> claims) {
        List<BatchItemResult<ClaimResult>> answers = super.claimAll(claims);
        for (int i = 0; i < claims.size(); i++) {
            if (answers.get(i).get() instanceof RecordSnapshot) {
                met.merge(claims.get(i).owner(), 1, Integer::sum);
            }
        }
        return answers;
    }

    /** How many have waited so far. */
    public long waiters() {
        return met.values().stream().filter(times -> times > 1).count();
    }

    /** Returns when so many wait, or have waited. */
    public void awaitWaiters(int count) {
        long end = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        while (waiters() < count) {
            assertThat(System.nanoTime())
                    .as("%s of %s wait in time", waiters(), count)
                    .isLessThan(end);
            LockSupport.parkNanos(1_000_000);
        }
    }
}
