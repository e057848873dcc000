package io.onefold.store;

import io.onefold.store.Change.Mirror;
import io.onefold.store.Change.Release;
import io.onefold.store.StoredRecord.RecordTimes;
import io.onefold.store.Takeover.TakeoverReason;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The fast store as its {@link TieredStore} sees it: behind a breaker, with every record filed under the truth's epoch. What it cannot
 * be asked or told is lost, and the truth is asked instead.
 */
final class GuardedCache {
    /** Nothing here says for longer than this that someone is on it, unless the truth is asked again. */
    private static final Duration BUSY = Duration.ofSeconds(5);

    /** The time for which a record that does not answer stays, so that a late copy with a lower fence meets it. */
    static final RetentionPeriod SILENT = RetentionPeriod.of(Duration.ofDays(1));

    final CircuitBreaker breaker;
    final EpochReader epochs;
    private final Store store;
    private final LongSupplier nanos;

    GuardedCache(Store store, Supplier<String> epoch, LongSupplier nanos) {
        this.store = store;
        this.nanos = nanos;
        this.breaker = new CircuitBreaker(nanos);
        this.epochs = new EpochReader(epoch, nanos, EpochReader.PATIENCE);
    }

    /** Begins a step of the truth: to be called before the truth is asked. */
    CacheSession visit() {
        return new CacheSession(epochs.current(), nanos.getAsLong());
    }

    long now() {
        return nanos.getAsLong();
    }

    void sweep(int limit) {
        breaker.call(() -> store.sweep(limit));
    }

    /** Wakes through this store where that is possible, else through the truth; null if neither can. */
    @Nullable
    RecordSignals signals(@Nullable RecordSignals truth) {
        RecordSignals own = store.signals();
        return own == null ? truth : new TieredSignals(own, truth, this::waitedFor);
    }

    /** Under which identity to wait for a record here, or null if that is of no use now. Asks nobody: who waits must not be held up. */
    private @Nullable RecordId waitedFor(RecordId id) {
        String epoch = epochs.latest();
        return epoch == null || !breaker.isOpen() ? null : id.at(epoch);
    }

    /**
     * The writes to the cache tier around one step of the primary store. They count in the epoch that was known before
     * the step: an answer of an old primary store must not be filed under the new one. They also count from that time
     * on: a copy that is late has less time left.
     */
    final class CacheSession {
        private final @Nullable String epoch;
        final long began;
        private @Nullable StoredRecord met;

        private CacheSession(@Nullable String epoch, long began) {
            this.epoch = epoch;
            this.began = began;
        }

        /**
         * Returns the record if it is finished or in progress, or the mark that was set; null if nothing is known here.
         */
        @Nullable
        ClaimResult mark(Claim claim) {
            Duration life = shorter(claim.lease(), BUSY);
            return ask(claim.id(), there -> {
                ClaimResult claimed = store.claim(claim.mark(there, life, null));
                Takeover silent = claimed instanceof RecordSnapshot seen ? silent(seen) : null;
                if (silent != null) {
                    // one marks it and asks the truth; the others hear of the mark
                    claimed = store.claim(claim.mark(there, life, silent));
                }
                met = claimed instanceof RecordSnapshot seen ? seen.record() : null;
                return claimed instanceof RecordSnapshot seen && !answers(claim, seen) ? null : claimed;
            });
        }

        void unmark(Claim claim, ClaimResult.Acquired mark) {
            ask(claim.id(), there -> store.update(new Ticket(there, claim.owner(), mark.fence()), new Release(SILENT)));
        }

        /** The record, if it is known here to be finished and its keep is not over. */
        @Nullable
        RecordSnapshot finished(RecordId id) {
            RecordSnapshot seen = ask(id, store::find);
            boolean finished = seen != null
                    && seen.record().status().finished()
                    && !seen.record().expired(seen.now());
            return finished ? seen : null;
        }

