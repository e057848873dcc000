package io.onefold.store;

import io.onefold.store.Change.Mirror;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A right store with one lock and every step open to be broken. */
class OpenStore implements Store {
    final TreeMap<RecordId, StoredRecord> records = new TreeMap<>();
    final TreeMap<RecordId, StoredRecord> earlier = new TreeMap<>();
    final LongSupplier clock;
    private long lastFence;

    OpenStore(LongSupplier clock) {
        this.clock = clock;
    }

    @Override
    public Claimed claim(Claim claim) {
        synchronized (records) {
            long now = clock.getAsLong();
            StoredRecord there = records.get(claim.id());
            if (there != null) {
                claim.id().requireSame(there.id());
            }
            if (there == null || may(there, claim, now)) {
                keep(there, claim);
                there = Transition.insert(claim, fence(there, claim, now), now, now);
                records.put(claim.id(), there);
            }
            return answer(there, claim, now);
        }
    }

    void keep(@Nullable StoredRecord there, Claim claim) {
        if (there != null && claim.take() != null && claim.take().grounds() == Take.Grounds.OVERWRITE) {
            earlier.put(claim.id(), there);
        }
    }

    boolean may(StoredRecord there, Claim claim, long now) {
        return claim.take() != null
                && !claim.recognises(there, now)
                && claim.take().allows(there, now);
    }

    long fence(@Nullable StoredRecord there, Claim claim, long now) {
        long stored = there == null ? 0 : there.fence();
        if (claim.mark()) {
            return stored;
        }
        lastFence = Math.max(Math.max(stored, lastFence) + 1, now);
        return lastFence;
    }

    static Claimed answer(StoredRecord there, Claim claim, long now) {
        return claim.recognises(there, now) ? new Claimed.Won(there.fence(), now) : new Seen(there, now);
    }

    @Override
    public Updated update(Ticket ticket, Change change) {
        synchronized (records) {
            long now = clock.getAsLong();
            StoredRecord there = records.get(ticket.id());
            if (there != null) {
                ticket.id().requireSame(there.id());
            }
            StoredRecord changed = changed(there, ticket, change, now);
            if (changed == null) {
                return Updated.LOST;
            }
            lastFence = Math.max(lastFence, changed.fence());
            records.put(ticket.id(), changed);
            if (changed.status().sweepable() || change instanceof Mirror) {
                earlier.remove(ticket.id());
            }
            return Updated.APPLIED;
        }
    }

    @Nullable
    StoredRecord changed(@Nullable StoredRecord there, Ticket ticket, Change change, long now) {
        if (there == null) {
            return change instanceof Mirror mirror ? Transition.mirrored(mirror, now) : null;
        }
        return Transition.apply(there, earlier.get(ticket.id()), ticket, change, now);
    }

    @Override
    public List<Answer<Claimed>> claimAll(List<Claim> claims) {
        return claims.stream().map(claim -> one(() -> claim(claim))).toList();
    }

    @Override
    public List<Answer<Updated>> updateAll(List<Update> updates) {
        return updates.stream()
                .map(update -> one(() -> update(update.ticket(), update.change())))
                .toList();
    }

    static <T> Answer<T> one(Supplier<T> step) {
        try {
            return Answer.of(step.get());
        } catch (RuntimeException e) {
            return Answer.failed(e);
        }
    }

    @Override
    public @Nullable Seen find(RecordId id) {
        synchronized (records) {
            StoredRecord there = records.get(id);
            if (there == null) {
                return null;
            }
            id.requireSame(there.id());
            return new Seen(there, clock.getAsLong());
        }
    }

    @Override
    public Page list(Filter filter, @Nullable String cursor, int limit) {
        synchronized (records) {
            long now = clock.getAsLong();
            List<StoredRecord> all = records.values().stream()
                    .filter(record -> filter.matches(record, now))
                    .sorted(Comparator.comparing(StoredRecord::id))
                    .dropWhile(record ->
                            cursor != null && record.id().uuid().toString().compareTo(cursor) <= 0)
                    .toList();
            List<StoredRecord> page = all.subList(0, Math.min(limit, all.size()));
            return new Page(
                    page,
                    page.size() < all.size() ? page.get(limit - 1).id().uuid().toString() : null,
                    now);
        }
    }

    @Override
    public int sweep(int limit) {
        synchronized (records) {
            long now = clock.getAsLong();
            List<StoredRecord> due = new ArrayList<>();
            for (StoredRecord record : records.values()) {
                if (due.size() < limit && sweepable(record, now)) {
                    due.add(record);
                }
            }
            for (StoredRecord record : due) {
                if (record.gone(now) || !record.status().sweepable()) {
                    records.remove(record.id());
                } else {
                    records.put(record.id(), Transition.stripped(record));
                }
            }
            return due.size();
        }
    }

    boolean sweepable(StoredRecord record, long now) {
        return record.gone(now) || (record.expired(now) && record.payload() != null);
    }
}
