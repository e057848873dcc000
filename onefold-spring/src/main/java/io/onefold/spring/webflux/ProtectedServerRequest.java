package io.onefold.spring.webflux;

import io.onefold.http.BufferedBody;
import io.onefold.http.HeaderField;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DefaultDataBufferFactory;
import org.springframework.http.HttpCookie;
import org.springframework.http.HttpHeaders;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpRequestDecorator;
import org.springframework.http.server.reactive.SslInfo;
import org.springframework.util.MultiValueMap;
import reactor.core.publisher.Flux;
import reactor.core.publisher.SynchronousSink;
import reactor.core.scheduler.Schedulers;

/**
 * The request from the application's view, with the body that was read before. It can be read any number of times. The request may outlive
 * the client, and some servers then reuse their objects for another request, so all values are copied in advance.
 */
final class ProtectedServerRequest extends ServerHttpRequestDecorator {
    private static final Logger LOG = LoggerFactory.getLogger(ProtectedServerRequest.class);
    private static final int PIECE = 8192;

    private final HeaderLines lines;
    private final MultiValueMap<String, HttpCookie> cookies;
    private final @Nullable InetSocketAddress local;
    private final @Nullable InetSocketAddress remote;
    private final @Nullable SslInfo ssl;
    private final String id;
    private HttpHeaders headers;
    private BufferedBody body = BufferedBody.NONE;

    ProtectedServerRequest(ServerHttpRequest request) {
        super(request);
        this.lines = HeaderLines.of(request.getHeaders());
        this.headers = lines.toHeaders();
        this.cookies = request.getCookies();
        this.local = request.getLocalAddress();
        this.remote = request.getRemoteAddress();
        this.ssl = request.getSslInfo();
        this.id = request.getId();
    }

    /**
     * Prepares the request before the application sees it.
     *
     * @param replaced headers that are not passed on unchanged
     * @param key the header in their place; null for none
     */
    void with(BufferedBody read, List<String> replaced, @Nullable HeaderField key) {
        HttpHeaders told = lines.toHeaders(replaced);
        if (key != null) {
            told.set(key.name(), key.value());
        }
        if (!lines.of(HttpHeaders.CONTENT_LENGTH).isEmpty()) {
            // not the announced length, if the body was rewritten
            told.setContentLength(read.length());
        }
        headers = HttpHeaders.readOnlyHttpHeaders(told);
        body = read;
    }

    @Override
    public HttpHeaders getHeaders() {
        return headers;
    }

    /** Returns the body from its beginning for each subscriber. It may be on disk, so it is not read on a thread of an event loop. */
    @Override
    public Flux<DataBuffer> getBody() {
        BufferedBody read = body;
        if (read.length() == 0) {
            return Flux.empty();
        }
        return Flux.generate(read::open, ProtectedServerRequest::next, ProtectedServerRequest::close)
                .subscribeOn(Schedulers.boundedElastic());
    }

    private static InputStream next(InputStream in, SynchronousSink<DataBuffer> sink) {
        try {
            byte[] bytes = in.readNBytes(PIECE);
            if (bytes.length == 0) {
                sink.complete();
            } else {
                sink.next(DefaultDataBufferFactory.sharedInstance.wrap(bytes));
            }
        } catch (IOException e) {
            sink.error(e);
        }
        return in;
    }

    private static void close(InputStream in) {
        try {
            in.close();
        } catch (IOException e) {
            LOG.debug("a body could not be closed", e);
        }
    }

    @Override
    public MultiValueMap<String, HttpCookie> getCookies() {
        return cookies;
    }

    @Override
    public @Nullable InetSocketAddress getLocalAddress() {
        return local;
    }

    @Override
    public @Nullable InetSocketAddress getRemoteAddress() {
        return remote;
    }

    @Override
    public @Nullable SslInfo getSslInfo() {
        return ssl;
    }

    @Override
    public String getId() {
        return id;
    }
}
