package io.onefold.server.gateway;

import java.time.Duration;

/** The requests under way. A drain lets them end; once none is left, no other is let in. */
final class Flights {
    private int flying;
    private volatile boolean draining;
    private boolean closed;

    /** Returns false if it came too late. */
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

    /** From now on, connections are to be closed after their next answer. */
    void drain() {
        draining = true;
    }

    boolean draining() {
        return draining;
    }

    /**
     * Waits for all to end, then lets nobody in.
     *
     * @return how many were still under way when the patience was over
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
