package io.onefold.server.gateway;

import java.util.concurrent.atomic.AtomicBoolean;

/** A request that is being claimed, or waits for another with the same key. It ends once, by the first event. */
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
