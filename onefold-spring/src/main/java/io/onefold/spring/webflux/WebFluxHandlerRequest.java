package io.onefold.spring.webflux;

import io.onefold.Attempt;
import io.onefold.http.Caller;
import io.onefold.http.ProtectedExchange;
import io.onefold.spring.RequestResolver;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.web.server.ServerWebExchange;

/** An exchange from its handler's view. */
final class WebFluxHandlerRequest implements RequestResolver.HandlerRequest {
    /** An attribute of the exchange: false if the claimed handler was not called, or its call was rejected. */
    static final String BEGUN = "io.onefold.begun";

    /** An attribute of the exchange: the request as the filter holds it. */
    static final String EXCHANGE = "io.onefold.exchange";

    /** An attribute of the exchange: present if the request is covered, but was let pass on purpose. */
    static final String UNCLAIMED = "io.onefold.unclaimed";

    private final WebFluxRequestHead head;
    private final ServerWebExchange web;
    private final Supplier<String> marker;

    WebFluxHandlerRequest(WebFluxRequestHead head, ServerWebExchange web, Supplier<String> marker) {
        this.head = head;
        this.web = web;
        this.marker = marker;
    }

    @Override
    public String method() {
        return head.method();
    }

    @Override
    public String path() {
        return head.path();
    }

    @Override
    public @Nullable String query() {
        return head.query();
    }

    @Override
    public List<String> headers(String name) {
        return head.headers(name);
    }

    @Override
    public @Nullable Caller caller() {
        return head.caller();
    }

    /** Returns the values in the query, the only source of WebFlux's request parameters; a form is part of the body. */
    @Override
    public List<String> parameters(String name) {
        return web.getRequest().getQueryParams().getOrDefault(name, List.of());
    }

    @Override
    public @Nullable Attempt attempt() {
        return web.getAttribute(Attempt.class.getName()) instanceof Attempt attempt ? attempt : null;
    }

    @Override
    public @Nullable String observed() {
        return web.getAttribute(ShadowWebFluxExchange.OPERATION);
    }

    @Override
    public boolean isUnclaimed() {
        return web.getAttribute(UNCLAIMED) != null;
    }

    @Override
    public boolean isAnswered() {
        return web.getResponse().isCommitted();
    }

    @Override
    public @Nullable ProtectedExchange exchange() {
        return web.getAttribute(EXCHANGE) instanceof ProtectedExchange exchange ? exchange : null;
    }

    @Override
    public void begun() {
        web.getAttributes().put(BEGUN, true);
    }

    @Override
    public void refused() {
        web.getAttributes().put(BEGUN, false);
    }

    @Override
    public void answer(String header, String value) {
        if (!web.getResponse().isCommitted()) {
            web.getResponse().getHeaders().set(header, value);
        }
    }

    @Override
    public String replayMarker() {
        return marker.get();
    }
}
