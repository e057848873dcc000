package io.onefold.store;

import io.onefold.store.Change.Complete;
import io.onefold.store.Change.Fail;
import io.onefold.store.Change.Mirror;
import io.onefold.store.Change.Release;
import io.onefold.store.Change.Renew;
import io.onefold.store.Change.Settle;
import io.onefold.store.Change.Unknown;
import io.onefold.store.StoredRecord.Prints;
import io.onefold.store.StoredRecord.Times;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A fast store in front of the true one. The front may say "done" or "someone is on it", never "new": whatever it does not know is
 * asked of the truth, and only the truth grants a claim. So the front may lose anything, at any time, at the price of speed alone.
 *
 * <p>A claim leaves a mark at the front, which turns its duplicates away until the owner ends it, or for a few seconds; marks have a
 * fence below every true one. What the truth has recorded is mirrored to the front, where only a higher fence replaces a record, so
 * that a late copy cannot undo a later one. Records at the front are filed under the epoch of the truth: a truth restored from an
 * older copy gets a new epoch, and everything that the front knew is gone.
 */
public final class FrontDoor implements Store {
    private static final Logger LOG = LoggerFactory.getLogger(FrontDoor.class);
    private static final Duration SHUT = Duration.ofSeconds(1);

    /** A mark that its owner could not remove turns honest retries away for no longer than this. */
    private static final Duration MARK_LIFE = Duration.ofSeconds(5);

    private final Store front;
    private final Store truth;
    private final String epoch;
    private final LongSupplier nanos;
    private final ConcurrentHashMap<RecordId, Claim> owned = new ConcurrentHashMap<>();
    private volatile long shutUntil;
    private volatile boolean shut;

    private FrontDoor(Store front, Store truth, String epoch, LongSupplier nanos) {
        this.front = front;
        this.truth = truth;
        this.epoch = epoch;
        this.nanos = nanos;
    }

    /**
     * The truth behind a front.
     *
     * @param epoch the truth's identity; another one after it was restored
     * @param nanos a monotonic clock, {@code System::nanoTime} but for tests
     */
    public static FrontDoor over(Store front, Store truth, String epoch, LongSupplier nanos) {
        return new FrontDoor(front, truth, epoch, nanos);
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
        Claimed atFront = claim.take() == null && open() ? mark(claim) : null;
        if (atFront instanceof Seen seen) {
            return new Seen(seen.record().filed(claim.id()), seen.now());
        }
        Ticket mark =
                atFront instanceof Claimed.Won won ? new Ticket(there(claim.id()), claim.owner(), won.fence()) : null;
        Claimed claimed;
        try {
            claimed = truth.claim(claim);
        } catch (RuntimeException e) {
            unmark(mark);
            throw e;
        }
        if (claimed instanceof Claimed.Won won) {
            owned.put(claim.id(), claim);
            if (mark == null) {
                mirrorOwned(claim, won.fence(), claim.lease());
            }
        } else if (!mirrorFinished((Seen) claimed)) {
            unmark(mark);
        }
        return claimed;
    }

    /** What the front has to say: that it is done or under way, or that the mark stands; null if it does not know. */
    private @Nullable Claimed mark(Claim claim) {
        try {
            RecordId there = there(claim.id());
            Claimed claimed = front.claim(claim.mark(there, life(claim), null));
            if (claimed instanceof Seen seen && seen.record().status() == Status.FREE) {
                Take free = new Take(Take.Grounds.FREE, seen.record().fence());
                claimed = front.claim(claim.mark(there, life(claim), free));
            }
            return claimed instanceof Seen seen && !answers(claim, seen) ? null : claimed;
        } catch (RuntimeException e) {
            shut(e);
            return null;
        }
    }

    private static Duration life(Claim claim) {
        return claim.lease().compareTo(MARK_LIFE) < 0 ? claim.lease() : MARK_LIFE;
    }

    /**
     * What is finished answers. What is under way answers those who ask for the same: a mark is only a wish, and whether another
     * payload is a conflict is for the truth to say.
     */
    private static boolean answers(Claim claim, Seen seen) {
        StoredRecord record = seen.record();
        if (record.status().finished()) {
            // what may be overwritten may be so by now
            return !claim.overwrites() && !record.expired(seen.now());
        }
        boolean running = record.status() == Status.PROCESSING && !record.leaseOver(seen.now());
        return running && Arrays.equals(record.prints().hash(), claim.print().hash());
    }

    @Override
    public List<Answer<Updated>> updateAll(List<Update> updates) {
        List<Answer<Updated>> answers = truth.updateAll(updates);
        for (int i = 0; i < updates.size(); i++) {
            if (answers.get(i).succeeded()) {
                follow(updates.get(i), answers.get(i).get());
            }
        }
        return answers;
    }

