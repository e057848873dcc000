package io.onefold.server.gateway;

import java.util.concurrent.atomic.AtomicBoolean;
import org.eclipse.jetty.util.Callback;

/** The end of a request: it is no longer under way. */
final class Landing implements Callback {
    private final Callback callback;
    private final Flights flights;
    private final Heads.Watched connection;
    private final AtomicBoolean landed = new AtomicBoolean();

    Landing(Callback callback, Flights flights, Heads.Watched connection) {
        this.callback = callback;
        this.flights = flights;
        this.connection = connection;
    }

    @Override
    public void succeeded() {
        if (landed.compareAndSet(false, true)) {
            // before, since the next request of the connection may begin in it
            connection.landed();
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
            // before, since the next request of the connection may begin in it
            connection.landed();
            try {
                callback.failed(failure);
            } finally {
                flights.leave();
            }
        }
    }
}
