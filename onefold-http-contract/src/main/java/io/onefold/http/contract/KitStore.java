package io.onefold.http.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.onefold.store.Answer;
import io.onefold.store.Change;
import io.onefold.store.Claim;
import io.onefold.store.Claimed;
import io.onefold.store.Filter;
import io.onefold.store.MemoryStore;
import io.onefold.store.Page;
import io.onefold.store.RecordId;
import io.onefold.store.Seen;
import io.onefold.store.Signals;
import io.onefold.store.Store;
import io.onefold.store.StoreException;
import io.onefold.store.Update;
import io.onefold.store.Updated;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** A store in the heap that cases can break, and whose clock they can move on. */
final class KitStore implements Store {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final AtomicLong ahead = new AtomicLong();
    private final MemoryStore memory =
            new MemoryStore(() -> ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now()) + ahead.get());
    private volatile boolean down;
    private int met;
    private volatile boolean losesCompletions;
    private volatile boolean hasFailed;

    /** While it is down, every call fails. */
    void down(boolean isDown) {
        down = isDown;
        hasFailed |= isDown;
    }

    /** Claims and renewals work, but no end can be recorded. */
    void losesCompletions(boolean loses) {
        losesCompletions = loses;
        hasFailed |= loses;
    }

    /** Whether it was ever told to. */
    boolean hasFailed() {
        return hasFailed;
    }

    void pass(Duration time) {
        ahead.addAndGet(time.toNanos() / 1_000);
    }

    /** Returns when so many claims have met a record. */
    synchronized void awaitMet(int count) throws InterruptedException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (met < count) {
            long left = (end - System.nanoTime()) / 1_000_000;
            assertThat(left).as("claims that met a record in time").isPositive();
            wait(left);
        }
    }

    @Override
    public List<Answer<Claimed>> claimAll(List<Claim> claims) {
        check(down);
        List<Answer<Claimed>> answers = memory.claimAll(claims);
        synchronized (this) {
            for (Answer<Claimed> answer : answers) {
                met += answer.get() instanceof Seen ? 1 : 0;
            }
            notifyAll();
        }
        return answers;
    }

    @Override
    public List<Answer<Updated>> updateAll(List<Update> updates) {
        check(down
                || (losesCompletions
                        && updates.stream().anyMatch(update -> !(update.change() instanceof Change.Renew))));
        return memory.updateAll(updates);
    }

    @Override
    public @Nullable Seen find(RecordId id) {
        check(down);
        return memory.find(id);
    }

    @Override
    public Page list(Filter filter, @Nullable String cursor, int limit) {
        check(down);
        return memory.list(filter, cursor, limit);
    }

    @Override
    public int sweep(int limit) {
        check(down);
        return memory.sweep(limit);
    }

    @Override
    public Signals signals() {
        return memory;
    }

    private static void check(boolean broken) {
        if (broken) {
            throw new StoreException("the store is down, as the case wants it");
        }
    }
}
