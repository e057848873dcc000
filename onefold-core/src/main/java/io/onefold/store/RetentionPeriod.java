package io.onefold.store;

import java.time.Duration;

/**
 * The time for which a finished record answers duplicates, counted from its completion, and the time after that for
 * which its tombstone still rejects them.
 */
public record RetentionPeriod(Duration duration, Duration tombstone) {
    public RetentionPeriod {
        if (duration.isNegative() || duration.isZero()) {
            throw new IllegalArgumentException("keep must be positive, not " + duration);
        }
        if (tombstone.isNegative()) {
            throw new IllegalArgumentException("tombstone must not be negative: " + tombstone);
        }
    }

    public static RetentionPeriod of(Duration duration) {
        return new RetentionPeriod(duration, Duration.ZERO);
    }
}
