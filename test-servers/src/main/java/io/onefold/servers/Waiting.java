package io.onefold.servers;

import java.time.Duration;
import java.util.function.BooleanSupplier;

final class Waiting {
    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final long PAUSE_MILLIS = 20;

    private Waiting() {}

    static void until(String what, BooleanSupplier condition) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - deadline > 0) {
                throw new IllegalStateException("waited " + PATIENCE.toSeconds() + " s in vain until " + what);
            }
            try {
                Thread.sleep(PAUSE_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted while waiting until " + what, e);
            }
        }
    }
}
