package io.onefold.store;

import io.onefold.store.StoredRecord.RecordTimes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finished records near at hand, for a while: a finished record does not change until its keep is over, so a replay need not ask the
 * store again. Never an absence, never what is in progress, never for operations that overwrite; only what the store itself has
 * answered, and no longer than {@value #MAX_SECONDS} seconds by the monotonic clock. The engine compares payloads on every hit.
 *
 * <p>A table of fixed size in which each record has one place: a newcomer simply takes it.
 */
public final class NearCache extends ForwardingStore implements CacheTier {
    private static final Logger LOG = LoggerFactory.getLogger(NearCache.class);
    static final int MAX_SECONDS = 10;

    private final LongSupplier nanos;
    private final AtomicReferenceArray<@Nullable CachedRecord> table;

    private NearCache(Store behind, int places, LongSupplier nanos) {
        super(behind);
        this.nanos = nanos;
        this.table = new AtomicReferenceArray<>(places);
    }

    /**
     * A store with a cache before it.
     *
     * @param places how many records to hold at most
     * @param nanos a monotonic clock, {@code System::nanoTime} but for tests
     */
    public static NearCache over(Store behind, int places, LongSupplier nanos) {
        if (places < 1) {
            throw new IllegalArgumentException("a cache needs at least one place, not " + places);
        }
        return new NearCache(behind, places, nanos);
    }

    @Override
    public List<BatchItemResult<ClaimResult>> claimAll(List<Claim> claims) {
        long asked = nanos.getAsLong();
        List<@Nullable BatchItemResult<ClaimResult>> answers = new ArrayList<>(claims.size());
        List<Claim> missed = new ArrayList<>();
        for (Claim claim : claims) {
            BatchItemResult<ClaimResult> hit = hit(claim, asked);
            answers.add(hit);
            if (hit == null) {
                missed.add(claim);
            }
        }
        if (missed.isEmpty()) {
            return List.copyOf(answers);
        }
        List<BatchItemResult<ClaimResult>> learned = behind.claimAll(missed);
        for (int i = 0, next = 0; i < answers.size(); i++) {
            if (answers.get(i) == null) {
                BatchItemResult<ClaimResult> answer = learned.get(next++);
                remember(claims.get(i), answer, asked);
                answers.set(i, answer);
            }
        }
        return List.copyOf(answers);
    }

    private @Nullable BatchItemResult<ClaimResult> hit(Claim claim, long now) {
        if (claim.take() != null || claim.overwrites()) {
            return null;
        }
        try {
            RecordSnapshot seen = held(claim.id(), now);
            return seen == null ? null : BatchItemResult.of(seen);
        } catch (IllegalStateException e) {
            return BatchItemResult.failed(e);
        }
    }

    /**
     * @throws IllegalStateException if the record of another id that has the same digest is held
     */
    private @Nullable RecordSnapshot held(RecordId id, long now) {
        CachedRecord entry = table.get(place(id));
        if (entry == null || !entry.seen.record().id().equals(id)) {
            return null;
        }
        if (now - entry.until >= 0) {
            table.compareAndSet(place(id), entry, null);
            return null;
        }
        id.requireSame(entry.seen.record().id());
        return new RecordSnapshot(entry.seen.record(), entry.seen.now() + (now - entry.asked) / 1_000);
    }

    private void remember(Claim claim, BatchItemResult<ClaimResult> answer, long asked) {
        if (!claim.overwrites() && answer.succeeded() && answer.get() instanceof RecordSnapshot seen) {
            remember(seen, asked);
        }
    }

    private void remember(RecordSnapshot seen, long asked) {
        RecordTimes times = seen.record().times();
        if (seen.record().status().finished() && times.expireAt() > seen.now()) {
            long left = Math.min(
                    times.expireAt() - seen.now(),
                    Duration.ofSeconds(MAX_SECONDS).toNanos() / 1_000);
            table.set(place(seen.record().id()), new CachedRecord(seen, asked, asked + left * 1_000));
        }
    }

    @Override
    public List<BatchItemResult<UpdateResult>> updateAll(List<RecordUpdate> updates) {
        List<BatchItemResult<UpdateResult>> answers;
        try {
            answers = behind.updateAll(updates);
        } finally {
            for (RecordUpdate update : updates) {
                forget(update.ticket().id());
            }
        }
        for (int i = 0; i < updates.size(); i++) {
            // what stands in the place of a lost amendment is of another attempt, which may be about to amend it
            if (updates.get(i).change() instanceof Change.Amend
                    && answers.get(i).succeeded()
                    && answers.get(i).get() == UpdateResult.APPLIED) {
                refresh(updates.get(i).ticket().id());
            }
        }
        return answers;
    }

    @Override
    public CacheTier tier() {
        return this;
    }

    @Override
    public @Nullable RecordSnapshot known(RecordId id) {
        long asked = nanos.getAsLong();
        RecordSnapshot seen = held(id, asked);
        CacheTier next = seen == null ? behind.tier() : null;
        if (next != null) {
            seen = next.known(id);
            if (seen != null) {
                remember(seen, asked);
            }
        }
        return seen;
    }

    @Override
    public @Nullable RecordSnapshot refresh(RecordId id) {
        long asked = nanos.getAsLong();
        CacheTier next = behind.tier();
        try {
            RecordSnapshot seen = next == null ? behind.find(id) : next.refresh(id);
            if (seen != null) {
                remember(seen, asked);
            }
            return seen;
        } catch (RuntimeException e) {
            LOG.debug("Cannot read {} for the near cache; its duplicates ask the store", id, e);
            return null;
        }
    }

    private void forget(RecordId id) {
        CachedRecord entry = table.get(place(id));
        if (entry != null && entry.seen.record().id().equals(id)) {
            table.compareAndSet(place(id), entry, null);
        }
    }

    private int place(RecordId id) {
        return (int) Long.remainderUnsigned(id.low(), table.length());
    }

    private record CachedRecord(RecordSnapshot seen, long asked, long until) {}
}
