package io.onefold.spring.boot;

import io.onefold.http.HttpContract;
import io.onefold.http.OuterExceptions;
import io.onefold.http.servlet.IdempotencyFilter;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The filter with the contract of now: containers want their filters before handlers are known. */
final class RefreshableFilter implements Filter {
    private final CurrentHttpContract contracts;
    private final ServletCallerResolver callers;
    private final @Nullable String errorPage;
    private final OuterExceptions outer;
    private volatile @Nullable CurrentFilter current;

    RefreshableFilter(
            CurrentHttpContract contracts,
            ServletCallerResolver callers,
            @Nullable String errorPage,
            OuterExceptions outer) {
        this.contracts = contracts;
        this.callers = callers;
        this.errorPage = errorPage;
        this.outer = outer;
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        current().filter.doFilter(request, response, chain);
    }

    private CurrentFilter current() {
        HttpContract contract = contracts.get();
        CurrentFilter known = current;
        if (known == null || known.contract != contract) {
            known = next(contract);
        }
        return known;
    }

    /** In the place of the one before, so that requests under way stay with it. */
    private synchronized CurrentFilter next(HttpContract contract) {
        CurrentFilter known = current;
        if (known != null && known.contract == contract) {
            return known;
        }
        IdempotencyFilter filter = known == null ? first(contract) : known.filter.contract(contract);
        known = new CurrentFilter(contract, filter);
        current = known;
        return known;
    }

    private IdempotencyFilter first(HttpContract contract) {
        IdempotencyFilter plain = new IdempotencyFilter(contract, callers).outerExceptions(outer);
        return errorPage == null ? plain : plain.errorPage(errorPage);
    }

    private record CurrentFilter(HttpContract contract, IdempotencyFilter filter) {}
}
