package io.onefold.server.gateway;

import java.io.IOException;
import java.net.StandardSocketOptions;
import java.util.concurrent.atomic.AtomicBoolean;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.io.SocketChannelEndPoint;
import org.eclipse.jetty.server.ConnectionMetaData;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The end of a request, after which it is no longer in progress. */
final class CompletionCallback implements Callback {
    private static final Logger LOG = LoggerFactory.getLogger(CompletionCallback.class);

    private final Callback callback;
    private final Response response;
    private final InFlightRequests flights;
    private final SlowHeaderGuard.WatchedConnection connection;
    private final AtomicBoolean landed = new AtomicBoolean();

    CompletionCallback(
            Callback callback,
            Response response,
            InFlightRequests flights,
            SlowHeaderGuard.WatchedConnection connection) {
        this.callback = callback;
        this.response = response;
        this.flights = flights;
        this.connection = connection;
    }

    @Override
    public void succeeded() {
        if (landed.compareAndSet(false, true)) {
            // before the callback, since the next request of the connection may begin inside it
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
            // before the callback, since the next request of the connection may begin inside it
            connection.landed();
            resetIfEndless();
            try {
                callback.failed(failure);
            } finally {
                flights.leave();
            }
        }
    }

    /**
     * Resets the connection if a response without a length breaks off. For a client of HTTP/1.0 such a response ends
     * with its connection, so an orderly close would make it look whole.
     */
    private void resetIfEndless() {
        ConnectionMetaData client = response.getRequest().getConnectionMetaData();
        if (response.isCommitted()
                && client.getHttpVersion() == HttpVersion.HTTP_1_0
                && !response.getHeaders().contains(HttpHeader.CONTENT_LENGTH)
                && client.getConnection().getEndPoint() instanceof SocketChannelEndPoint endPoint) {
            try {
                endPoint.getChannel().setOption(StandardSocketOptions.SO_LINGER, 0);
            } catch (IOException e) {
                LOG.debug("The client had left before its answer broke off", e);
            }
        }
    }
}
