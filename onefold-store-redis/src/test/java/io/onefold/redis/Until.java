package io.onefold.redis;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for a condition, never for a time. */
final class Until {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private Until() {}

    static void met(String what, BooleanSupplier condition) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - deadline > 0) {
                throw new AssertionError("waited in vain until " + what);
            }
            LockSupport.parkNanos(2_000_000);
        }
    }
}
