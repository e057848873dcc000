package io.onefold.spring.web;

import io.onefold.Attempt;
import io.onefold.http.servlet.IdempotencyFilter;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import java.io.IOException;
import java.util.function.Predicate;

/**
 * Stands right behind {@link IdempotencyFilter} and lets it know which requests never reached their handler: what binding, validation or
 * a guard has answered is not kept, for nothing was done.
 */
public final class UnbegunFilter implements Filter {
    private final Predicate<String> annotated;

    /** @param annotated the operations whose handlers say that they have begun */
    public UnbegunFilter(Predicate<String> annotated) {
        this.annotated = annotated;
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        if (request.getAttribute(Attempt.class.getName()) instanceof Attempt attempt
                && request.getAttribute(IdempotencyFilter.BEGUN) == null
                && annotated.test(attempt.operation())) {
            request.setAttribute(IdempotencyFilter.BEGUN, false);
        }
        chain.doFilter(request, response);
    }
}
