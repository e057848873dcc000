package io.onefold.server.gateway;

import io.onefold.http.Body;
import io.onefold.http.Field;
import io.onefold.http.Produced;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.jspecify.annotations.Nullable;

/** A request that was claimed, with its body as it was spooled: the client's connection is no longer needed to send it on. */
final class ProtectedRequest extends Request.Wrapper {
    private final Body body;
    private final int maxHeld;
    private final HttpFields headers;
    private final CompletableFuture<Produced> produced = new CompletableFuture<>();

    /**
     * @param replaced headers that are not sent on as they came
     * @param key to be sent on in their place; null for none
     */
    ProtectedRequest(Request request, Body body, int maxHeld, List<String> replaced, @Nullable Field key) {
        super(request);
        this.body = body;
        this.maxHeld = maxHeld;
        HttpFields.Mutable changed = HttpFields.build(request.getHeaders())
                .remove(HttpHeader.EXPECT)
                .remove(HttpHeader.TRANSFER_ENCODING)
                .put(HttpHeader.CONTENT_LENGTH, body.length());
        replaced.forEach(changed::remove);
        // an answer is kept without its coding, so it must come in one that can be taken off
        changed.put(HttpHeader.ACCEPT_ENCODING, gzip(request) ? "gzip" : "identity");
        if (key != null) {
            changed.put(key.name(), key.value());
        }
        this.headers = changed.asImmutable();
    }

    private static boolean gzip(Request request) {
        return request.getHeaders().getQualityCSV(HttpHeader.ACCEPT_ENCODING).stream()
                .anyMatch(coding -> coding.equalsIgnoreCase("gzip"));
    }

    @Override
    public HttpFields getHeaders() {
        return headers;
    }

    @Override
    public long getLength() {
        return body.length();
    }

    Body body() {
        return body;
    }

    int maxHeld() {
        return maxHeld;
    }

    CompletableFuture<Produced> produced() {
        return produced;
    }
}
