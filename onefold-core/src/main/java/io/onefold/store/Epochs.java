package io.onefold.store;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The truth's epoch as far as it is known. A truth that fails over or is restored while nodes run has another one afterwards, and they
 * have to know before they trust the front again. So a reading holds for a second, and not beyond a failure of the truth. One caller
 * at a time reads it anew, a little ahead of time; while none holds, the others wait for that caller for a moment, since all of them
 * at the truth would cost more, and then go without.
 */
final class Epochs {
    private static final Logger LOG = LoggerFactory.getLogger(Epochs.class);

    /** No database fails over, or is restored, and is up again within that time; and whoever was connected sees it fail. */
    private static final Duration HOLDS = Duration.ofSeconds(1);

    private static final Duration AHEAD = HOLDS.dividedBy(2);

    /** Some times what a reading takes when the truth is well. */
    static final Duration PATIENCE = Duration.ofMillis(100);

    private final Supplier<String> truth;
    private final LongSupplier nanos;
    private final Duration patience;
    private final ReentrantLock reading = new ReentrantLock();
    private final AtomicLong doubts = new AtomicLong();
    private final LongAdder changes = new LongAdder();
    private volatile @Nullable String latest;
    private volatile Reading last;
    private boolean failing;

    /**
     * @param patience how long to wait for another who reads
     */
    Epochs(Supplier<String> truth, LongSupplier nanos, Duration patience) {
        this.truth = truth;
        this.nanos = nanos;
        this.patience = patience;
        this.last = read();
    }

    /** The epoch, if it is known for certain; null while it is not. May ask the truth. */
    @Nullable
    String current() {
        Reading met = last;
        if (!due(met)) {
            return met.epoch;
        }
        boolean holds = holds(met);
        if (!(holds ? reading.tryLock() : waited())) {
            return holds ? met.epoch : null;
        }
        try {
            // one who had the lock before may have read it by now
            if (due(last)) {
                last = read();
            }
            return holds(last) ? last.epoch : null;
        } finally {
            reading.unlock();
        }
    }

    private boolean waited() {
        try {
            return reading.tryLock(patience.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private Reading read() {
        long asked = nanos.getAsLong();
        long doubtsBefore = doubts.get();
        try {
            String epoch = truth.get();
            if (latest != null && !epoch.equals(latest)) {
                changes.increment();
                LOG.warn("the truth has begun a new epoch: from now on all that the front knew is ignored");
            }
            latest = epoch;
            if (failing) {
                failing = false;
                LOG.info("the epoch can be read again");
            }
            return new Reading(epoch, asked, doubtsBefore);
        } catch (RuntimeException e) {
            if (!failing) {
                failing = true;
                LOG.warn("the epoch cannot be read; the truth alone is asked until it can", e);
            }
            return new Reading(null, nanos.getAsLong(), doubtsBefore);
        }
    }

    private boolean due(Reading reading) {
        return age(reading) >= AHEAD.toNanos() || doubted(reading);
    }

    private boolean holds(Reading reading) {
        return age(reading) < HOLDS.toNanos() && !doubted(reading);
    }

    private long age(Reading reading) {
        return nanos.getAsLong() - reading.at;
    }

    /** A reading that failed cannot be doubted: it would be repeated with each call for as long as the truth is down. */
    private boolean doubted(Reading reading) {
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

    /** How often it has changed. */
    long changes() {
        return changes.sum();
    }

    /**
     * What the truth has said.
     *
     * @param epoch null if it could not be read
     * @param at when it was asked; when it failed, if it did
     * @param doubts how many there had been by then
     */
    private record Reading(@Nullable String epoch, long at, long doubts) {}
}
