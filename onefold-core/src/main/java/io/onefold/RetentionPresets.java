package io.onefold;

import java.time.Duration;

/** Retention periods for common kinds of operations. */
public final class RetentionPresets {
    public static final Duration DEFAULT = Duration.ofHours(24);
    /** A weekend, and who was away for it, may pass before a payment is retried. */
    public static final Duration PAYMENT = Duration.ofDays(3);

    public static final Duration ORDER = Duration.ofHours(24);
    public static final Duration COUPON = Duration.ofDays(7);
    /** Longer than brokers keep what they may deliver again. */
    public static final Duration MESSAGE = Duration.ofDays(30);

    public static final Duration SCHEDULED_JOB = Duration.ofHours(24);
    public static final Duration FORM = Duration.ofMinutes(10);

    private RetentionPresets() {}
}
