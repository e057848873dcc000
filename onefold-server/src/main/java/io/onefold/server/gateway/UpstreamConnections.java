package io.onefold.server.gateway;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.eclipse.jetty.client.Connection;
import org.eclipse.jetty.client.Destination;
import org.eclipse.jetty.client.MultiplexConnectionPool;
import org.eclipse.jetty.util.IO;

/**
 * The connections to the service, kept for the next request. A connection that was idle for a while is not used again:
 * the service may be closing it, and would lose the request. The age is checked when a connection is taken, since a
 * timer for each returned connection would cost every request a wake-up.
 */
final class UpstreamConnections extends MultiplexConnectionPool {
    /** Shorter than the time for which services usually keep an idle connection open; the shortest is two seconds. */
    private static final long FRESH_NANOS = Duration.ofSeconds(1).toNanos();

    private final LongSupplier nanos;
    private final Map<Connection, Long> unusedSince = new ConcurrentHashMap<>();

    /**
     * @param nanos a monotonic clock
     */
    UpstreamConnections(Destination destination, LongSupplier nanos) {
        super(destination, destination.getHttpClient().getMaxConnectionsPerDestination(), 1);
        this.nanos = nanos;
    }

    @Override
    protected void onCreated(Connection connection) {
        unusedSince.put(connection, nanos.getAsLong());
    }

    @Override
    public boolean release(Connection connection) {
        // before another request may take it
        unusedSince.computeIfPresent(connection, (same, before) -> nanos.getAsLong());
        return super.release(connection);
    }

    @Override
    protected Connection activate() {
        Connection connection = super.activate();
        while (connection != null && stale(connection)) {
            if (remove(connection)) {
                IO.close(connection);
            }
            connection = super.activate();
        }
        return connection;
    }

    private boolean stale(Connection connection) {
        Long since = unusedSince.get(connection);
        return since != null && nanos.getAsLong() - since > FRESH_NANOS;
    }

    @Override
    protected void onRemoved(Connection connection) {
        unusedSince.remove(connection);
    }
}
