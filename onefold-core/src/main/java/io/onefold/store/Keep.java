package io.onefold.store;

import java.time.Duration;

/**
 * How long a finished record answers duplicates, counted from its completion, and how long after that its tombstone still
 * refuses them.
 */
public record Keep(Duration duration, Duration tombstone) {
    public Keep {
        if (duration.isNegative() || duration.isZero()) {
            throw new IllegalArgumentException("keep must be positive, not " + duration);
        }
        if (tombstone.isNegative()) {
            throw new IllegalArgumentException("tombstone must not be negative: " + tombstone);
        }
    }

    public static Keep of(Duration duration) {
        return new Keep(duration, Duration.ZERO);
    }
}
