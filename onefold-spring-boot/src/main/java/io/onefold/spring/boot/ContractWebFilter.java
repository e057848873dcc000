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
final class ContractWebFilter implements WebFilter, Ordered {
    private final Contracts contracts;
    private final ReactiveCallers callers;
    private final UnaryOperator<IdempotencyWebFilter> fitting;
    private final int order;
    private volatile @Nullable Current current;

    /** @param fitting fits it to the application, when the first request is there */
    ContractWebFilter(
            Contracts contracts, ReactiveCallers callers, UnaryOperator<IdempotencyWebFilter> fitting, int order) {
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

    private Current current() {
        HttpContract contract = contracts.get();
        Current known = current;
        if (known == null || known.contract != contract) {
            known = new Current(contract, fitting.apply(new IdempotencyWebFilter(contract, callers)));
            current = known;
        }
        return known;
    }

    private record Current(HttpContract contract, IdempotencyWebFilter filter) {}
}
