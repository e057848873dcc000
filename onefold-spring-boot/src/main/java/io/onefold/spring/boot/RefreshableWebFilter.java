package io.onefold.spring.boot;

import io.onefold.http.HttpContract;
import io.onefold.spring.webflux.IdempotencyWebFilter;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.springframework.core.Ordered;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;

/** The filter with the contract of now: Spring wants its filters before handlers are known. */
final class RefreshableWebFilter implements WebFilter, Ordered {
    private final CurrentHttpContract contracts;
    private final ReactiveCallerResolver callers;
    private final UnaryOperator<IdempotencyWebFilter> fitting;
    private final int order;
    private volatile @Nullable CurrentWebFilter current;

    /** @param fitting fits it to the application, when the first request is there */
    RefreshableWebFilter(
            CurrentHttpContract contracts,
            ReactiveCallerResolver callers,
            UnaryOperator<IdempotencyWebFilter> fitting,
            int order) {
        this.contracts = contracts;
        this.callers = callers;
        this.fitting = fitting;
        this.order = order;
    }

    @Override
    public int getOrder() {
        return order;
    }

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        return current().filter.filter(exchange, chain);
    }

    private CurrentWebFilter current() {
        HttpContract contract = contracts.get();
        CurrentWebFilter known = current;
        if (known == null || known.contract != contract) {
            known = new CurrentWebFilter(contract, fitting.apply(new IdempotencyWebFilter(contract, callers)));
            current = known;
        }
        return known;
    }

    private record CurrentWebFilter(HttpContract contract, IdempotencyWebFilter filter) {}
}
