package io.onefold.server.gateway;

import java.util.concurrent.atomic.AtomicBoolean;

/** A request that is being claimed, or waits for another with the same key. It ends once, by the first event. */
final class WaitingRequest {
    private final GatewayMetrics metrics;
    private final AtomicBoolean over = new AtomicBoolean();

    WaitingRequest(GatewayMetrics metrics) {
        this.metrics = metrics;
    }

    void over() {
        if (over.compareAndSet(false, true)) {
            metrics.waitsNoLonger();
        }
    }
}
