package io.onefold.server.gateway;

import java.util.concurrent.atomic.AtomicBoolean;
import org.eclipse.jetty.util.Callback;

/** The end of a request: it is no longer under way. */
final class Landing implements Callback {
    private final Callback callback;
    private final Flights flights;
    private final AtomicBoolean landed = new AtomicBoolean();

    Landing(Callback callback, Flights flights) {
        this.callback = callback;
        this.flights = flights;
    }

    @Override
    public void succeeded() {
        if (landed.compareAndSet(false, true)) {
            try {
                callback.succeeded();
            } finally {
                flights.leave();
            }
        }
    }

    @Override
    public void failed(Throwable failure) {
        if (landed.compareAndSet(false, true)) {
            try {
                callback.failed(failure);
            } finally {
                flights.leave();
            }
        }
    }
}
