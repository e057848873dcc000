package io.onefold.spring.boot;

import java.time.Duration;

/** Refuses values of properties, by the names that their users know. */
final class Limits {
    private Limits() {}

    static void atLeast(String property, int least, int value) {
        if (value < least) {
            throw new IllegalArgumentException(property + " must be at least " + least + ", not " + value);
        }
    }

    static void atLeast(String property, Duration least, Duration value) {
        if (value.compareTo(least) < 0) {
            throw new IllegalArgumentException(property + " must be at least " + least + ", not " + value);
        }
    }
}
