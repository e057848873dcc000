package io.onefold;

import io.onefold.store.RecordId;

/** What the work may know of the attempt that it is. */
public final class Attempt {
    private final Lease lease;
    private final int number;
    private final Timer timer;

    Attempt(Lease lease, int number, Timer timer) {
        this.lease = lease;
        this.number = number;
        this.timer = timer;
    }

    /** 1 for the first attempt at this request. */
    public int number() {
        return number;
    }

    /** Higher than that of every earlier attempt: a resource that compares it can refuse one that was overtaken. */
    public long fence() {
        return lease.ticket.fence();
    }

    /**
     * A key for a call to somebody else, the same in every attempt: they recognise the repetition. It is derived from scope,
     * operation and key, and shows none of them.
     */
    public String childKey(String name) {
        return lease.ticket.id().child(name);
    }

    /** Whether this attempt may have lost its claim: it should stop before its next step, for another may begin. */
    public boolean leaseLost() {
        return lease.lost(timer.nanos());
    }

    /** Calls back once when the lease is lost, at once if it is already. The callback must be quick. */
    public void onLeaseLost(Runnable callback) {
        lease.onLost(callback);
    }

    /** To be thrown when it is certain that nothing happened: the same request may be tried again. */
    public NotExecutedException notExecuted(String why) {
        return new NotExecutedException(why, null);
    }

    /** To be thrown when it is certain that nothing happened: the same request may be tried again. */
    public NotExecutedException notExecuted(String why, Throwable cause) {
        return new NotExecutedException(why, cause);
    }

    /** The record's safe form, fit for logs. */
    public String safeKey() {
        return id().safe();
    }

    RecordId id() {
        return lease.ticket.id();
    }
}
