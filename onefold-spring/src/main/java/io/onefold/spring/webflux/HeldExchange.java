package io.onefold.spring.webflux;

import java.security.Principal;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationContext;
import org.springframework.context.i18n.LocaleContext;
import org.springframework.http.codec.ServerCodecConfigurer;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebSession;
import org.springframework.web.server.adapter.DefaultServerWebExchange;
import org.springframework.web.server.i18n.AcceptHeaderLocaleContextResolver;
import reactor.core.publisher.Mono;

/**
 * What the application has of a protected request. It is no decorator: the one that came in reads forms and parts from a body that is
 * not there any more.
 */
final class HeldExchange extends DefaultServerWebExchange {
    private final ServerWebExchange outer;

    HeldExchange(
            ServerWebExchange outer,
            ServerHttpRequest request,
            ServerHttpResponse response,
            ServerCodecConfigurer codecs) {
        super(request, response, same -> outer.getSession(), codecs, new AcceptHeaderLocaleContextResolver());
        this.outer = outer;
    }

    @Override
    public Map<String, Object> getAttributes() {
        return outer.getAttributes();
    }

    @Override
    public Mono<WebSession> getSession() {
        return outer.getSession();
    }

    @Override
    public <T extends Principal> Mono<T> getPrincipal() {
        return outer.getPrincipal();
    }

    @Override
    public LocaleContext getLocaleContext() {
        return outer.getLocaleContext();
    }

    @Override
    public @Nullable ApplicationContext getApplicationContext() {
        return outer.getApplicationContext();
    }

    @Override
    public String transformUrl(String url) {
        return outer.transformUrl(url);
    }

    @Override
    public void addUrlTransformer(Function<String, String> transformer) {
        outer.addUrlTransformer(transformer);
    }

    @Override
    public String getLogPrefix() {
        return outer.getLogPrefix();
    }
}