    /** Brings the front up to what the truth has just recorded. */
    private void follow(Update update, Updated updated) {
        Ticket ticket = update.ticket();
        Change change = update.change();
        Claim claim = owned.get(ticket.id());
        boolean own = claim != null && claim.owner().equals(ticket.owner());
        if (claim != null && own && updated == Updated.LOST) {
            owned.remove(ticket.id(), claim);
        }
        if (claim != null && own && updated == Updated.APPLIED) {
            followOwned(claim, ticket.fence(), change);
        } else if (change instanceof Settle || change instanceof Unknown || change instanceof Complete) {
            refresh(ticket.id());
        }
    }

    private void followOwned(Claim claim, long fence, Change change) {
        if (change instanceof Renew renew) {
            mirrorOwned(claim, fence, renew.lease());
            return;
        }
        if (change instanceof Change.Checkpoint) {
            return;
        }
        owned.remove(claim.id(), claim);
        if (change instanceof Complete complete) {
            mirror(copy(claim, Status.SUCCESS, fence, complete.result()), Duration.ZERO, complete.keep());
        } else if (change instanceof Fail fail) {
            mirror(copy(claim, Status.FAILED, fence, fail.failure()), Duration.ZERO, fail.keep());
        } else if (change instanceof Release release) {
            mirror(copy(claim, Status.FREE, fence, null), Duration.ZERO, release.keep());
        } else {
            refresh(claim.id());
        }
    }

    /** Others have changed the record, or the truth knows more of it than this node. */
    private void refresh(RecordId id) {
        Seen seen;
        try {
            seen = truth.find(id);
        } catch (StoreException e) {
            LOG.debug("the front is not told of {}; the truth is asked for it", id, e);
            return;
        }
        // of what is over, the truth alone speaks
        boolean over = seen != null && seen.record().expired(seen.now());
        if (seen != null && !over && !mirrorFinished(seen)) {
            StoredRecord record = seen.record();
            Duration lease = micros(Math.max(0, record.times().leaseUntil() - seen.now()));
            mirror(record.filed(there(id)), lease, Keep.of(Duration.ofDays(1)));
        }
    }

    private boolean mirrorFinished(Seen seen) {
        StoredRecord record = seen.record();
        if (!record.status().finished() || record.expired(seen.now())) {
            return false;
        }
        Times times = record.times();
        Keep left = new Keep(micros(times.expireAt() - seen.now()), micros(times.goneAt() - times.expireAt()));
        mirror(record.filed(there(record.id())), Duration.ZERO, left);
        return true;
    }

    private void mirrorOwned(Claim claim, long fence, Duration lease) {
        mirror(copy(claim, Status.PROCESSING, fence, null), lease, Keep.of(Duration.ofDays(1)));
    }

    private void mirror(StoredRecord copy, Duration lease, Keep keep) {
        tell(copy.ticket(), new Mirror(copy, lease, keep.duration(), keep.tombstone()));
    }

    private void unmark(@Nullable Ticket mark) {
        if (mark != null) {
            tell(mark, new Release(Keep.of(Duration.ofDays(1))));
        }
    }

    private void tell(Ticket ticket, Change change) {
        if (open()) {
            try {
                front.update(ticket, change);
            } catch (RuntimeException e) {
                shut(e);
            }
        }
    }

    private StoredRecord copy(Claim claim, Status status, long fence, @Nullable Payload payload) {
        Prints prints = new Prints(claim.print().hash(), claim.print().fields(), claim.superseded());
        Times times = new Times(0, 0, 0, 0, 0);
        return new StoredRecord(
                there(claim.id()),
                status,
                claim.owner(),
                fence,
                claim.attempts(),
                times,
                prints,
                payload,
                null,
                claim.bizId());
    }

    private RecordId there(RecordId id) {
        return id.at(epoch);
    }

    private boolean open() {
        return !shut || nanos.getAsLong() - shutUntil >= 0;
    }

    private void shut(RuntimeException e) {
        if (open()) {
            LOG.warn("the front door fails; asking the truth alone for {}", SHUT, e);
        }
        shutUntil = nanos.getAsLong() + SHUT.toNanos();
        shut = true;
    }

    @Override
    public @Nullable Seen find(RecordId id) {
        return truth.find(id);
    }

    @Override
    public Page list(Filter filter, @Nullable String cursor, int limit) {
        return truth.list(filter, cursor, limit);
    }

    @Override
    public int sweep(int limit) {
        if (open()) {
            try {
                front.sweep(limit);
            } catch (RuntimeException e) {
                shut(e);
            }
        }
        return truth.sweep(limit);
    }

    @Override
    public @Nullable Signals signals() {
        Signals quick = front.signals();
        return quick == null ? truth.signals() : quick;
    }

    @Override
    public @Nullable Joining joining() {
        return truth.joining();
    }

    private static Duration micros(long micros) {
        return Duration.of(micros, ChronoUnit.MICROS);
    }
}
