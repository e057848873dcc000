package io.onefold;

import io.onefold.store.RecordId;
import io.onefold.store.Ticket;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The information that the work may have about its own attempt. */
public final class Attempt {
    private final Ticket ticket;
    private final @Nullable Lease lease;
    private final int number;
    private final Timer timer;
    private @Nullable Map<String, Integer> asked;
    private volatile boolean over;

    /**
     * @param lease null where there is none to lose: in the transaction of the effect itself
     */
    Attempt(Ticket ticket, @Nullable Lease lease, int number, Timer timer) {
        this.ticket = ticket;
        this.lease = lease;
        this.number = number;
        this.timer = timer;
    }

    /** The name of the operation that this is an attempt at. */
    public String operation() {
        return ticket.id().operation();
    }

    /** 1 for the first attempt at this request. */
    public int number() {
        return number;
    }

    /** Higher than that of every earlier attempt: a resource that compares it can refuse one that was overtaken. */
    public long fence() {
        return ticket.fence();
    }

    /**
     * A key for a call to somebody else, the same in every attempt: they recognise the repetition. It is derived from scope,
     * operation and key, and shows none of them.
     */
    public String childKey(String name) {
        return ticket.id().child(name);
    }

    /**
     * Returns a key like {@link #childKey}, for calls that have no names of their own. Each call returns another key.
     * The first, the second and so on under one name are the same in every attempt. An attempt that makes its calls in
     * another order mixes them up.
     */
    public synchronized String nextChildKey(String name) {
        if (asked == null) {
            asked = new HashMap<>();
        }
        return childKey(name + " #" + asked.merge(name, 1, Integer::sum));
    }

    /**
     * Returns true if this attempt may have lost its claim. It should then stop before its next step, because another
     * attempt may begin.
     */
    public boolean leaseLost() {
        return lease != null && lease.lost(timer.nanos());
    }

    /** Calls back once when the lease is lost, at once if it is already. The callback must be quick. */
    public void onLeaseLost(Runnable callback) {
        if (lease != null) {
            lease.onLost(callback);
        }
    }

    /**
     * Returns true if the work of this attempt has ended. Code that still holds the attempt, on another thread for
     * example, is no longer part of it.
     */
    public boolean isOver() {
        return over;
    }

    /** Returns true if its record is written in the transaction of the effect. */
    boolean isJoined() {
        return lease == null;
    }

    void end() {
        over = true;
    }

    /**
     * Returns an exception to throw when it is certain that nothing happened. The same request may then be tried again.
     */
    public NotExecutedException notExecuted(String why) {
        return new NotExecutedException(why, null);
    }

    /**
     * Returns an exception to throw when it is certain that nothing happened. The same request may then be tried again.
     */
    public NotExecutedException notExecuted(String why, Throwable cause) {
        return new NotExecutedException(why, cause);
    }

    /** The record's safe form, fit for logs. */
    public String safeKey() {
        return id().safe();
    }

    /** Returns true if it is an attempt at this request. */
    public boolean isOf(RecordId id) {
        return ticket.id().equals(id);
    }

    Ticket ticket() {
        return ticket;
    }

    RecordId id() {
        return ticket.id();
    }
}
