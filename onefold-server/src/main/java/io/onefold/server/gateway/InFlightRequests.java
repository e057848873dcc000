package io.onefold.server.gateway;

import java.time.Duration;

/** The requests in progress. A drain lets them end; once none is left, no other is accepted. */
final class InFlightRequests {
    private int flying;
    private volatile boolean draining;
    private boolean closed;

    /** Returns false if the request came too late. */
    synchronized boolean enter() {
        if (closed) {
            return false;
        }
        flying++;
        return true;
    }

    synchronized void leave() {
        flying--;
        if (flying == 0) {
            notifyAll();
        }
    }

    synchronized int flying() {
        return flying;
    }

    /** Closes connections after their next response from now on. */
    void drain() {
        draining = true;
    }

    boolean draining() {
        return draining;
    }

    /**
     * Waits for all requests to end, then accepts none.
     *
     * @return how many were still in progress when the patience was over
     */
    synchronized int close(Duration patience) {
        long deadline = System.nanoTime() + patience.toNanos();
        boolean interrupted = false;
        while (flying > 0 && !interrupted) {
            long left = deadline - System.nanoTime();
            if (left <= 0) {
                break;
            }
            try {
                wait(left / 1_000_000 + 1);
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        closed = true;
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return flying;
    }
}