        /** Puts another payload into the copy of the same record. */
        void amend(Ticket ticket, Change.Amend amend) {
            Duration left = amend.keep().duration().minus(Duration.ofNanos(nanos.getAsLong() - began));
            if (!left.isNegative() && !left.isZero()) {
                RetentionPeriod keep = new RetentionPeriod(left, amend.keep().tombstone());
                ask(
                        ticket.id(),
                        there -> store.update(
                                new Ticket(there, ticket.owner(), ticket.fence()),
                                new Change.Amend(amend.result(), keep)));
            }
        }

        /** Copies what the truth has said; false if the copy was not written, because the record is over or for another reason. */
        boolean copy(RecordSnapshot seen) {
            StoredRecord record = seen.record();
            RecordTimes times = record.times();
            if (record.expired(seen.now())) {
                return false;
            }
            if (met != null && stillUnknown(met, record)) {
                return true;
            }
            RetentionPeriod keep = record.status().sweepable()
                    ? new RetentionPeriod(
                            micros(times.expireAt() - seen.now()), micros(times.goneAt() - times.expireAt()))
                    : SILENT;
            return copy(record, micros(Math.max(0, times.leaseUntil() - seen.now())), keep);
        }

        /** Copies what the truth has recorded; false if the copy was not written. */
        boolean copy(StoredRecord record, Duration lease, RetentionPeriod keep) {
            Duration passed = Duration.ofNanos(nanos.getAsLong() - began);
            Duration keepLeft = keep.duration().minus(passed);
            if (keepLeft.isNegative() || keepLeft.isZero()) {
                return false;
            }
            Duration busyLeft = shorter(lease, BUSY).minus(passed);
            Duration leaseLeft = busyLeft.isNegative() ? Duration.ZERO : busyLeft;
            UpdateResult updated = ask(record.id(), there -> {
                StoredRecord copy = record.filed(there);
                return store.update(copy.ticket(), new Mirror(copy, leaseLeft, keepLeft, keep.tombstone()));
            });
            return updated == UpdateResult.APPLIED;
        }

        private <A> @Nullable A ask(RecordId id, Function<RecordId, @Nullable A> question) {
            if (epoch == null) {
                breaker.pass();
                return null;
            }
            return breaker.call(() -> question.apply(id.at(epoch)));
        }
    }

    /** Its duplicates all ask the truth, for which nothing is new then: each would write the same copy again. */
    private static boolean stillUnknown(StoredRecord copy, StoredRecord record) {
        return copy.status() == Status.UNKNOWN && record.status() == Status.UNKNOWN && copy.fence() == record.fence();
    }

    /** Returns the takeover for marking a record that can no longer answer; null if it still can. */
    private static @Nullable Takeover silent(RecordSnapshot seen) {
        StoredRecord record = seen.record();
        long fence = record.fence();
        if (record.status() == Status.FREE) {
            return new Takeover(TakeoverReason.FREE, fence);
        }
        if (record.leaseOver(seen.now())) {
            return new Takeover(TakeoverReason.LEASE_OVER, fence);
        }
        return record.gone(seen.now()) ? new Takeover(TakeoverReason.EXPIRED, fence) : null;
    }

    /**
     * Returns true if the record answers the claim. A finished record answers. A record in progress answers claims with
     * the same payload: a mark is only a wish, and the primary store decides if another payload is a conflict.
     */
    private static boolean answers(Claim claim, RecordSnapshot seen) {
        StoredRecord record = seen.record();
        if (record.status().finished()) {
            // what may be overwritten may be so by now
            return !claim.overwrites() && !record.expired(seen.now());
        }
        boolean running = record.status() == Status.PROCESSING && !record.leaseOver(seen.now());
        // a front gives no lease longer than BUSY: one with more time left was written by another clock, or before this
        // one was set back
        boolean believed = record.times().leaseUntil() - seen.now() <= RecordTransitions.micros(BUSY);
        return running
                && believed
                && MessageDigest.isEqual(record.prints().hash(), claim.print().hash());
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    private static Duration micros(long micros) {
        return Duration.of(micros, ChronoUnit.MICROS);
    }
}
