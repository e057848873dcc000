package io.onefold.store;

import io.onefold.store.Change.Complete;
import io.onefold.store.Change.Fail;
import io.onefold.store.Change.Release;
import io.onefold.store.GuardedCache.CacheSession;
import io.onefold.store.StoredRecord.RecordFingerprints;
import io.onefold.store.StoredRecord.RecordTimes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A fast store in front of the true one. The front may say "done" or "someone is on it", never "new": whatever it does not know is
 * asked of the truth, and only the truth grants a claim. So the front may lose anything, at any time, at the price of speed alone.
 *
 * <p>A claim leaves a mark at the front, which turns its duplicates away until the owner ends it, or for a few seconds; marks have a
 * fence below every true one. What the truth has said is copied to the front, where only a higher fence replaces a record, so that a
 * late copy cannot undo a later one. Records at the front are filed under the epoch of the truth: a truth restored from an older copy
 * gets a new epoch, and everything that the front knew is gone. A front that fails is left alone until one caller finds it well.
 */
public final class TieredStore implements Store, CacheTier {
    private static final Logger LOG = LoggerFactory.getLogger(TieredStore.class);

    private final GuardedCache front;
    private final Store truth;
    private final LocalClaims owned;
    private final LongAdder hits = new LongAdder();
    private final LongAdder misses = new LongAdder();

    private TieredStore(GuardedCache front, Store truth) {
        this.front = front;
        this.truth = truth;
        this.owned = new LocalClaims(front.now());
    }

    /**
     * The truth behind a front.
     *
     * @param epoch reads the truth's identity: another one after it failed over or was restored. Asked once or twice a second while
     *     there are calls, and after each failure of the truth; may block and may fail as the truth does
     * @param nanos a monotonic clock, {@code System::nanoTime} but for tests
     */
    public static TieredStore over(Store front, Store truth, Supplier<String> epoch, LongSupplier nanos) {
        return new TieredStore(new GuardedCache(front, epoch, nanos), truth);
    }

    @Override
    public List<BatchItemResult<ClaimResult>> claimAll(List<Claim> claims) {
        List<BatchItemResult<ClaimResult>> answers = new ArrayList<>(claims.size());
        for (Claim claim : claims) {
            answers.add(BatchItemResult.from(() -> claim(claim)));
        }
        return answers;
    }

    @Override
    public ClaimResult claim(Claim claim) {
        CacheSession visit = front.visit();
        ClaimResult atFront = claim.take() == null ? visit.mark(claim) : null;
        if (atFront instanceof RecordSnapshot seen) {
            hits.increment();
            return new RecordSnapshot(seen.record().filed(claim.id()), seen.now());
        }
        misses.increment();
        ClaimResult.Acquired mark = atFront instanceof ClaimResult.Acquired won ? won : null;
        ClaimResult claimed;
        try {
            claimed = asked(() -> truth.claim(claim));
        } catch (RuntimeException e) {
            // whether or not it stands: without the mark the truth is asked
            unmark(visit, claim, mark);
            throw e;
        }
        if (claimed instanceof ClaimResult.Acquired won) {
            owned.won(claim, visit.began);
            if (mark == null) {
                visit.copy(record(claim, Status.PROCESSING, won.fence(), null), claim.lease(), GuardedCache.SILENT);
            }
        } else if (changes(claim, (RecordSnapshot) claimed) || !visit.copy((RecordSnapshot) claimed)) {
            unmark(visit, claim, mark);
        }
        return claimed;
    }

    /**
     * Returns true if the record may change although it is finished, so that a copy of it might be old when it arrives.
     */
    private static boolean changes(Claim claim, RecordSnapshot seen) {
        return claim.overwrites() && seen.record().status().finished();
    }

    private static void unmark(CacheSession visit, Claim claim, ClaimResult.@Nullable Acquired mark) {
        if (mark != null) {
            visit.unmark(claim, mark);
        }
    }

    @Override
    public List<BatchItemResult<UpdateResult>> updateAll(List<RecordUpdate> updates) {
        if (updates.stream().noneMatch(TieredStore::ends)) {
            return goneOn(updates);
        }
        List<@Nullable Claim> ended = new ArrayList<>(updates.size());
        for (RecordUpdate update : updates) {
            ended.add(ends(update) ? owned.ended(update.ticket()) : null);
        }
        CacheSession visit = front.visit();
        List<BatchItemResult<UpdateResult>> answers = told(updates);
        for (int i = 0; i < updates.size(); i++) {
            if (answers.get(i).succeeded() && ends(updates.get(i))) {
                boolean applied = answers.get(i).get() == UpdateResult.APPLIED;
                if (updates.get(i).change() instanceof Change.Amend amend) {
                    followAmendment(visit, updates.get(i).ticket(), amend, applied);
                } else {
                    follow(visit, updates.get(i), applied ? ended.get(i) : null);
                }
            }
        }
        return answers;
    }

    private List<BatchItemResult<UpdateResult>> goneOn(List<RecordUpdate> updates) {
        long asked = front.now();
        List<BatchItemResult<UpdateResult>> answers = told(updates);
        for (int i = 0; i < updates.size(); i++) {
            RecordUpdate update = updates.get(i);
            boolean applied = answers.get(i).succeeded() && answers.get(i).get() == UpdateResult.APPLIED;
            if (applied && update.change() instanceof Change.Renew renew) {
                owned.renewed(update.ticket(), renew.lease(), asked);
            }
        }
        return answers;
    }

