package io.onefold.server.gateway;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.ConnectionMetaData;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.component.AbstractLifeCycle;
import org.eclipse.jetty.util.thread.Scheduler;

/**
 * Closes connections on which the head of a request does not come to its end in time. An idle timeout does not see them: each byte
 * begins it anew.
 *
 * <p>All connections are looked at now and then, which costs requests nothing but a note that they are under way. A head has begun where
 * bytes have come since the last request, and none is under way: an answer may end before its request has, and what comes then is its
 * body.
 */
final class Heads extends AbstractLifeCycle {
    private static final String ATTRIBUTE = Heads.class.getName();
    private static final long OFTEN_MILLIS = 1_000;
    private static final byte[] TOO_SLOW =
            "HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n".getBytes(US_ASCII);

    private final ServerConnector connector;
    private final long mostNanos;
    private final long everyMillis;

    Heads(ServerConnector connector, Duration most) {
        this.connector = connector;
        this.mostNanos = most.toNanos();
        this.everyMillis = Math.max(1, Math.min(OFTEN_MILLIS, most.toMillis() / 4));
    }

    /** The head of this request has come; to be told when the request has ended. */
    static Watched ended(Request request) {
        Watched watched = watched(request.getConnectionMetaData());
        watched.underWay = true;
        return watched;
    }

    private static Watched watched(ConnectionMetaData connection) {
        if (connection.getAttribute(ATTRIBUTE) instanceof Watched known) {
            return known;
        }
        Watched unknown = new Watched();
        connection.setAttribute(ATTRIBUTE, unknown);
        return unknown;
    }

    @Override
    protected void doStart() {
        later(connector.getScheduler());
    }

    private void later(Scheduler scheduler) {
        scheduler.schedule(
                () -> {
                    if (isRunning()) {
                        look();
                        later(scheduler);
                    }
                },
                everyMillis,
                TimeUnit.MILLISECONDS);
    }

    private void look() {
        long now = System.nanoTime();
        for (EndPoint end : connector.getConnectedEndPoints()) {
            Connection connection = end.getConnection();
            if (connection instanceof ConnectionMetaData http
                    && watched(http).isLate(connection.getMessagesIn(), connection.getBytesIn(), now, mostNanos)) {
                close(end);
            }
        }
    }

    private static void close(EndPoint end) {
        try {
            end.write(Callback.from(end::close), ByteBuffer.wrap(TOO_SLOW));
        } catch (RuntimeException e) {
            // something is being written there: then nobody waits for a word of ours
            end.close();
        }
    }

    /** What is known of a connection. All but one field is for who looks at it. */
    static final class Watched {
        private volatile boolean underWay;
        private long heads;
        private long bytes;
        private boolean begun;
        private long since;

        void landed() {
            underWay = false;
        }

        private boolean isLate(long headsNow, long bytesNow, long now, long most) {
            if (underWay || headsNow != heads) {
                heads = headsNow;
                bytes = bytesNow;
                begun = false;
            } else if (bytesNow != bytes && !begun) {
                begun = true;
                since = now;
            }
            return begun && now - since > most;
        }
    }
}
