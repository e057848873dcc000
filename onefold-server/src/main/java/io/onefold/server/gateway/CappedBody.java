package io.onefold.server.gateway;

import java.io.ByteArrayOutputStream;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow.Subscription;
import org.eclipse.jetty.util.BufferUtil;
import org.jspecify.annotations.Nullable;

/**
 * A body up to a maximum length.
 *
 * @param whole false if the body was longer, and was not read to its end
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record CappedBody(byte[] bytes, boolean whole) {

    static final class CappedBodyReader implements BodySubscriber<CappedBody> {
        private final int most;
        private final ByteArrayOutputStream held = new ByteArrayOutputStream();
        private final CompletableFuture<CappedBody> body = new CompletableFuture<>();
        private @Nullable Subscription source;

        CappedBodyReader(int most) {
            this.most = most;
        }

        @Override
        public CompletionStage<CappedBody> getBody() {
            return body;
        }

        @Override
        public void onSubscribe(Subscription subscription) {
            source = subscription;
            subscription.request(Long.MAX_VALUE);
        }

        @Override
        public void onNext(List<ByteBuffer> buffers) {
            for (ByteBuffer buffer : buffers) {
                if (held.size() + (long) buffer.remaining() > most) {
                    if (source != null) {
                        source.cancel();
                    }
                    body.complete(new CappedBody(new byte[0], false));
                    return;
                }
                held.writeBytes(BufferUtil.toArray(buffer));
            }
        }

        @Override
        public void onError(Throwable failure) {
            body.completeExceptionally(failure);
        }

        @Override
        public void onComplete() {
            body.complete(new CappedBody(held.toByteArray(), true));
        }
    }
}
