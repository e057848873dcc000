package io.onefold.store;

import io.onefold.store.Change.Complete;
import io.onefold.store.Change.Fail;
import io.onefold.store.Change.Release;
import io.onefold.store.Front.Visit;
import io.onefold.store.StoredRecord.Prints;
import io.onefold.store.StoredRecord.Times;
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
public final class FrontDoor implements Store, CacheTier {
    private static final Logger LOG = LoggerFactory.getLogger(FrontDoor.class);

    private final Front front;
    private final Store truth;
    private final OwnClaims owned;
    private final LongAdder hits = new LongAdder();
    private final LongAdder misses = new LongAdder();

    private FrontDoor(Front front, Store truth) {
        this.front = front;
        this.truth = truth;
        this.owned = new OwnClaims(front.now());
    }

    /**
     * The truth behind a front.
     *
     * @param epoch reads the truth's identity: another one after it failed over or was restored. Asked once or twice a second while
     *     there are calls, and after each failure of the truth; may block and may fail as the truth does
     * @param nanos a monotonic clock, {@code System::nanoTime} but for tests
     */
    public static FrontDoor over(Store front, Store truth, Supplier<String> epoch, LongSupplier nanos) {
        return new FrontDoor(new Front(front, epoch, nanos), truth);
    }

    @Override
    public List<Answer<Claimed>> claimAll(List<Claim> claims) {
        List<Answer<Claimed>> answers = new ArrayList<>(claims.size());
        for (Claim claim : claims) {
            answers.add(Answer.from(() -> claim(claim)));
        }
        return answers;
    }

    @Override
    public Claimed claim(Claim claim) {
        Visit visit = front.visit();
        Claimed atFront = claim.take() == null ? visit.mark(claim) : null;
        if (atFront instanceof Seen seen) {
            hits.increment();
            return new Seen(seen.record().filed(claim.id()), seen.now());
        }
        misses.increment();
        Claimed.Won mark = atFront instanceof Claimed.Won won ? won : null;
        Claimed claimed;
        try {
            claimed = asked(() -> truth.claim(claim));
        } catch (RuntimeException e) {
            // whether or not it stands: without the mark the truth is asked
            unmark(visit, claim, mark);
            throw e;
        }
        if (claimed instanceof Claimed.Won won) {
            owned.won(claim, visit.began);
            if (mark == null) {
                visit.copy(record(claim, Status.PROCESSING, won.fence(), null), claim.lease(), Front.SILENT);
            }
        } else if (changes(claim, (Seen) claimed) || !visit.copy((Seen) claimed)) {
            unmark(visit, claim, mark);
        }
        return claimed;
    }

    /** Whether the record may change although it is finished, so that a copy of it might be old when it arrives. */
    private static boolean changes(Claim claim, Seen seen) {
        return claim.overwrites() && seen.record().status().finished();
    }

    private static void unmark(Visit visit, Claim claim, Claimed.@Nullable Won mark) {
        if (mark != null) {
            visit.unmark(claim, mark);
        }
    }

    @Override
    public List<Answer<Updated>> updateAll(List<Update> updates) {
        if (updates.stream().noneMatch(FrontDoor::ends)) {
            return goneOn(updates);
        }
        List<@Nullable Claim> ended = new ArrayList<>(updates.size());
        for (Update update : updates) {
            ended.add(ends(update) ? owned.ended(update.ticket()) : null);
        }
        Visit visit = front.visit();
        List<Answer<Updated>> answers = told(updates);
        for (int i = 0; i < updates.size(); i++) {
            if (answers.get(i).succeeded() && ends(updates.get(i))) {
                boolean applied = answers.get(i).get() == Updated.APPLIED;
                if (updates.get(i).change() instanceof Change.Amend amend) {
                    followAmendment(visit, updates.get(i).ticket(), amend, applied);
                } else {
                    follow(visit, updates.get(i), applied ? ended.get(i) : null);
                }
            }
        }
        return answers;
    }

    private List<Answer<Updated>> goneOn(List<Update> updates) {
        long asked = front.now();
        List<Answer<Updated>> answers = told(updates);
        for (int i = 0; i < updates.size(); i++) {
            Update update = updates.get(i);
            boolean applied = answers.get(i).succeeded() && answers.get(i).get() == Updated.APPLIED;
            if (applied && update.change() instanceof Change.Renew renew) {
                owned.renewed(update.ticket(), renew.lease(), asked);
            }
        }
        return answers;
    }

    /** Where one step of many fails, the truth has failed. */
    private List<Answer<Updated>> told(List<Update> updates) {
        List<Answer<Updated>> answers = asked(() -> truth.updateAll(updates));
        if (!answers.stream().allMatch(Answer::succeeded)) {
            front.epochs.doubt();
        }
        return answers;
    }

    /** Of work that goes on the front is told nothing: leases must not depend on it, and who asks the truth brings a copy. */
    private static boolean ends(Update update) {
        return !(update.change() instanceof Change.Renew || update.change() instanceof Change.Checkpoint);
    }

    /**
     * Brings the front up to what the truth has just recorded.
     *
     * @param claim what this node knows of the record, if it was its own
     */
    private void follow(Visit visit, Update update, @Nullable Claim claim) {
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
    private void followAmendment(Visit visit, Ticket ticket, Change.Amend amend, boolean applied) {
        if (applied) {
            refresh(ticket.id());
            // in place of a copy that was there before: it has the same fence, so that no copy replaces it
            visit.amend(ticket, amend);
        }
    }

    /** Others have changed the record, or the truth knows more of it than this node. */
    @Override
    public @Nullable Seen refresh(RecordId id) {
        try {
            Visit visit = front.visit();
            Seen seen = find(id);
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
    public @Nullable Seen known(RecordId id) {
        Seen seen = front.visit().finished(id);
        (seen == null ? misses : hits).increment();
        return seen == null ? null : new Seen(seen.record().filed(id), seen.now());
    }

    private static StoredRecord record(Claim claim, Status status, long fence, @Nullable Payload payload) {
        Prints prints = new Prints(claim.print().hash(), claim.print().fields(), claim.superseded());
        Times elsewhere = new Times(0, 0, 0, 0, 0);
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
    public @Nullable Seen find(RecordId id) {
        return asked(() -> truth.find(id));
    }

    @Override
    public Page list(Filter filter, @Nullable String cursor, int limit) {
        return asked(() -> truth.list(filter, cursor, limit));
    }

    @Override
    public int sweep(int limit) {
        front.sweep(limit);
        return asked(() -> truth.sweep(limit));
    }

    @Override
    public @Nullable Signals signals() {
        return front.signals(truth.signals());
    }

    @Override
    public @Nullable Joining joining() {
        return truth.joining();
    }

    /** How many claims are held that were won here and have not ended. */
    int ownClaims() {
        return owned.size();
    }

    /** How the front is doing, to be measured from time to time. */
    public Health health() {
        boolean open = front.breaker.isOpen() && front.epochs.isKnown();
        return new Health(
                open, front.breaker.shuts(), front.breaker.past(), hits.sum(), misses.sum(), front.epochs.changes());
    }

    /**
     * How a front is doing, counted since its door was made.
     *
     * @param open whether it is asked at present: it did not fail, and the truth's epoch is known
     * @param shuts how often it was shut because it failed
     * @param past calls that went past it while it was not open
     * @param hits calls that it answered
     * @param misses calls that the truth was asked for
     * @param epochs how often the truth began a new epoch
     */
    public record Health(boolean open, long shuts, long past, long hits, long misses, long epochs) {}
}
