package io.onefold.spring.web;

import io.onefold.Attempt;
import io.onefold.http.ProtectedExchange;
import io.onefold.http.servlet.IdempotencyFilter;
import io.onefold.spring.IdempotentMethodRegistry;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import java.io.IOException;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.DispatcherServlet;
import org.springframework.web.servlet.HandlerMapping;

/**
 * Tells {@link IdempotencyFilter} for which requests Spring has chosen a handler, or none, and has not called it. It stands right behind
 * that filter. A response of binding, validation or a guard is not kept, since nothing was done. This is known only of handlers all of
 * whose calls are seen. The advice around the handler knows the end of a call. Requests that other code has handled, such as a function or
 * another servlet, count as begun. The filter also marks the responses of Spring MVC's own timeouts, after which the handler may still be
 * running.
 */
public final class HandlerNotReachedFilter implements Filter {
    private final IdempotentMethodRegistry methods;
    private final Predicate<String> annotated;

    /** @param annotated accepts the operations whose handlers report their calls */
    public HandlerNotReachedFilter(IdempotentMethodRegistry methods, Predicate<String> annotated) {
        this.methods = methods;
        this.annotated = annotated;
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        String operation = operation(request);
        if (operation != null && AsyncTimeouts.isOver(request)) {
            request.setAttribute(IdempotencyFilter.UNFINISHED, true);
        }
        if (operation == null || !annotated.test(operation)) {
            chain.doFilter(request, response);
            return;
        }
        try {
            chain.doFilter(request, response);
        } finally {
            if (request.getAttribute(IdempotencyFilter.BEGUN) == null && isUnhandled(request, operation)) {
                request.setAttribute(IdempotencyFilter.BEGUN, false);
            }
        }
    }

    /** Returns the operation that the request was claimed for, or is observed as; null if neither. */
    private static @Nullable String operation(ServletRequest request) {
        if (request.getAttribute(Attempt.class.getName()) instanceof Attempt attempt) {
            return attempt.operation();
        }
        Attempt late = request.getAttribute(IdempotencyFilter.EXCHANGE) instanceof ProtectedExchange exchange
                ? exchange.lateAttempt()
                : null;
        return late == null ? (String) request.getAttribute(IdempotencyFilter.OBSERVED) : late.operation();
    }

    /** Returns true if Spring has chosen the annotated handler, or none. */
    private boolean isUnhandled(ServletRequest request, String operation) {
        Object handler = request.getAttribute(HandlerMapping.BEST_MATCHING_HANDLER_ATTRIBUTE);
        return handler == null
                ? request.getAttribute(DispatcherServlet.WEB_APPLICATION_CONTEXT_ATTRIBUTE) != null
                : handler instanceof HandlerMethod method && HandlerMappingRoutes.isSeen(operation, method, methods);
    }
}
