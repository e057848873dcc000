package io.onefold.spring;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The memory of this process about a message that has failed or is not settled. */
final class MessageFailures {
    private static final long LOG_EVERY_NANOS = TimeUnit.MINUTES.toNanos(1);
    private static final int MAX_TEXT = 1_000;

    /** Kept as text: thousands of stack traces would not fit in memory. */
    private @Nullable MessageFailure failure;

    private long unknownSince;
    private boolean unknown;
    private long lostSince;
    private int lost;
    private long loggedAt;
    private boolean logged;

    /** Notes that the method has run and thrown. The time with an unknown outcome counts from this run on. */
    synchronized void failed(Throwable thrown) {
        failure = MessageFailure.of(thrown);
        unknown = false;
    }

    synchronized @Nullable MessageFailure failure() {
        return failure;
    }

    /** The time for which the outcome has been unknown. */
    synchronized Duration unknown() {
        long now = System.nanoTime();
        if (!unknown) {
            unknown = true;
            unknownSince = now;
        }
        return Duration.ofNanos(now - unknownSince);
    }

    synchronized void isNotUnknown() {
        unknown = false;
    }

    /** Returns the number of times that its transaction was lost, including this time. */
    synchronized int lost(Throwable why) {
        failure = MessageFailure.of(why);
        lostSince = lost == 0 ? System.nanoTime() : lostSince;
        return ++lost;
    }

    /** The time since its first lost transaction. */
    synchronized Duration lost() {
        return Duration.ofNanos(System.nanoTime() - lostSince);
    }

    /** Returns true if it is time for another line in the log. */
    synchronized boolean isLoggable() {
        long now = System.nanoTime();
        if (logged && now - loggedAt < LOG_EVERY_NANOS) {
            return false;
        }
        logged = true;
        loggedAt = now;
        return true;
    }

    /** The exception of a method. */
    record MessageFailure(String type, String text) {
        static MessageFailure of(Throwable thrown) {
            String text = String.valueOf(thrown.getMessage());
            return new MessageFailure(
                    thrown.getClass().getName(), text.substring(0, Math.min(text.length(), MAX_TEXT)));
        }
    }
}
