package io.onefold;

import java.time.Duration;

/** Monotonic time and things to do later: the engine has no other clock and makes no other threads. */
public interface Timer {

    /** Monotonic nanoseconds, from an arbitrary origin. */
    long nanos();

    /** Runs the task once, not before the delay is over. Renewing leases calls the store on this timer's thread. */
    Cancellable after(Duration delay, Runnable task);

    /** A task that may no longer be wanted. */
    @FunctionalInterface
    interface Cancellable {
        void cancel();
    }

    /** On a daemon thread of its own. */
    static Timer system(String threadName) {
        return new SystemTimer(threadName);
    }
}
