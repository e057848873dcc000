package io.onefold.server.gateway;

import io.onefold.http.BodySpool;
import io.onefold.http.ProblemException;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.BufferUtil;

/** Reads a body into a spool as it arrives; no thread waits for it. */
final class GatewayBodyReader {
    private final Request request;
    private final BodySpool spool;
    private final CompletableFuture<Void> done = new CompletableFuture<>();

    private GatewayBodyReader(Request request, BodySpool spool) {
        this.request = request;
        this.spool = spool;
    }

    /** Starts reading. The future completes when all is read, and exceptionally if the body is rejected or the client leaves. */
    static CompletableFuture<Void> start(Request request, BodySpool spool) {
        GatewayBodyReader reading = new GatewayBodyReader(request, spool);
        reading.read();
        return reading.done;
    }

    private void read() {
        try {
            readOn();
        } catch (Throwable e) {
            // the waiting code releases the spool
            done.completeExceptionally(e);
        }
    }

    private void readOn() throws ProblemException {
        while (!done.isDone()) {
            Content.Chunk chunk = request.read();
            if (chunk == null) {
                request.demand(this::read);
                return;
            }
            if (Content.Chunk.isFailure(chunk)) {
                done.completeExceptionally(chunk.getFailure());
                return;
            }
            try {
                write(chunk.getByteBuffer());
            } finally {
                chunk.release();
            }
            if (chunk.isLast()) {
                done.complete(null);
            }
        }
    }

    private void write(ByteBuffer bytes) throws ProblemException {
        if (bytes.hasRemaining()) {
            byte[] copy = BufferUtil.toArray(bytes);
            spool.write(copy, 0, copy.length);
        }
    }
}
