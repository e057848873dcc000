package io.onefold.store;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The truth's epoch as far as it is known. A truth that fails over or is restored while nodes run has another one afterwards, and they
 * have to know before they trust the front again. So a reading holds for a second, and not beyond a failure of the truth. One caller
 * at a time reads it anew, a little ahead of time. While no reading holds, the others wait until that caller has been away for a
 * moment, since all of them at the truth would cost more; after that moment they go without, and so does whoever comes later: a truth
 * that is slow must not be made slower by callers that are held up. If nothing is heard of the reader for long, another one reads.
 */
final class EpochReader {
    private static final Logger LOG = LoggerFactory.getLogger(EpochReader.class);

    /** No database fails over, or is restored, and is up again within that time; and whoever was connected sees it fail. */
    private static final Duration HOLDS = Duration.ofSeconds(1);

    private static final Duration AHEAD = HOLDS.dividedBy(2);

    /** Some times what a reading takes when the truth is well. */
    static final Duration PATIENCE = Duration.ofMillis(100);

    /** A pool that has nothing to give says so within this time, by default. */
    static final Duration LOST = Duration.ofSeconds(30);

    private final Supplier<String> truth;
    private final LongSupplier nanos;
    private final Duration patience;
    private final AtomicLong doubts = new AtomicLong();
    private final LongAdder changes = new LongAdder();
    private volatile @Nullable String latest;
    private volatile EpochValue last;
    private volatile @Nullable PendingEpochRead reader;
    private boolean failing;

    /**
     * @param patience how long a reader is waited for
     */
    EpochReader(Supplier<String> truth, LongSupplier nanos, Duration patience) {
        this.truth = truth;
        this.nanos = nanos;
        this.patience = patience;
        PendingEpochRead first = new PendingEpochRead(nanos.getAsLong(), 0);
        this.last = new EpochValue(null, first.began, 0);
        this.reader = first;
        read(first);
    }

    /** The epoch, if it is known for certain; null while it is not. May ask the truth. */
    @Nullable
    String current() {
        EpochValue met = last;
        if (!due(met)) {
            return met.epoch;
        }
        PendingEpochRead own = begun();
        PendingEpochRead other = reader;
        if (own != null) {
            read(own);
        } else if (other != null && !holds(met)) {
            await(other);
        }
        EpochValue now = last;
        return holds(now) ? now.epoch : null;
    }

    /** The caller's leave to read, unless another reads or has just read. */
    private synchronized @Nullable PendingEpochRead begun() {
        long now = nanos.getAsLong();
        boolean another = reader != null && now - reader.began < LOST.toNanos();
        if (another || !due(last)) {
            return null;
        }
        PendingEpochRead own = new PendingEpochRead(now, doubts.get());
        reader = own;
        return own;
    }

    private void await(PendingEpochRead other) {
        long left = patience.toNanos() - (nanos.getAsLong() - other.began);
        try {
            if (left > 0) {
                other.done.await(left, TimeUnit.NANOSECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void read(PendingEpochRead own) {
        try {
            String epoch = truth.get();
            told(own, new EpochValue(epoch, own.began, own.doubts), null);
        } catch (RuntimeException e) {
            told(own, new EpochValue(null, nanos.getAsLong(), own.doubts), e);
        } finally {
            gone(own);
        }
    }

    /** Takes over the reading of a reader. A reading from a reader that was given up is ignored. */
    private synchronized void told(PendingEpochRead own, EpochValue reading, @Nullable RuntimeException failure) {
        if (reader != own) {
            return;
        }
        last = reading;
        if (reading.epoch != null) {
            if (latest != null && !reading.epoch.equals(latest)) {
                changes.increment();
                LOG.warn("the truth has begun a new epoch: from now on all that the front knew is ignored");
            }
            latest = reading.epoch;
        }
        if (failing && failure == null) {
            LOG.info("the epoch can be read again");
        } else if (!failing && failure != null) {
            LOG.warn("the epoch cannot be read; the truth alone is asked until it can", failure);
        }
        failing = failure != null;
    }

    private synchronized void gone(PendingEpochRead own) {
        reader = reader == own ? null : reader;
        own.done.countDown();
    }

    private boolean due(EpochValue reading) {
        return age(reading) >= AHEAD.toNanos() || doubted(reading);
    }

    private boolean holds(EpochValue reading) {
        return age(reading) < HOLDS.toNanos() && !doubted(reading);
    }

    private long age(EpochValue reading) {
        return nanos.getAsLong() - reading.at;
    }

    /** A reading that failed cannot be doubted: it would be repeated with each call for as long as the truth is down. */
    private boolean doubted(EpochValue reading) {
        return reading.epoch != null && reading.doubts != doubts.get();
    }

    /** The truth has failed: what comes back may be another. */
    void doubt() {
        doubts.incrementAndGet();
    }

    /** The last epoch that was read, however long ago; for what is only a hint. */
    @Nullable
    String latest() {
        return latest;
    }

    boolean isKnown() {
        return last.epoch != null;
    }

    /** Returns how often the epoch has changed. */
    long changes() {
        return changes.sum();
    }

    /**
     * The epoch that the primary store has reported.
     *
     * @param epoch null if it could not be read
     * @param at when it was asked; when it failed, if it did
     * @param doubts how many there had been by then
     */
    private record EpochValue(@Nullable String epoch, long at, long doubts) {}

    /** A read that is in progress: its start, and how many doubts there had been by then. */
    private static final class PendingEpochRead {
        final long began;
        final long doubts;
        final CountDownLatch done = new CountDownLatch(1);

        PendingEpochRead(long began, long doubts) {
            this.began = began;
            this.doubts = doubts;
        }
    }
}
