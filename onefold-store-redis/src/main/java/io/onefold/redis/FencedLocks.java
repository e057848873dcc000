package io.onefold.redis;

import io.onefold.store.RecordId;
import io.onefold.store.RecordSignals;
import io.onefold.store.Store;
import io.onefold.store.StoreException;
import io.onefold.store.UpdateResult;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Locks by name, for all processes that share a store. A lock is an ordinary record whose claim is the hold: it is taken, renewed and
 * released by the same steps, and has an owner, a lease and a fence.
 *
 * <pre>{@code
 * static final FencedRow PAYOUT = FencedRow.of("payouts", "id", "fence");
 *
 * FencedLocks locks = FencedLocks.on(RedisStore.of(redis));
 * locks.run("payout-" + id, held -> {
 *     if (status(id) == PAID) {                     // under the lock, not before it
 *         return null;
 *     }
 *     bank.pay(id);                                 // with the id as the bank's idempotency key
 *     return inTransaction(connection ->            // update payouts set status = 'PAID' … where id = ? and fence < ?
 *             PAYOUT.update(connection, id, held.fence(), ColumnValues.of("status", "PAID")));
 * });
 * }</pre>
 *
 * <b>A lock alone does not make anything happen once.</b> A process that is paused for longer than its lease loses the lock and does
 * not know it. So look at the status under the lock, and have whatever keeps the result refuse a lower fence. Where the section ends
 * without its lock, that is a {@link LockLostException}. An operation does all of this and replays the result; prefer one.
 *
 * <p>A lock is renewed for as long as its section runs, every third of the lease. Who crashes holds it until the lease ends; then it is
 * free, and not reported as stuck. Locks are not reentrant: a thread that asks for what it holds gets an {@link IllegalStateException}. They are not fair either. Any store will do but the
 * front of another; a Redis that fails over may lose a hold, and then, too, only the fence protects (see {@link HeldLock#fence}).
 */
public final class FencedLocks implements AutoCloseable {
    /** How long a lock is held without a sign of life, unless told otherwise. */
    public static final Duration LEASE = Duration.ofSeconds(30);

    private static final Logger LOG = LoggerFactory.getLogger(FencedLocks.class);
    private static final Duration FIRST_PAUSE = Duration.ofMillis(25);

    private final Store store;
    private final Duration lease;
    private final Duration pause;
    private final LongSupplier nanos;
    private final LockRenewals renewals;

    FencedLocks(Store store, Duration lease, Duration pause, LongSupplier nanos) {
        var unused = NameCheck.millis("lease", lease);
        this.store = store;
        this.lease = lease;
        this.pause = pause;
        this.nanos = nanos;
        this.renewals = new LockRenewals(store, lease, nanos);
    }

    public static FencedLocks on(Store store) {
        return on(store, LEASE);
    }

    /**
     * With another lease: shorter frees the locks of who crashed sooner; longer bears longer pauses and outages.
     */
    public static FencedLocks on(Store store, Duration lease) {
        return new FencedLocks(store, lease, FIRST_PAUSE, System::nanoTime);
    }

    /** Runs a section under a lock, waiting for it up to two leases: long enough for one who has crashed. */
    public <T, X extends Exception> @Nullable T run(String name, LockedSection<T, X> section) throws X {
        return run(name, lease.multipliedBy(2), section);
    }

    /**
     * Runs a section under a lock.
     *
     * @throws LockNotAcquiredException if another held it for all that time; an interrupt ends the waiting, too
     * @throws LockLostException if the lock was lost before the section had ended
     * @throws StoreException if the store could not be asked; the lock may stay taken for a lease
     */
    public <T, X extends Exception> @Nullable T run(String name, Duration atMost, LockedSection<T, X> section)
            throws X {
        if (tryRun(name, atMost, section) instanceof LockResult.SectionRan<T> ran) {
            return ran.value();
        }
        throw new LockNotAcquiredException(name, atMost);
    }

    /** Runs a section if the lock is free. */
    public <T, X extends Exception> LockResult<T> tryRun(String name, LockedSection<T, X> section) throws X {
        return tryRun(name, Duration.ZERO, section);
    }

    /** As {@link #run(String, Duration, LockedSection)}, but that the lock is taken is a value. */
    public <T, X extends Exception> LockResult<T> tryRun(String name, Duration atMost, LockedSection<T, X> section)
            throws X {
        RecordId id = id(name);
        requireOpen();
        if (renewals.isHeldHere(id)) {
            throw new IllegalStateException(
                    "lock " + name + " is held by this thread already, and locks are not reentrant");
        }
        try (LockAcquisition wish = new LockAcquisition(store, id, lease, nanos)) {
            LockLease holding = wish.await(atMost, pause, renewals::isClosed);
            if (holding == null) {
                requireOpen();
                return new LockResult.NotAcquired<>(wish.free());
            }
            if (!renewals.begin(holding)) {
                end(holding, null);
                requireOpen();
            }
            return new LockResult.SectionRan<>(inside(holding, section));
        }
    }

    private <T, X extends Exception> @Nullable T inside(LockLease holding, LockedSection<T, X> section) throws X {
        T value;
        try {
            value = section.run(holding);
        } catch (Throwable thrown) {
            try {
                end(holding, null);
            } catch (LockLostException lost) {
                thrown.addSuppressed(lost);
            }
            throw thrown;
        }
        end(holding, value);
        return value;
    }

    /** An interrupted thread still has to release: a driver may refuse to talk on one. */
    private void end(LockLease holding, @Nullable Object value) {
        boolean interrupted = Thread.interrupted();
        try {
            renewals.end(holding);
            release(holding, value);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** That it could be released shows that nobody took it meanwhile, even if the lease was over. */
    private void release(LockLease holding, @Nullable Object value) {
        try {
            if (store.update(holding.ticket, LockLease.RELEASE) == UpdateResult.LOST) {
                throw new LockLostException(holding, value, null);
            }
        } catch (StoreException e) {
            if (!holding.stillMine()) {
                throw new LockLostException(holding, value, e);
            }
            LOG.warn("lock {} could not be released; it is free when its lease ends", holding.name(), e);
        }
        publish(holding.ticket.id());
    }

    private void publish(RecordId id) {
        RecordSignals signals = store.signals();
        try {
            if (signals != null) {
                signals.publish(id);
            }
        } catch (RuntimeException e) {
            LOG.debug("no signal for {}; others will look", id, e);
        }
    }

    static RecordId id(String name) {
        return RecordId.hold("lock", NameCheck.required("lock", name));
    }

    private void requireOpen() {
        if (renewals.isClosed()) {
            throw new IllegalStateException("these locks are closed");
        }
    }

    /** Refuses new calls; sections under way keep their locks to their end. */
    @Override
    public void close() {
        renewals.close();
    }
}
