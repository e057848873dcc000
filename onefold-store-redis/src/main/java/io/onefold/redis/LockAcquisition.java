package io.onefold.redis;

import io.onefold.store.Claim;
import io.onefold.store.ClaimResult;
import io.onefold.store.RecordId;
import io.onefold.store.RecordSignals;
import io.onefold.store.RecordSnapshot;
import io.onefold.store.Store;
import io.onefold.store.StoreException;
import io.onefold.store.Takeover.TakeoverReason;
import io.onefold.store.Ticket;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One caller's wish for a lock: claims it, and waits for it to become free. Who waits looks now and then, at the end of the holder's
 * lease, and whenever the store signals that the record has changed.
 */
final class LockAcquisition implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LockAcquisition.class);
    private static final long LONGEST_PAUSE = Duration.ofSeconds(1).toNanos();

    private final Store store;
    private final Claim claim;
    private final LongSupplier nanos;
    private final Semaphore woken = new Semaphore(0);
    private RecordSignals.@Nullable Subscription subscription;
    private long subscribedTo;
    private @Nullable Long unanswered;
    private @Nullable RecordSnapshot inTheWay;

    LockAcquisition(Store store, RecordId id, Duration lease, LongSupplier nanos) {
        this.store = store;
        this.claim = Claim.of(id, UUID.randomUUID(), lease).overwriting();
        this.nanos = nanos;
    }

    /**
     * The hold; null if there was none to be had in time, or the thread was interrupted.
     *
     * @param pause how long to wait before the second look, doubling from then on
     * @param over whether to give up
     */
    @Nullable
    LockLease await(Duration atMost, Duration pause, BooleanSupplier over) {
        long end = nanos.getAsLong() + atMost.toNanos();
        long next = pause.toNanos();
        while (true) {
            StoreException failure = null;
            try {
                LockLease holding = take();
                if (holding != null) {
                    return holding;
                }
            } catch (StoreException e) {
                failure = e;
            }
            long left = end - nanos.getAsLong();
            boolean isLast = left <= 0 || over.getAsBoolean();
            if (isLast || (!listens() && !sleep(Math.min(left, next)))) {
                if (failure != null) {
                    throw failure;
                }
                return null;
            }
            next = Math.max(next, Math.min(2 * next, LONGEST_PAUSE));
        }
    }

    /** When the lock will be free, if its owner has crashed. */
    Duration free() {
        return Duration.ofNanos(1_000 * leaseLeft());
    }

    private @Nullable LockLease take() {
        // a claim whose answer was lost may have begun a lease, and this one would find itself in it
        long asked = unanswered == null ? nanos.getAsLong() : unanswered;
        unanswered = asked;
        ClaimResult claimed = store.claim(claim);
        if (claimed instanceof RecordSnapshot seen) {
            TakeoverReason grounds = grounds(seen);
            if (grounds != null) {
                claimed = store.claim(claim.replacing(grounds, seen.record(), List.of()));
            }
        }
        unanswered = null;
        if (claimed instanceof RecordSnapshot seen) {
            inTheWay = seen;
            return null;
        }
        Ticket ticket = new Ticket(claim.id(), claim.owner(), ((ClaimResult.Acquired) claimed).fence());
        LockLease holding = new LockLease(ticket, claim.lease(), nanos, asked);
        if (!holding.stillMine()) {
            // the answer took longer than the lease
            var unused = store.update(ticket, LockLease.RELEASE);
            return null;
        }
        return holding;
    }

    /** What a person or the upkeep has settled, nobody holds. */
    private static @Nullable TakeoverReason grounds(RecordSnapshot seen) {
        return switch (seen.record().status()) {
            case FREE -> TakeoverReason.FREE;
            case PROCESSING -> seen.record().leaseOver(seen.now()) ? TakeoverReason.LEASE_OVER : null;
            case UNKNOWN -> TakeoverReason.UNKNOWN;
            case SUCCESS, FAILED -> seen.record().gone(seen.now()) ? TakeoverReason.EXPIRED : TakeoverReason.OVERWRITE;
        };
    }

    /** Whether it has just begun to listen, so that it must look again. Each new holder is a new record to listen to. */
    private boolean listens() {
        RecordSignals signals = store.signals();
        if (signals == null || inTheWay == null || inTheWay.record().fence() == subscribedTo) {
            return false;
        }
        close();
        subscribedTo = inTheWay.record().fence();
        try {
            subscription = signals.subscribe(claim.id(), woken::release);
            return true;
        } catch (RuntimeException e) {
            LOG.debug("no signals for {}; looking now and then", claim.id(), e);
            return false;
        }
    }

    /** Whether it slept undisturbed; an interrupt ends the waiting. */
    private boolean sleep(long longest) {
        long lease = 1_000 * leaseLeft();
        try {
            if (woken.tryAcquire(lease > 0 ? Math.min(lease, longest) : longest, TimeUnit.NANOSECONDS)) {
                woken.drainPermits();
            }
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Microseconds, as of when it was seen. */
    private long leaseLeft() {
        return inTheWay == null ? 0 : Math.max(0, inTheWay.record().times().leaseUntil() - inTheWay.now());
    }

    @Override
    public void close() {
        if (subscription != null) {
            subscription.close();
            subscription = null;
        }
    }
}
