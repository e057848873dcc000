package io.onefold.spring.webflux;

import io.onefold.Attempt;
import io.onefold.http.Caller;
import io.onefold.spring.RequestResolver;
import java.util.Optional;
import java.util.function.BiPredicate;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.core.Ordered;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.reactive.HandlerMapping;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;
import reactor.util.context.ContextView;

/**
 * The request of a subscription. It is a filter right behind {@link IdempotencyWebFilter} that puts the request into Reactor's context.
 * Annotated methods that return a Mono or a Flux find it there. Other methods have no context, and so no request: only the filter can claim
 * for them.
 */
public final class ReactiveRequestResolver implements RequestResolver, WebFilter, Ordered {
    private final Function<ServerWebExchange, Mono<Caller>> callers;
    private final BooleanSupplier asked;
    private final Predicate<String> annotated;
    private final BiPredicate<String, HandlerMethod> handles;
    private final Supplier<String> marker;
    private final boolean filtered;
    private final int order;

    /**
     * @param callers finds the caller; the same as the filter's
     * @param asked returns true if a method needs the caller
     * @param annotated accepts the operations whose handlers report their calls
     * @param handles returns true if an operation is that of the handler, all of whose calls are seen
     * @param marker the header that marks replayed responses; the same as the contract's
     * @param filtered true if there is a filter that claims for handlers
     * @param order the order among the filters
     */
    public ReactiveRequestResolver(
            Function<ServerWebExchange, Mono<Caller>> callers,
            BooleanSupplier asked,
            Predicate<String> annotated,
            BiPredicate<String, HandlerMethod> handles,
            Supplier<String> marker,
            boolean filtered,
            int order) {
        this.callers = callers;
        this.asked = asked;
        this.annotated = annotated;
        this.handles = handles;
        this.marker = marker;
        this.filtered = filtered;
        this.order = order;
    }

    @Override
    public int getOrder() {
        return order;
    }

    @Override
    public Mono<Void> filter(ServerWebExchange web, WebFilterChain chain) {
        WebFluxRequestHead head = new WebFluxRequestHead(web.getRequest());
        Mono<Void> handled = decided(head, web)
                .then(Mono.defer(() -> chain.filter(web)
                        .contextWrite(context -> context.put(
                                ReactiveRequestResolver.class, new WebFluxHandlerRequest(head, web, marker)))));
        String operation = web.getAttribute(Attempt.class.getName()) instanceof Attempt attempt
                ? attempt.operation()
                : web.<String>getAttribute(ShadowWebFluxExchange.OPERATION);
        if (operation == null || !annotated.test(operation)) {
            return handled;
        }
        return handled.doOnTerminate(() -> settle(web, operation));
    }

    /**
     * Marks a handler as not begun if it was chosen but not called, and all of its calls are seen. Requests that other code has handled,
     * such as a function, count as begun.
     */
    private void settle(ServerWebExchange web, String operation) {
        Object handler = web.getAttribute(HandlerMapping.BEST_MATCHING_HANDLER_ATTRIBUTE);
        if (handler instanceof HandlerMethod method && handles.test(operation, method)) {
            web.getAttributes().putIfAbsent(WebFluxHandlerRequest.BEGUN, false);
        }
    }

    private Mono<Void> decided(WebFluxRequestHead head, ServerWebExchange web) {
        if (!asked.getAsBoolean()) {
            return Mono.empty();
        }
        return callers.apply(web)
                .map(Optional::of)
                .defaultIfEmpty(Optional.empty())
                .doOnNext(caller -> head.found(caller.orElse(null)))
                .then();
    }

    @Override
    public @Nullable HandlerRequest current(@Nullable Object context) {
        return context instanceof ContextView view && view.hasKey(ReactiveRequestResolver.class)
                ? view.<HandlerRequest>get(ReactiveRequestResolver.class)
                : null;
    }

    @Override
    public boolean isLeftToFilter() {
        return filtered;
    }
}
