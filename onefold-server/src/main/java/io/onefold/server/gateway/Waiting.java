package io.onefold.server.gateway;

import java.util.concurrent.atomic.AtomicBoolean;

/** A request that is being claimed, or waits for another of its kind. It is over once, by whatever comes first. */
final class Waiting {
    private final Metrics metrics;
    private final AtomicBoolean over = new AtomicBoolean();

    Waiting(Metrics metrics) {
        this.metrics = metrics;
    }

    void over() {
        if (over.compareAndSet(false, true)) {
            metrics.waitsNoLonger();
        }
    }
}
