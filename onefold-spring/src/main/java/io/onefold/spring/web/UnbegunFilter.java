package io.onefold.spring.web;

import io.onefold.Attempt;
import io.onefold.http.Exchange;
import io.onefold.http.servlet.IdempotencyFilter;
import io.onefold.spring.IdempotentMethods;
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
 * Stands right behind {@link IdempotencyFilter} and lets it know for which requests Spring has chosen a handler, or none, and has not called
 * it: what binding, validation or a guard has answered is not kept, for nothing was done. This is known only of handlers all of whose calls
 * are seen. What becomes of a call is known to the advice around the handler. Requests that somebody else has handled, a function or another servlet, are
 * as good as any. It also says which answers are those of Spring MVC's own timeouts, after which the handler may still be at work.
 */
public final class UnbegunFilter implements Filter {
    private final IdempotentMethods methods;
    private final Predicate<String> annotated;

    /** @param annotated the operations whose handlers say that they are called */
    public UnbegunFilter(IdempotentMethods methods, Predicate<String> annotated) {
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

    /** What the request was claimed for, or is observed as; null if it is neither. */
    private static @Nullable String operation(ServletRequest request) {
        if (request.getAttribute(Attempt.class.getName()) instanceof Attempt attempt) {
            return attempt.operation();
        }
        Attempt late = request.getAttribute(IdempotencyFilter.EXCHANGE) instanceof Exchange exchange
                ? exchange.lateAttempt()
                : null;
        return late == null ? (String) request.getAttribute(IdempotencyFilter.OBSERVED) : late.operation();
    }

    /** Whether Spring has chosen the annotated handler, or none. */
    private boolean isUnhandled(ServletRequest request, String operation) {
        Object handler = request.getAttribute(HandlerMapping.BEST_MATCHING_HANDLER_ATTRIBUTE);
        return handler == null
                ? request.getAttribute(DispatcherServlet.WEB_APPLICATION_CONTEXT_ATTRIBUTE) != null
                : handler instanceof HandlerMethod method && MappedRoutes.isSeen(operation, method, methods);
    }
}
