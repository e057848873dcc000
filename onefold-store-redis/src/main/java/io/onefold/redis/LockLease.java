package io.onefold.redis;

import io.onefold.store.Change;
import io.onefold.store.RetentionPeriod;
import io.onefold.store.Ticket;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * A hold on a lock as far as its owner can know: until a deadline by the monotonic clock, counted from before the claim or renewal was
 * sent, so that it ends no later than the store thinks.
 */
final class LockLease implements HeldLock {
    /** What is free remembers its fence for a day; later ones begin with the time, which is higher still. */
    static final Change RELEASE = new Change.Release(RetentionPeriod.of(Duration.ofDays(1)));

    final Ticket ticket;
    final Thread thread = Thread.currentThread();
    private final long lease;
    private final LongSupplier nanos;
    private volatile long deadline;
    private volatile boolean lost;

    LockLease(Ticket ticket, Duration lease, LongSupplier nanos, long asked) {
        this.ticket = ticket;
        this.lease = lease.toNanos();
        this.nanos = nanos;
        renewed(asked);
    }

    /** The store confirmed the hold to a question asked at that time. */
    void renewed(long asked) {
        deadline = asked + lease;
    }

    void lose() {
        lost = true;
    }

    @Override
    public String name() {
        return ticket.id().key();
    }

    @Override
    public long fence() {
        return ticket.fence();
    }

    @Override
    public boolean stillMine() {
        return !lost && nanos.getAsLong() - deadline < 0;
    }
}
