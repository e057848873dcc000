package io.onefold.simulator;

import io.onefold.store.BatchItemResult;
import io.onefold.store.Change;
import io.onefold.store.Claim;
import io.onefold.store.ClaimResult;
import io.onefold.store.ForwardingStore;
import io.onefold.store.RecordId;
import io.onefold.store.RecordSnapshot;
import io.onefold.store.RecordUpdate;
import io.onefold.store.Status;
import io.onefold.store.Store;
import io.onefold.store.StoredRecord;
import io.onefold.store.Takeover;
import io.onefold.store.Ticket;
import io.onefold.store.UpdateResult;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The primary store under observation. It remembers the state of each record after the last step that changed it. It
 * compares every step with the rules, without asking the store for its reasons.
 */
final class RecordedStore extends ForwardingStore {
    private final Consumer<InvariantViolation> violations;
    private final Map<RecordId, StoredRecord> known = new HashMap<>();
    private final Map<RecordId, StoredRecord> earlier = new HashMap<>();
    private final Map<RecordId, Integer> lives = new HashMap<>();
    private final Map<RecordId, List<Long>> failures = new HashMap<>();
    private final LongSupplier time;

    /** @param time the simulated time, in nanoseconds */
    RecordedStore(Store store, LongSupplier time, Consumer<InvariantViolation> violations) {
        super(store);
        this.time = time;
        this.violations = violations;
    }

    /** Returns the number of times that the record began anew because it was absent or had been kept long enough. */
    int lives(RecordId id) {
        return lives.getOrDefault(id, 0);
    }

    /**
     * Returns true if, between these times, an attempt that was begun failed without effect, was settled, or was lost
     * and taken over.
     */
    boolean failedBetween(RecordId id, long from, long to) {
        return failures.getOrDefault(id, List.of()).stream().anyMatch(at -> at >= from && at <= to);
    }

    @Override
    public ClaimResult claim(Claim claim) {
        ClaimResult claimed = behind.claim(claim);
        if (claimed instanceof ClaimResult.Acquired won) {
            StoredRecord was = known.get(claim.id());
            if (was == null || was.fence() != won.fence() || !was.owner().equals(claim.owner())) {
                begun(claim.id(), won, was);
                overwrites(claim, won, was);
                takesOver(claim);
            }
            remember(claim.id());
        }
        return claimed;
    }

    private void begun(RecordId id, ClaimResult.Acquired won, @Nullable StoredRecord was) {
        if (was == null || was.gone(won.now())) {
            lives.merge(id, 1, Integer::sum);
        } else if (was.status() == Status.PROCESSING && !was.leaseOver(won.now())) {
            violate(Invariant.I1, id + " was granted while its owner holds the lease");
        }
        if (was != null && won.fence() <= was.fence()) {
            violate(Invariant.I12, "a claim of " + was + " got fence " + won.fence());
        }
    }

    /** Remembers the end that a claim overwrites, also when others take the record over. A record that is gone may have been swept: it has no end to keep. */
    private void overwrites(Claim claim, ClaimResult.Acquired won, @Nullable StoredRecord was) {
        Takeover take = claim.take();
        if (take == null || take.startsAnew() || take.grounds() == Takeover.TakeoverReason.FREE) {
            earlier.remove(claim.id());
        }
        if (take != null
                && take.grounds() == Takeover.TakeoverReason.OVERWRITE
                && was != null
                && !was.gone(won.now())) {
            earlier.put(claim.id(), was);
        }
    }

    @Override
    public UpdateResult update(Ticket ticket, Change change) {
        UpdateResult updated = behind.update(ticket, change);
        StoredRecord was = known.get(ticket.id());
        RecordSnapshot seen = behind.find(ticket.id());
        if (updated == UpdateResult.APPLIED && was != null && seen != null) {
            applied(ticket, change, was, seen);
            ended(change, seen.record());
            failed(change, seen.record());
            remember(ticket.id());
        } else if (updated == UpdateResult.APPLIED) {
            violate(Invariant.I12, change + " was applied to nothing: " + ticket.id());
        } else if (seen != null && isOwnersEnd(change)) {
            refused(ticket, change, seen.record());
        }
        return updated;
    }

