package io.onefold.server.gateway;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Checks that a body which is passed on arrives fast enough. Each byte restarts an idle timeout, and a limit on the
 * whole time would limit the length. Only the time spent waiting for the client counts, so a slow service does not make
 * a client look slow.
 */
final class BodyRateCheck {
    private final long graceNanos;
    private final double bytesPerNano;
    private final LongSupplier clock;
    private boolean waits;
    private long since;
    private long waited;
    private long bytes;

    /**
     * @param grace the time before the rate applies
     * @param rate in bytes for each second; 0 for any
     * @param clock in nanoseconds
     */
    BodyRateCheck(Duration grace, int rate, LongSupplier clock) {
        this.graceNanos = grace.toNanos();
        this.bytesPerNano = rate / 1e9;
        this.clock = clock;
    }

    /** Notes that there is nothing to read, and the client must send more. */
    synchronized void waits() {
        if (!waits) {
            waits = true;
            since = clock.getAsLong();
        }
    }

    /** Returns true if the client is too slow; to be called with each piece that arrives. */
    synchronized boolean isTooSlow(int more) {
        if (waits) {
            waits = false;
            waited += clock.getAsLong() - since;
        }
        bytes += more;
        return waited > graceNanos && bytes < bytesPerNano * waited;
    }
}