    /** Updates the primary store. If one step of many fails, the primary store has failed. */
    private List<BatchItemResult<UpdateResult>> told(List<RecordUpdate> updates) {
        List<BatchItemResult<UpdateResult>> answers = asked(() -> truth.updateAll(updates));
        if (!answers.stream().allMatch(BatchItemResult::succeeded)) {
            front.epochs.doubt();
        }
        return answers;
    }

    /**
     * Returns true if the update is reported to the cache tier. Updates of work that goes on are not: leases must not
     * depend on the cache tier, and a call that asks the primary store brings a copy.
     */
    private static boolean ends(RecordUpdate update) {
        return !(update.change() instanceof Change.Renew || update.change() instanceof Change.SaveCheckpoint);
    }

    /**
     * Brings the front up to what the truth has just recorded.
     *
     * @param claim what this node knows of the record, if it was its own
     */
    private void follow(CacheSession visit, RecordUpdate update, @Nullable Claim claim) {
        long fence = update.ticket().fence();
        if (claim != null && update.change() instanceof Complete complete) {
            visit.copy(record(claim, Status.SUCCESS, fence, complete.result()), Duration.ZERO, complete.keep());
        } else if (claim != null && update.change() instanceof Fail fail) {
            visit.copy(record(claim, Status.FAILED, fence, fail.failure()), Duration.ZERO, fail.keep());
        } else if (claim != null && update.change() instanceof Release release) {
            visit.copy(record(claim, Status.FREE, fence, null), Duration.ZERO, release.keep());
        } else {
            refresh(update.ticket().id());
        }
    }

    /** Copies nothing after a lost amendment: the record is then that of another attempt, which may be about to amend it. */
    private void followAmendment(CacheSession visit, Ticket ticket, Change.Amend amend, boolean applied) {
        if (applied) {
            refresh(ticket.id());
            // in place of a copy that was there before: it has the same fence, so that no copy replaces it
            visit.amend(ticket, amend);
        }
    }

    /** Others have changed the record, or the truth knows more of it than this node. */
    @Override
    public @Nullable RecordSnapshot refresh(RecordId id) {
        try {
            CacheSession visit = front.visit();
            RecordSnapshot seen = find(id);
            if (seen != null) {
                visit.copy(seen);
            }
            return seen;
        } catch (RuntimeException e) {
            // what was recorded stays recorded
            LOG.debug("the front is not told of {}; the truth is asked for it", id, e);
            return null;
        }
    }

    @Override
    public @Nullable RecordSnapshot known(RecordId id) {
        RecordSnapshot seen = front.visit().finished(id);
        (seen == null ? misses : hits).increment();
        return seen == null ? null : new RecordSnapshot(seen.record().filed(id), seen.now());
    }

    private static StoredRecord record(Claim claim, Status status, long fence, @Nullable ResultPayload payload) {
        RecordFingerprints prints =
                new RecordFingerprints(claim.print().hash(), claim.print().fields(), claim.superseded());
        RecordTimes elsewhere = new RecordTimes(0, 0, 0, 0, 0);
        return new StoredRecord(
                claim.id(),
                status,
                claim.owner(),
                fence,
                claim.attempts(),
                elsewhere,
                prints,
                payload,
                null,
                claim.bizId());
    }

    /** A truth that fails may be another one when it is back. */
    private <A extends @Nullable Object> A asked(Supplier<A> question) {
        try {
            return question.get();
        } catch (StoreException e) {
            front.epochs.doubt();
            throw e;
        }
    }

    @Override
    public @Nullable RecordSnapshot find(RecordId id) {
        return asked(() -> truth.find(id));
    }

    @Override
    public RecordPage list(RecordFilter filter, @Nullable String cursor, int limit) {
        return asked(() -> truth.list(filter, cursor, limit));
    }

    @Override
    public int sweep(int limit) {
        front.sweep(limit);
        return asked(() -> truth.sweep(limit));
    }

    @Override
    public @Nullable RecordSignals signals() {
        return front.signals(truth.signals());
    }

    @Override
    public @Nullable StoreTransactions joining() {
        return truth.joining();
    }

    /** Returns how many claims are held that were won here and have not ended. */
    int ownClaims() {
        return owned.size();
    }

    /** Returns the state of the cache tier, to be measured from time to time. */
    public CacheHealth health() {
        boolean open = front.breaker.isOpen() && front.epochs.isKnown();
        return new CacheHealth(
                open, front.breaker.shuts(), front.breaker.past(), hits.sum(), misses.sum(), front.epochs.changes());
    }

    /**
     * The state of a cache tier, counted since its store was made.
     *
     * @param open true if it is asked at present: it did not fail, and the primary store's epoch is known
     * @param shuts how often it was shut because it failed
     * @param past calls that went past it while it was not open
     * @param hits calls that it answered
     * @param misses calls that the primary store was asked for
     * @param epochs how often the primary store began a new epoch
     */
    public record CacheHealth(boolean open, long shuts, long past, long hits, long misses, long epochs) {}
}
