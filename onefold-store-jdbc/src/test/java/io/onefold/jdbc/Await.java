package io.onefold.jdbc;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;

/** Waits for a condition, never for a time. */
final class Await {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private Await() {}

    static void until(String what, Callable<Boolean> condition) throws Exception {
        Boolean unused = value(what, condition, met -> met);
    }

    /** The first value that will do. */
    static <T> T value(String what, Callable<T> source, Predicate<? super T> enough) throws Exception {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            T value = source.call();
            if (enough.test(value)) {
                return value;
            }
            if (System.nanoTime() - deadline > 0) {
                throw new AssertionError("waited in vain until " + what + "; last seen: " + value);
            }
            LockSupport.parkNanos(5_000_000);
        }
    }
}
