package io.onefold.http.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.onefold.store.BatchItemResult;
import io.onefold.store.Change;
import io.onefold.store.Claim;
import io.onefold.store.ClaimResult;
import io.onefold.store.RecordFilter;
import io.onefold.store.RecordId;
import io.onefold.store.RecordPage;
import io.onefold.store.RecordSignals;
import io.onefold.store.RecordSnapshot;
import io.onefold.store.RecordUpdate;
import io.onefold.store.Store;
import io.onefold.store.StoreException;
import io.onefold.store.StoreTransactions;
import io.onefold.store.UpdateResult;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The store of a case, which the case can break. */
final class KitStore implements Store {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private @Nullable CaseStore behind;
    private volatile boolean down;
    private int met;
    private volatile boolean losesCompletions;
    private volatile boolean hasFailed;

    /**
     * Sets the store of the records; the default is one in the heap. The first call holds for every adapter of the
     * case.
     */
    synchronized void place(Supplier<CaseStore> place) {
        if (behind == null) {
            behind = place.get();
        }
    }

    synchronized CaseStore behind() {
        place(MovableMemoryStore::new);
        return Objects.requireNonNull(behind);
    }

    /** While it is down, every call fails. */
    void down(boolean isDown) {
        down = isDown;
        hasFailed |= isDown;
    }

    /** Claims and renewals work, but no end can be recorded; what a transaction records is. */
    void losesCompletions(boolean loses) {
        losesCompletions = loses;
        hasFailed |= loses;
    }

    /** Returns true if the store was ever told to fail. */
    boolean hasFailed() {
        return hasFailed;
    }

    void pass(Duration time) {
        behind().pass(time);
    }

    synchronized void close() {
        if (behind != null) {
            behind.close();
        }
    }

    /** Returns when so many claims have met a record, or a transaction that is to write one. */
    synchronized void awaitMet(int count) throws InterruptedException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (met < count) {
            long left = (end - System.nanoTime()) / 1_000_000;
            assertThat(left).as("claims that met a record in time").isPositive();
            wait(left);
        }
    }

    private synchronized void met(long more) {
        met += (int) more;
        notifyAll();
    }

    @Override
    public List<BatchItemResult<ClaimResult>> claimAll(List<Claim> claims) {
        check(down);
        List<BatchItemResult<ClaimResult>> answers = behind().claimAll(claims);
        met(answers.stream()
                .filter(answer -> answer.get() instanceof RecordSnapshot)
                .count());
        return answers;
    }

    @Override
    public List<BatchItemResult<UpdateResult>> updateAll(List<RecordUpdate> updates) {
        check(down
                || (losesCompletions
                        && updates.stream().anyMatch(update -> !(update.change() instanceof Change.Renew))));
        return behind().updateAll(updates);
    }

    @Override
    public @Nullable RecordSnapshot find(RecordId id) {
        check(down);
        return behind().find(id);
    }

    @Override
    public RecordPage list(RecordFilter filter, @Nullable String cursor, int limit) {
        check(down);
        return behind().list(filter, cursor, limit);
    }

    @Override
    public int sweep(int limit) {
        check(down);
        return behind().sweep(limit);
    }

    @Override
    public @Nullable RecordSignals signals() {
        return behind().signals();
    }

    @Override
    public @Nullable StoreTransactions joining() {
        StoreTransactions joining = behind().joining();
        return joining == null
                ? null
                : new KitTransactions(
                        joining, () -> check(down), entry -> met(!entry.locked() || entry.seen() != null ? 1 : 0));
    }

    private static void check(boolean broken) {
        if (broken) {
            throw new StoreException("the store is down, as the case wants it");
        }
    }
}
