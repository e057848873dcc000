package io.onefold.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/** Waits for what must come true soon. */
final class Until {
    private static final Duration DEADLINE = Duration.ofSeconds(60);

    private Until() {}

    static void holds(BooleanSupplier condition) throws InterruptedException {
        long end = System.nanoTime() + DEADLINE.toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("in time").isLessThan(end);
            Thread.sleep(10);
        }
    }
}
