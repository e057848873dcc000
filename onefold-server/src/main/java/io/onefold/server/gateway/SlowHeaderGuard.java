package io.onefold.server.gateway;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.onefold.http.HeaderField;
import io.onefold.http.HttpContract;
import io.onefold.http.OutgoingResponse;
import io.onefold.http.Problem;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.ConnectionMetaData;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.component.AbstractLifeCycle;
import org.eclipse.jetty.util.thread.Scheduler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Closes connections on which the head of a request is not complete in time. An idle timeout does not catch them,
 * because each byte restarts it.
 *
 * <p>All connections are checked now and then, which costs a request only a note that it is in progress. A head has
 * begun if bytes have arrived since the last request and none is in progress: a response may end before its request has,
 * and the bytes that follow are the body. Request and watch decide in one atomic step which of them owns the connection,
 * so that no request is carried out after its client was told that it came too late.
 */
final class SlowHeaderGuard extends AbstractLifeCycle {
    private static final Logger LOG = LoggerFactory.getLogger(SlowHeaderGuard.class);
    private static final String ATTRIBUTE = SlowHeaderGuard.class.getName();
    private static final long OFTEN_MILLIS = 1_000;
    private static final Problem TOO_SLOW = new Problem(
            Problem.ProblemType.REQUEST_INVALID,
            408,
            "The head of the request did not come in time; nothing was carried out.");

    private final HttpContract contract;
    private final ServerConnector connector;
    private final long mostNanos;
    private final long everyMillis;

    SlowHeaderGuard(HttpContract contract, ServerConnector connector, Duration most) {
        this.contract = contract;
        this.connector = connector;
        this.mostNanos = most.toNanos();
        this.everyMillis = Math.max(1, Math.min(OFTEN_MILLIS, most.toMillis() / 4));
    }

    /** Returns the connection of a request whose head has arrived; see {@link WatchedConnection#begins}. */
    static WatchedConnection of(Request request) {
        return watched(request.getConnectionMetaData());
    }

    private static WatchedConnection watched(ConnectionMetaData connection) {
        synchronized (connection) {
            if (connection.getAttribute(ATTRIBUTE) instanceof WatchedConnection known) {
                return known;
            }
            WatchedConnection unknown = new WatchedConnection();
            connection.setAttribute(ATTRIBUTE, unknown);
            return unknown;
        }
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
            try {
                Connection connection = end.getConnection();
                if (connection instanceof ConnectionMetaData http
                        && watched(http)
                                .isGivenUp(connection.getMessagesIn(), connection.getBytesIn(), now, mostNanos)) {
                    close(end);
                }
            } catch (RuntimeException e) {
                LOG.warn("a connection could not be looked at", e);
            }
        }
    }

    private void close(EndPoint end) {
        try {
            end.write(Callback.from(end::close), ByteBuffer.wrap(written(contract.answer(TOO_SLOW))));
        } catch (RuntimeException e) {
            // something is being written there, so nobody waits for a response from here
            end.close();
        }
    }

    private static byte[] written(OutgoingResponse answer) {
        StringBuilder head = new StringBuilder("HTTP/1.1 408 Request Timeout\r\n");
        for (HeaderField field : answer.headers()) {
            head.append(field.name()).append(": ").append(field.value()).append("\r\n");
        }
        head.append("Connection: close\r\nContent-Length: ").append(answer.body().length);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(head.append("\r\n\r\n").toString().getBytes(US_ASCII));
        out.writeBytes(answer.body());
        return out.toByteArray();
    }

    /** The state of a connection. */
    static final class WatchedConnection {
        private enum HeaderState {
            IDLE,
            UNDER_WAY,
            GIVEN_UP
        }

        private final AtomicReference<HeaderState> state = new AtomicReference<>(HeaderState.IDLE);
        /** True if a request has ended since the last check: the bytes that have arrived may be the end of its body. */
        private volatile boolean landed;

        private long heads;
        private long bytes;
        private boolean begun;
        private long since;

        /** Returns true if the request may be carried out; false if its client was already told that it came too late. */
        boolean begins() {
            return state.compareAndSet(HeaderState.IDLE, HeaderState.UNDER_WAY) || state.get() == HeaderState.UNDER_WAY;
        }

        void landed() {
            landed = true;
            state.compareAndSet(HeaderState.UNDER_WAY, HeaderState.IDLE);
        }

        private boolean isGivenUp(long headsNow, long bytesNow, long now, long most) {
            boolean other = landed || headsNow != heads;
            landed = false;
            if (other || state.get() != HeaderState.IDLE) {
                heads = headsNow;
                bytes = bytesNow;
                begun = false;
            } else if (bytesNow != bytes && !begun) {
                begun = true;
                since = now;
            }
            return begun && now - since > most && state.compareAndSet(HeaderState.IDLE, HeaderState.GIVEN_UP);
        }
    }
}
