package io.onefold.server.gateway;

import io.onefold.http.EventStreamType;
import io.onefold.http.HandlerResponse;
import io.onefold.http.HeaderField;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.client.Response.Listener;
import org.eclipse.jetty.client.Result;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.BufferUtil;
import org.eclipse.jetty.util.Callback;

/**
 * Holds a response back, so that it is recorded before the client sees it. A response that is too long or has no end is
 * sent on as it arrives. It is read to its end even if the client has left, because the end proves that the request was
 * carried out. Reading stops when the lease ends, because such a response may never end.
 */
final class ResponseCapture implements Listener {
    /** The most bytes that are allocated for an announced length; more when they arrive. */
    private static final int BELIEVED = 1 << 14;

    private final ProtectedUpstreamRequest request;
    private final Response client;
    private final SendProgress sending;
    private final GatewayResponseSender replies;
    private final long patienceMillis;
    private byte[] held = new byte[0];
    private int size;
    private List<HeaderField> headers = List.of();
    private boolean answering;
    private boolean coded;
    private boolean streams;
    private volatile boolean clientLeft;
    private CompletableFuture<Void> written = CompletableFuture.completedFuture(null);

    /** @param silence how long the service may be silent; while the client does not read, nothing is read from the service */
    ResponseCapture(
            ProtectedUpstreamRequest request,
            Response client,
            SendProgress sending,
            GatewayResponseSender replies,
            Duration silence) {
        this.patienceMillis = silence.toMillis() / 2;
        this.request = request;
        this.client = client;
        this.sending = sending;
        this.replies = replies;
    }

    @Override
    public void onHeaders(org.eclipse.jetty.client.Response answer) {
        HttpFields fields = answer.getHeaders();
        headers = replies.answered(fields);
        answering = true;
        String type = fields.get(HttpHeader.CONTENT_TYPE);
        coded = fields.contains(HttpHeader.CONTENT_ENCODING);
        boolean endless = EventStreamType.is(type);
        long length = fields.getLongField(HttpHeader.CONTENT_LENGTH);
        if (endless || length > request.maxHeld()) {
            stream(answer.getStatus());
            if (endless) {
                // the client wants to see that the response has begun, even before its first bytes
                write(BufferUtil.EMPTY_BUFFER, () -> {});
            }
        } else if (length > 0) {
            held = new byte[(int) Math.min(length, BELIEVED)];
        }
    }

    private void stream(int status) {
        streams = true;
        request.stream();
        client.setStatus(status);
        ForwardableHeaders.copy(headers, client.getHeaders());
        replies.passOn(client);
    }

    @Override
    public void onContent(org.eclipse.jetty.client.Response answer, Content.Chunk chunk, Runnable demander) {
        ByteBuffer bytes = chunk.getByteBuffer();
        if (!streams && size + (long) bytes.remaining() <= request.maxHeld()) {
            hold(bytes);
            demander.run();
            return;
        }
        if (!streams) {
            stream(answer.getStatus());
            hold(bytes);
            ByteBuffer soFar = ByteBuffer.wrap(held, 0, size);
            held = new byte[0];
            write(soFar, demander);
            return;
        }
        if (clientLeft && request.isUnclaimed()) {
            // the response may have no end, and nobody waits for it any more
            var unused = answer.abort(new IOException("the client has left, and the time for this answer is over"));
            return;
        }
        chunk.retain();
        write(bytes, () -> {
            chunk.release();
            demander.run();
        });
    }

    private void hold(ByteBuffer bytes) {
        int count = bytes.remaining();
        if (held.length - size < count) {
            held = Arrays.copyOf(held, Math.max(size + count, 2 * held.length));
        }
        bytes.get(held, size, count);
        size += count;
    }

    /** Writes one piece after the other. */
    private void write(ByteBuffer bytes, Runnable then) {
        written = written.thenCompose(before -> sent(bytes));
        var unused = written.thenRun(then);
    }

    /** Completes normally even if the client has left. */
    private CompletableFuture<Void> sent(ByteBuffer bytes) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        if (clientLeft) {
            done.complete(null);
            return done;
        }
        Callback callback = Callback.from(() -> done.complete(null), failure -> {
            clientLeft = true;
            done.complete(null);
        });
        try {
            client.write(false, bytes, callback);
        } catch (RuntimeException e) {
            callback.failed(e);
        }
        if (!done.isDone()) {
            // a client that does not read must not make the service look silent: the gateway stops sending to it, and
            // reads the response to its end
            CompletableFuture.delayedExecutor(patienceMillis, TimeUnit.MILLISECONDS)
                    .execute(() -> {
                        if (!done.isDone()) {
                            client.getRequest()
                                    .getConnectionMetaData()
                                    .getConnection()
                                    .getEndPoint()
                                    .close();
                        }
                    });
        }
        return done;
    }

    @Override
    public void onComplete(Result result) {
        // a response that arrived whole counts, even if the service did not read the whole request
        Throwable failure = result.getResponseFailure();
        if (failure == null && result.getResponse().getStatus() < 200) {
            failure = new IOException("the service has answered with an interim status only");
        }
        HandlerResponse produced =
                failure == null ? whole(result) : UpstreamFailure.of(failure, sending, answering, replies);
        Runnable told = () -> request.produced().complete(produced);
        var unused = isLong() ? written.thenRunAsync(told, executor()) : written.thenRun(told);
    }

    /** Returns true if the response takes a while to prepare for its record: this thread has other responses to read. */
    private boolean isLong() {
        return coded || size > BELIEVED;
    }

    private Executor executor() {
        return client.getRequest().getComponents().getExecutor();
    }

    private byte[] held() {
        return size == held.length ? held : Arrays.copyOf(held, size);
    }

    private HandlerResponse whole(Result result) {
        int status = result.getResponse().getStatus();
        return streams ? HandlerResponse.sent(status, headers) : HandlerResponse.of(status, headers, held());
    }
}
