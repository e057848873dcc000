package io.onefold.server.gateway;

import io.onefold.http.EventStream;
import io.onefold.http.Field;
import io.onefold.http.Produced;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
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
 * Holds an answer back, so that it can be recorded before anybody sees it. One that is too long, or has no end, goes out as it comes; it
 * is taken from the service to its end even if the client has left, since the end is what says that it was carried out.
 */
final class Capture implements Listener {
    private final ProtectedRequest request;
    private final Response client;
    private final Sending sending;
    private final Replies replies;
    private final long patienceMillis;
    private final ByteArrayOutputStream held = new ByteArrayOutputStream();
    private List<Field> headers = List.of();
    private boolean answering;
    private boolean streams;
    private volatile boolean clientLeft;
    private CompletableFuture<Void> written = CompletableFuture.completedFuture(null);

    /**
     * @param silence how long the service may be silent; while the client does not take what is sent, nothing is asked of the service
     */
    Capture(ProtectedRequest request, Response client, Sending sending, Replies replies, Duration silence) {
        this.patienceMillis = silence.toMillis() / 2;
        this.request = request;
        this.client = client;
        this.sending = sending;
        this.replies = replies;
    }

    @Override
    public void onHeaders(org.eclipse.jetty.client.Response answer) {
        HttpFields fields = answer.getHeaders();
        headers = Headers.answered(fields);
        answering = true;
        String type = fields.get(HttpHeader.CONTENT_TYPE);
        boolean endless = EventStream.is(type);
        if (endless || fields.getLongField(HttpHeader.CONTENT_LENGTH) > request.maxHeld()) {
            stream(answer.getStatus());
            if (endless) {
                // whoever listens wants to know that it has begun, not only what comes first
                write(BufferUtil.EMPTY_BUFFER, () -> {});
            }
        }
    }

    private void stream(int status) {
        streams = true;
        request.stream();
        client.setStatus(status);
        Headers.copy(headers, client.getHeaders());
        replies.lastOnConnection(client);
    }

    @Override
    public void onContent(org.eclipse.jetty.client.Response answer, Content.Chunk chunk, Runnable demander) {
        ByteBuffer bytes = chunk.getByteBuffer();
        if (!streams && held.size() + (long) bytes.remaining() <= request.maxHeld()) {
            hold(bytes);
            demander.run();
            return;
        }
        if (!streams) {
            stream(answer.getStatus());
            hold(bytes);
            byte[] soFar = held.toByteArray();
            held.reset();
            write(ByteBuffer.wrap(soFar), demander);
            return;
        }
        chunk.retain();
        write(bytes, () -> {
            chunk.release();
            demander.run();
        });
    }

    private void hold(ByteBuffer bytes) {
        byte[] copy = BufferUtil.toArray(bytes);
        BufferUtil.clear(bytes);
        held.write(copy, 0, copy.length);
    }

    /** One after the other. */
    private void write(ByteBuffer bytes, Runnable then) {
        written = written.thenCompose(before -> sent(bytes));
        var unused = written.thenRun(then);
    }

    /** Ends well even if the client has left. */
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
            // a client that takes nothing must not make the service look silent: it is left behind, and the answer
            // taken to its end
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
        // an answer that came whole counts, even if the service did not take the whole request
        Throwable failure = result.getResponseFailure();
        if (failure == null && result.getResponse().getStatus() < 200) {
            failure = new IOException("the service has answered with an interim status only");
        }
        Produced produced = failure == null ? whole(result) : Failure.of(failure, sending, answering, replies);
        var unused = written.thenRun(() -> request.produced().complete(produced));
    }

    private Produced whole(Result result) {
        int status = result.getResponse().getStatus();
        return streams ? Produced.sent(status, headers) : Produced.of(status, headers, held.toByteArray());
    }
}
