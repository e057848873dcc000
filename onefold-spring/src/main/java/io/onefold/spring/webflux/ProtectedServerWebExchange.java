package io.onefold.spring.webflux;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.springframework.http.codec.ServerCodecConfigurer;
import org.springframework.http.codec.multipart.Part;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.util.MultiValueMap;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.ServerWebExchangeDecorator;
import org.springframework.web.server.adapter.DefaultServerWebExchange;
import org.springframework.web.server.i18n.AcceptHeaderLocaleContextResolver;
import reactor.core.publisher.Mono;

/**
 * The exchange that the application gets for a protected request. Everything that reads the body or writes the response is made anew: the
 * original exchange would read forms and parts from a body that was already consumed.
 */
final class ProtectedServerWebExchange extends ServerWebExchangeDecorator {
    private final ServerWebExchange inner;

    ProtectedServerWebExchange(
            ServerWebExchange outer,
            ServerHttpRequest request,
            ServerHttpResponse response,
            ServerCodecConfigurer codecs) {
        super(outer);
        this.inner = new DefaultServerWebExchange(
                request, response, same -> outer.getSession(), codecs, new AcceptHeaderLocaleContextResolver());
    }

    @Override
    public ServerHttpRequest getRequest() {
        return inner.getRequest();
    }

    @Override
    public ServerHttpResponse getResponse() {
        return inner.getResponse();
    }

    @Override
    public Mono<MultiValueMap<String, String>> getFormData() {
        return inner.getFormData();
    }

    @Override
    public Mono<MultiValueMap<String, Part>> getMultipartData() {
        return inner.getMultipartData();
    }

    @Override
    public Mono<Void> cleanupMultipart() {
        return inner.cleanupMultipart();
    }

    @Override
    public boolean isNotModified() {
        return inner.isNotModified();
    }

    @Override
    public boolean checkNotModified(Instant lastModified) {
        return inner.checkNotModified(lastModified);
    }

    @Override
    public boolean checkNotModified(String etag) {
        return inner.checkNotModified(etag);
    }

    @Override
    public boolean checkNotModified(@Nullable String etag, Instant lastModified) {
        return inner.checkNotModified(etag, lastModified);
    }
}
