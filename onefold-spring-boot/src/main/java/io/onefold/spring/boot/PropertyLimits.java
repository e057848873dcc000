package io.onefold.spring.boot;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Refuses values of properties, by the names that their users know; null is no value. */
final class PropertyLimits {
    private PropertyLimits() {}

    static void atLeast(String property, int least, @Nullable Integer value) {
        if (value != null && value < least) {
            throw new IllegalArgumentException(property + " must be at least " + least + ", not " + value);
        }
    }

    static void atLeast(String property, Duration least, @Nullable Duration value) {
        if (value != null && value.compareTo(least) < 0) {
            throw new IllegalArgumentException(property + " must be at least " + least + ", not " + value);
        }
    }
}
