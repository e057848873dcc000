package io.onefold.redis;

/** A lock in the hands of a {@link Section}. */
public interface Held {

    String name();

    /**
     * Higher than those of all who held this lock before, as far as the store knows them. A Redis that lost a hold in a failover takes its clock
     * instead, which must not be behind the former master's by more than the failover took. Write it with what the section changes, and change only what has a lower one:
     * that keeps out who lost the lock and does not know it yet.
     */
    long fence();

    /**
     * Whether the lock is this section's still, as far as that can be known here: false once the lease is over by this machine's clock, or
     * Redis has said that another holds it. A process may be paused between this answer and what it does next, so it spares
     * work and protects nothing.
     */
    boolean stillMine();
}
