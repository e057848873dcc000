package io.onefold.store;

import io.onefold.store.Change.Mirror;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A store in the heap: for tests, and for what need not outlive the process. The map's per-key lock makes each verb one step; a
 * duplicate of what is there already is answered without it.
 *
 * <p>Fences come from one counter that follows the clock, so that not even a clock set back lets one repeat.
 */
public final class MemoryStore implements Store, RecordSignals {
    private static final Set<Status> OPEN = EnumSet.of(Status.PROCESSING, Status.UNKNOWN);

    private final ConcurrentHashMap<RecordId, StoredRecord> records = new ConcurrentHashMap<>();

    /**
     * The records that have not ended. Stuck records are looked for every few seconds, and they are few among very
     * many.
     */
    private final Set<RecordId> open = ConcurrentHashMap.newKeySet();

    /** The finished records that open ones were claimed to overwrite. Written under the lock of the record. */
    private final ConcurrentHashMap<RecordId, StoredRecord> earlier = new ConcurrentHashMap<>();

    private final ConcurrentHashMap<RecordId, Set<Subscriber>> subscribers = new ConcurrentHashMap<>();
    private final AtomicLong lastFence = new AtomicLong();
    private final LongSupplier clock;

    public MemoryStore() {
        this(() -> {
            Instant now = Instant.now();
            return now.getEpochSecond() * 1_000_000 + now.getNano() / 1_000;
        });
    }

    /**
     * @param clock UTC microseconds
     */
    public MemoryStore(LongSupplier clock) {
        this.clock = clock;
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
        long now = clock.getAsLong();
        StoredRecord there = records.get(claim.id());
        if (there == null || !settles(there, claim, now)) {
            there = records.compute(claim.id(), (id, record) -> noted(record, claimed(claim, record, now)));
        }
        claim.id().requireSame(there.id());
        return claim.recognises(there, now)
                ? new ClaimResult.Acquired(there.fence(), now)
                : new RecordSnapshot(there, now);
    }

    /** Notes if the record is open. It must be called under the lock of the record. */
    private StoredRecord noted(@Nullable StoredRecord before, StoredRecord after) {
        boolean wasOpen = before != null && OPEN.contains(before.status());
        boolean isOpen = OPEN.contains(after.status());
        if (isOpen && !wasOpen) {
            open.add(after.id());
        } else if (wasOpen && !isOpen) {
            open.remove(after.id());
            earlier.remove(after.id());
        }
        return after;
    }

    /** A claim that takes nothing leaves what is there as it is: no need to lock it. */
    private static boolean settles(StoredRecord there, Claim claim, long now) {
        return claim.take() == null || claim.recognises(there, now);
    }

    private StoredRecord claimed(Claim claim, @Nullable StoredRecord record, long now) {
        if (record == null) {
            return RecordTransitions.insert(claim, claim.mark() ? 0 : nextFence(0, now), now, now);
        }
        claim.id().requireSame(record.id());
        Takeover take = claim.take();
        if (take == null || claim.recognises(record, now) || !take.allows(record, now)) {
            return record;
        }
        if (take.grounds() == Takeover.TakeoverReason.OVERWRITE && !claim.mark()) {
            earlier.put(claim.id(), record);
        }
        long fence = claim.mark() ? record.fence() : nextFence(record.fence(), now);
        return RecordTransitions.insert(
                claim, fence, take.startsAnew() ? now : record.times().createdAt(), now);
    }

    @Override
    public List<BatchItemResult<UpdateResult>> updateAll(List<RecordUpdate> updates) {
        List<BatchItemResult<UpdateResult>> answers = new ArrayList<>(updates.size());
        for (RecordUpdate update : updates) {
            answers.add(BatchItemResult.from(() -> update(update.ticket(), update.change())));
        }
        return answers;
    }

    @Override
    public UpdateResult update(Ticket ticket, Change change) {
        long now = clock.getAsLong();
        boolean[] applied = new boolean[1];
        records.compute(ticket.id(), (id, record) -> {
            StoredRecord changed = changed(record, ticket, change, now);
            if (changed == null) {
                return record;
            }
            applied[0] = true;
            lastFence.accumulateAndGet(changed.fence(), Math::max);
            if (change instanceof Mirror) {
                earlier.remove(ticket.id());
            }
            return noted(record, changed);
        });
        return applied[0] ? UpdateResult.APPLIED : UpdateResult.LOST;
    }

    private @Nullable StoredRecord changed(@Nullable StoredRecord record, Ticket ticket, Change change, long now) {
        if (record == null) {
            return change instanceof Mirror mirror ? RecordTransitions.mirrored(mirror, now) : null;
        }
        ticket.id().requireSame(record.id());
        return RecordTransitions.apply(record, earlier.get(ticket.id()), ticket, change, now);
    }

    @Override
    public @Nullable RecordSnapshot find(RecordId id) {
        StoredRecord record = records.get(id);
        if (record == null) {
            return null;
        }
        id.requireSame(record.id());
        return new RecordSnapshot(record, clock.getAsLong());
    }

    @Override
    public RecordPage list(RecordFilter filter, @Nullable String cursor, int limit) {
        long now = clock.getAsLong();
        Stream<StoredRecord> among = OPEN.containsAll(filter.statuses())
                ? open.stream().map(records::get).filter(Objects::nonNull)
                : records.values().stream();
        List<StoredRecord> matching = among.filter(record -> filter.matches(record, now))
                .filter(record ->
                        cursor == null || record.id().uuid().toString().compareTo(cursor) > 0)
                .sorted(Comparator.comparing(StoredRecord::id))
                .limit(limit + 1L)
                .toList();
        if (matching.size() <= limit) {
            return new RecordPage(matching, null, now);
        }
        List<StoredRecord> page = matching.subList(0, limit);
        return new RecordPage(page, page.get(limit - 1).id().uuid().toString(), now);
    }

    @Override
    public int sweep(int limit) {
        long now = clock.getAsLong();
        int swept = 0;
        for (RecordId id : records.keySet()) {
            if (swept == limit) {
                break;
            }
            boolean[] counted = new boolean[1];
            records.computeIfPresent(id, (same, record) -> {
                boolean tombstone = !record.gone(now) && record.payload() == null;
                if (tombstone || !record.expired(now)) {
                    return record;
                }
                counted[0] = true;
                return record.gone(now) ? null : RecordTransitions.stripped(record);
            });
            swept += counted[0] ? 1 : 0;
        }
        return swept;
    }

    @Override
    public Subscription subscribe(RecordId id, Runnable wake) {
        Subscriber own = new Subscriber(wake);
        subscribers.compute(id, (same, wakes) -> {
            Set<Subscriber> all = wakes == null ? ConcurrentHashMap.newKeySet() : wakes;
            all.add(own);
            return all;
        });
        return () -> subscribers.computeIfPresent(id, (same, wakes) -> {
            wakes.remove(own);
            return wakes.isEmpty() ? null : wakes;
        });
    }

    @Override
    public void publish(RecordId id) {
        Set<Subscriber> wakes = subscribers.get(id);
        if (wakes != null) {
            wakes.forEach(subscriber -> subscriber.wake.run());
        }
    }

    /** Not a record: two subscribers with the same task are still two. */
    private static final class Subscriber {
        final Runnable wake;

        Subscriber(Runnable wake) {
            this.wake = wake;
        }
    }

    private long nextFence(long stored, long now) {
        return lastFence.accumulateAndGet(Math.max(stored + 1, now), (last, wish) -> Math.max(last + 1, wish));
    }
}