    private static boolean isOwnersEnd(Change change) {
        return change instanceof Change.Complete || change instanceof Change.Fail || change instanceof Change.Release;
    }

    /**
     * Requires that no change of the owner was rejected. The record stays the owner's after its lease is over, and
     * after others have marked it as unknown.
     */
    private void refused(Ticket ticket, Change change, StoredRecord is) {
        boolean unfinished = is.status() == Status.PROCESSING || is.status() == Status.UNKNOWN;
        if (unfinished && is.ticket().equals(ticket)) {
            violate(Invariant.I13, change + " of its owner was refused by " + is);
        }
    }

    private void applied(Ticket ticket, Change change, StoredRecord was, RecordSnapshot seen) {
        StoredRecord is = seen.record();
        boolean repeated =
                was.status() == is.status() && was.fence() == is.fence() && !(change instanceof Change.Renew);
        if (!repeated && was.fence() != ticket.fence()) {
            violate(Invariant.I12, change + " was applied to " + was + " under the old fence " + ticket.fence());
        }
        if (is.fence() < was.fence()) {
            violate(Invariant.I12, "the fence of " + was + " fell to " + is.fence());
        }
        boolean doubted = change instanceof Change.MarkUnknown unknown && unknown.leaseOver() && !repeated;
        if (doubted && !was.leaseOver(seen.now())) {
            violate(Invariant.I8, was + " became unknown though its lease is not over");
        }
    }

    /** Requires that an end which was to be overwritten is replayed as before, for as long as before. */
    private void ended(Change change, StoredRecord is) {
        StoredRecord was = is.status().sweepable() ? earlier.remove(is.id()) : null;
        boolean nothing = change instanceof Change.Release
                || (change instanceof Change.Settle settle && settle.to() == Status.FREE);
        if (was == null || !nothing) {
            return;
        }
        boolean back = is.status() == was.status()
                && Objects.equals(is.payload(), was.payload())
                && Arrays.equals(is.prints().hash(), was.prints().hash())
                && is.prints().superseded().size() == was.prints().superseded().size()
                && Objects.equals(is.bizId(), was.bizId())
                && is.times().createdAt() == was.times().createdAt()
                && is.times().expireAt() == was.times().expireAt();
        if (!back) {
            violate(Invariant.I14, change + " left " + is + " in the place of " + was);
        }
    }

    private void failed(Change change, StoredRecord is) {
        boolean counts = change instanceof Change.Release release && release.counts();
        if (counts || change instanceof Change.Settle) {
            failed(is.id());
        }
    }

    /** A lost attempt counts as failed once another has taken over. */
    private void takesOver(Claim claim) {
        Takeover take = claim.take();
        if (take != null
                && (take.grounds() == Takeover.TakeoverReason.LEASE_OVER
                        || take.grounds() == Takeover.TakeoverReason.UNKNOWN)) {
            failed(claim.id());
        }
    }

    private void failed(RecordId id) {
        failures.computeIfAbsent(id, same -> new ArrayList<>()).add(time.getAsLong());
    }

    private void remember(RecordId id) {
        RecordSnapshot seen = behind.find(id);
        if (seen != null) {
            known.put(id, seen.record());
        }
    }

    private void violate(Invariant invariant, String what) {
        violations.accept(new InvariantViolation(invariant, what));
    }

    @Override
    public List<BatchItemResult<ClaimResult>> claimAll(List<Claim> claims) {
        List<BatchItemResult<ClaimResult>> answers = new ArrayList<>();
        claims.forEach(claim -> answers.add(BatchItemResult.of(claim(claim))));
        return answers;
    }

    @Override
    public List<BatchItemResult<UpdateResult>> updateAll(List<RecordUpdate> updates) {
        List<BatchItemResult<UpdateResult>> answers = new ArrayList<>();
        updates.forEach(update -> answers.add(BatchItemResult.of(update(update.ticket(), update.change()))));
        return answers;
    }
}
