package io.onefold.server.gateway;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Whether a body that passes comes fast enough. An idle timeout is begun anew by each byte, and a limit to the whole would be one to its
 * length. What counts is the time that was spent waiting for the client: a service that takes its time slows no client down.
 */
final class Pace {
    private final long graceNanos;
    private final double bytesPerNano;
    private final LongSupplier clock;
    private boolean waits;
    private long since;
    private long waited;
    private long bytes;

    /**
     * @param grace how long there is no rate yet
     * @param rate in bytes for each second; 0 for any
     * @param clock in nanoseconds
     */
    Pace(Duration grace, int rate, LongSupplier clock) {
        this.graceNanos = grace.toNanos();
        this.bytesPerNano = rate / 1e9;
        this.clock = clock;
    }

    /** There is nothing to read, and the client is to send more. */
    synchronized void waits() {
        if (!waits) {
            waits = true;
            since = clock.getAsLong();
        }
    }

    /** To be called with each piece that has come. */
    synchronized boolean isTooSlow(int more) {
        if (waits) {
            waits = false;
            waited += clock.getAsLong() - since;
        }
        bytes += more;
        return waited > graceNanos && bytes < bytesPerNano * waited;
    }
}
