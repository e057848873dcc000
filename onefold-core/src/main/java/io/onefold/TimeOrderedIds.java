package io.onefold;

import java.security.SecureRandom;
import java.util.UUID;
import java.util.function.LongSupplier;

/**
 * Unique ids that sort by the time they were made, for keys of requests and of rows: UUIDs of version 7 (RFC 9562). Whoever makes one
 * makes it before the first try and sends the same one with every retry.
 *
 * <p>The first 48 bits are the time in milliseconds, 74 are random. Within a process each id is greater than the one before: in the
 * same millisecond, and while the clock is behind an earlier one, the random part grows by a random step instead. Should it run over,
 * the time is carried on by one. Between processes the order is that of their clocks.
 *
 * <p>They are hard to guess, but no secrets: an id tells when it was made, and neighbours of the same millisecond are within 2^32.
 */
public final class TimeOrderedIds {
    private static final int HIGH_BITS = 12;
    private static final int LOW_BITS = 62;
    private static final long VERSION = 0x7000L;
    private static final long VARIANT = 1L << 63;

    private static final TimeOrderedIds PROCESS =
            new TimeOrderedIds(System::currentTimeMillis, new SecureRandom()::nextLong);

    private final LongSupplier millis;
    private final LongSupplier random;
    private long time = -1;
    private long high;
    private long low;

    TimeOrderedIds(LongSupplier millis, LongSupplier random) {
        this.millis = millis;
        this.random = random;
    }

    /** A new id, greater than all that this process was given before. */
    public static UUID next() {
        return PROCESS.make();
    }

    synchronized UUID make() {
        long now = millis.getAsLong();
        if (now > time) {
            time = now;
            high = random.getAsLong() >>> (Long.SIZE - HIGH_BITS);
            low = random.getAsLong() >>> (Long.SIZE - LOW_BITS);
        } else {
            step(1 + (random.getAsLong() >>> Integer.SIZE));
        }
        return new UUID(time << 16 | VERSION | high, VARIANT | low);
    }

    private void step(long by) {
        low += by;
        high += low >>> LOW_BITS;
        low &= (1L << LOW_BITS) - 1;
        time += high >>> HIGH_BITS;
        high &= (1L << HIGH_BITS) - 1;
    }
}
