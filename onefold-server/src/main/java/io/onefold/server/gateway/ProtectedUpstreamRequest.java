package io.onefold.server.gateway;

import io.onefold.Attempt;
import io.onefold.http.BufferedBody;
import io.onefold.http.HandlerResponse;
import io.onefold.http.HeaderField;
import io.onefold.http.HeaderNames;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.jspecify.annotations.Nullable;

/** A request that was claimed, with its spooled body: it can be sent on without the client's connection. */
final class ProtectedUpstreamRequest extends Request.Wrapper {
    private final @Nullable Attempt attempt;
    private final @Nullable HeaderField key;
    private final BufferedBody body;
    private final int maxHeld;
    private final HttpFields headers;
    private final CompletableFuture<HandlerResponse> produced = new CompletableFuture<>();
    private volatile boolean streams;

    /**
     * @param attempt null if there is no record
     * @param replaced headers that are not sent on as they came
     * @param key sent on in their place; null for none
     */
    ProtectedUpstreamRequest(
            Request request,
            BufferedBody body,
            int maxHeld,
            @Nullable Attempt attempt,
            List<String> replaced,
            @Nullable HeaderField key) {
        super(request);
        this.attempt = attempt;
        this.key = key;
        this.body = body;
        this.maxHeld = maxHeld;
        HttpFields.Mutable changed = HttpFields.build(request.getHeaders())
                .remove(HttpHeader.EXPECT)
                .remove(HttpHeader.TRANSFER_ENCODING)
                .put(HttpHeader.CONTENT_LENGTH, body.length());
        for (HttpField field : request.getHeaders()) {
            if (named(field, replaced)) {
                changed.remove(field.getName());
            }
        }
        // a response is kept decoded, so its coding must be one that can be decoded
        changed.put(HttpHeader.ACCEPT_ENCODING, gzip(request) ? "gzip" : "identity");
        this.headers = changed.asImmutable();
    }

    private static boolean named(HttpField field, List<String> names) {
        for (String name : names) {
            if (HeaderNames.readAlike(field.getName(), name)) {
                return true;
            }
        }
        return false;
    }

    private static boolean gzip(Request request) {
        if (!request.getHeaders().contains(HttpHeader.ACCEPT_ENCODING)) {
            return false;
        }
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

    /** Returns true if it was paused for so long that it may have been settled meanwhile: it must not be sent any more. */
    boolean stale() {
        return attempt != null && attempt.leaseLost();
    }

    /** Returns true if its end is not recorded: its claim is over, or there was none because the store was down. */
    boolean isUnclaimed() {
        return attempt == null || attempt.leaseLost();
    }

    /** Adds the key last, so that no other header of the client's can remove it. */
    void tellKey(HttpFields.Mutable sent) {
        if (key != null) {
            sent.put(key.name(), key.value());
        }
    }

    /** Sends its response on as it arrives. */
    void stream() {
        streams = true;
    }

    boolean streams() {
        return streams;
    }

    BufferedBody body() {
        return body;
    }

    int maxHeld() {
        return maxHeld;
    }

    CompletableFuture<HandlerResponse> produced() {
        return produced;
    }
}
