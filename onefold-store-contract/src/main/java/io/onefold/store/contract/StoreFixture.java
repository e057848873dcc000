package io.onefold.store.contract;

import io.onefold.store.RecordFilter;
import io.onefold.store.Status;
import io.onefold.store.Store;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * A store under test. Cases keep apart by their keys, so fixtures may share one set of data; no case expects to find it empty, or
 * empties it.
 */
public interface StoreFixture extends AutoCloseable {

    Store store();

    /** Another handle on the same data: a second connection, in another time zone where the store has such a thing. */
    Store reopened();

    /** Returns when at least this much time has passed by the store's clock. Unless it can be moved, the clock is waited for. */
    default void pass(Duration time) {
        long until = now() + time.toNanos() / 1_000;
        // asked again when it should be over: else most of what a store has to do is to tell the time
        for (long left = until - now(); left >= 0; left = until - now()) {
            LockSupport.parkNanos((left + 1) * 1_000);
        }
    }

    /**
     * Sets the store's clock back.
     *
     * @return a handle on the same data that sees the earlier time; other handles may see it as well. A fixture that cannot set a clock
     *     back returns any handle; the cases of clocks then prove less.
     */
    default Store setClockBack(Duration time) {
        return reopened();
    }

    /**
     * Returns true if the store's time moves only by {@link #pass}. Then the limits of time are tested to the
     * microsecond.
     */
    default boolean stopsTime() {
        return false;
    }

    /**
     * Returns true if claims may get their response from a copy. A copy has less of a record than the primary store,
     * and may have a lower fence.
     */
    default boolean answersFromCopies() {
        return false;
    }

    /** Returns true if a record that was kept long enough is gone at once, without a sweep or a claim. */
    default boolean forgetsByItself() {
        return false;
    }

    /** Returns the size in bytes of a payload that the store always rejects; 0 if it takes all that a test can have. */
    default int refusedBytes() {
        return 0;
    }

    /** The store's clock, UTC microseconds. */
    default long now() {
        return store().list(RecordFilter.of(Status.FREE).operation("nobody's"), null, 1)
                .now();
    }

    @Override
    void close();
}
