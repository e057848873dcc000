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
    public ClaimResult claim(Claim claim) {
        synchronized (records) {
            long now = clock.getAsLong();
            StoredRecord there = records.get(claim.id());
            if (there != null) {
                claim.id().requireSame(there.id());
            }
            if (there == null || may(there, claim, now)) {
                keep(there, claim);
                there = RecordTransitions.insert(claim, fence(there, claim, now), now, now);
                records.put(claim.id(), there);
            }
            return answer(there, claim, now);
        }
    }

    void keep(@Nullable StoredRecord there, Claim claim) {
        if (there != null && claim.take() != null && claim.take().grounds() == Takeover.TakeoverReason.OVERWRITE) {
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

    static ClaimResult answer(StoredRecord there, Claim claim, long now) {
        return claim.recognises(there, now)
                ? new ClaimResult.Acquired(there.fence(), now)
                : new RecordSnapshot(there, now);
    }

    @Override
    public UpdateResult update(Ticket ticket, Change change) {
        synchronized (records) {
            long now = clock.getAsLong();
            StoredRecord there = records.get(ticket.id());
            if (there != null) {
                ticket.id().requireSame(there.id());
            }
            StoredRecord changed = changed(there, ticket, change, now);
            if (changed == null) {
                return UpdateResult.LOST;
            }
            lastFence = Math.max(lastFence, changed.fence());
            records.put(ticket.id(), changed);
            if (changed.status().sweepable() || change instanceof Mirror) {
                earlier.remove(ticket.id());
            }
            return UpdateResult.APPLIED;
        }
    }

    @Nullable
    StoredRecord changed(@Nullable StoredRecord there, Ticket ticket, Change change, long now) {
        if (there == null) {
            return change instanceof Mirror mirror ? RecordTransitions.mirrored(mirror, now) : null;
        }
        return RecordTransitions.apply(there, earlier.get(ticket.id()), ticket, change, now);
    }

    @Override
    public List<BatchItemResult<ClaimResult>> claimAll(List<Claim> claims) {
        return claims.stream().map(claim -> one(() -> claim(claim))).toList();
    }

    @Override
    public List<BatchItemResult<UpdateResult>> updateAll(List<RecordUpdate> updates) {
        return updates.stream()
                .map(update -> one(() -> update(update.ticket(), update.change())))
                .toList();
    }

    static <T> BatchItemResult<T> one(Supplier<T> step) {
        try {
            return BatchItemResult.of(step.get());
        } catch (RuntimeException e) {
            return BatchItemResult.failed(e);
        }
    }

    @Override
    public @Nullable RecordSnapshot find(RecordId id) {
        synchronized (records) {
            StoredRecord there = records.get(id);
            if (there == null) {
                return null;
            }
            id.requireSame(there.id());
            return new RecordSnapshot(there, clock.getAsLong());
        }
    }

    @Override
    public RecordPage list(RecordFilter filter, @Nullable String cursor, int limit) {
        synchronized (records) {
            long now = clock.getAsLong();
            List<StoredRecord> all = records.values().stream()
                    .filter(record -> filter.matches(record, now))
                    .sorted(Comparator.comparing(StoredRecord::id))
                    .dropWhile(record ->
                            cursor != null && record.id().uuid().toString().compareTo(cursor) <= 0)
                    .toList();
            List<StoredRecord> page = all.subList(0, Math.min(limit, all.size()));
            return new RecordPage(
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
                    records.put(record.id(), RecordTransitions.stripped(record));
                }
            }
            return due.size();
        }
    }

    boolean sweepable(StoredRecord record, long now) {
        return record.gone(now) || (record.expired(now) && record.payload() != null);
    }
}
