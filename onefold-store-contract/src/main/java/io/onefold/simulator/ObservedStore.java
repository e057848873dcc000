package io.onefold.simulator;

import io.onefold.store.Answer;
import io.onefold.store.Change;
import io.onefold.store.Claim;
import io.onefold.store.Claimed;
import io.onefold.store.Filter;
import io.onefold.store.Page;
import io.onefold.store.RecordId;
import io.onefold.store.Seen;
import io.onefold.store.Status;
import io.onefold.store.Store;
import io.onefold.store.StoredRecord;
import io.onefold.store.Ticket;
import io.onefold.store.Update;
import io.onefold.store.Updated;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The truth, watched: compares each record before and after each step with what the rules allow, without asking the store for its
 * reasons.
 */
final class ObservedStore implements Store {
    private final Store store;
    private final Map<RecordId, Long> fences = new HashMap<>();
    private final Map<RecordId, Integer> lives = new HashMap<>();

    ObservedStore(Store store) {
        this.store = store;
    }

    /** How often the record began anew because it was absent or had been kept long enough. */
    int lives(RecordId id) {
        return lives.getOrDefault(id, 0);
    }

    @Override
    public Claimed claim(Claim claim) {
        Seen before = store.find(claim.id());
        Claimed claimed = store.claim(claim);
        if (claimed instanceof Claimed.Won won) {
            boolean again = before != null
                    && before.record().owner().equals(claim.owner())
                    && before.record().fence() == won.fence();
            if (!again) {
                begun(claim, won.fence(), before);
            }
        }
        return claimed;
    }

    private void begun(Claim claim, long fence, @Nullable Seen before) {
        boolean anew = before == null || before.record().gone(before.now());
        if (anew) {
            lives.merge(claim.id(), 1, Integer::sum);
        }
        long highest = fences.getOrDefault(claim.id(), 0L);
        if (fence <= highest) {
            throw new Violation(Invariant.I12, "claim " + claim.id() + " got fence " + fence + " after " + highest);
        }
        fences.put(claim.id(), fence);
        if (before != null
                && before.record().status() == Status.PROCESSING
                && !before.record().leaseOver(before.now())) {
            throw new Violation(Invariant.I1, "claim " + claim.id() + " was granted while its owner holds the lease");
        }
    }

    @Override
    public Updated update(Ticket ticket, Change change) {
        Seen before = store.find(ticket.id());
        Updated updated = store.update(ticket, change);
        if (updated == Updated.APPLIED) {
            applied(ticket, change, before);
        }
        return updated;
    }

    private void applied(Ticket ticket, Change change, @Nullable Seen before) {
        Seen after = store.find(ticket.id());
        if (before == null || after == null) {
            throw new Violation(Invariant.I12, change + " was applied to an absent record " + ticket.id());
        }
        StoredRecord was = before.record();
        StoredRecord is = after.record();
        boolean repeated =
                was.status() == is.status() && was.fence() == is.fence() && !(change instanceof Change.Renew);
        if (!repeated && was.fence() != ticket.fence()) {
            throw new Violation(
                    Invariant.I12, change + " was applied to " + was + " under the old fence " + ticket.fence());
        }
        if (is.fence() < was.fence()) {
            throw new Violation(Invariant.I12, "the fence of " + was + " fell to " + is.fence());
        }
        fences.merge(ticket.id(), is.fence(), Math::max);
        boolean doubted = change instanceof Change.Unknown unknown && unknown.leaseOver() && !repeated;
        if (doubted && !was.leaseOver(before.now())) {
            throw new Violation(Invariant.I8, was + " became unknown though its lease is not over");
        }
    }

    @Override
    public List<Answer<Claimed>> claimAll(List<Claim> claims) {
        List<Answer<Claimed>> answers = new ArrayList<>();
        claims.forEach(claim -> answers.add(Answer.of(claim(claim))));
        return answers;
    }

    @Override
    public List<Answer<Updated>> updateAll(List<Update> updates) {
        List<Answer<Updated>> answers = new ArrayList<>();
        updates.forEach(update -> answers.add(Answer.of(update(update.ticket(), update.change()))));
        return answers;
    }

    @Override
    public @Nullable Seen find(RecordId id) {
        return store.find(id);
    }

    @Override
    public Page list(Filter filter, @Nullable String cursor, int limit) {
        return store.list(filter, cursor, limit);
    }

    @Override
    public int sweep(int limit) {
        return store.sweep(limit);
    }
}
