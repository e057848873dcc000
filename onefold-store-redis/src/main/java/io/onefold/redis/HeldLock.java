package io.onefold.redis;

/** A lock in the hands of a {@link LockedSection}. */
public interface HeldLock {

    String name();

    /**
     * The fence of this hold: higher than those of all earlier holds that the store knows. A Redis that lost a hold in a failover takes its clock
     * instead, which must not be behind the former master's by more time than the failover took. Write the fence with what the section changes, and
     * change only what has a lower one: that keeps out an earlier holder who has lost the lock and does not know it yet.
     */
    long fence();

    /**
     * Whether the lock is this section's still, as far as that can be known here: false once the lease is over by this machine's clock, or
     * Redis has said that another holds it. A process may be paused between this answer and what it does next, so it spares
     * work and protects nothing.
     */
    boolean stillMine();
}
