package io.onefold.spring.web;

import io.onefold.Attempt;
import io.onefold.http.Caller;
import io.onefold.http.ProtectedExchange;
import io.onefold.http.ReplayHeader;
import io.onefold.http.servlet.IdempotencyFilter;
import io.onefold.http.servlet.ServletRequestHead;
import io.onefold.spring.RequestResolver;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;

/** The request that this thread of a servlet container handles. */
public final class ServletRequestResolver implements RequestResolver {
    private final Function<HttpServletRequest, @Nullable Caller> callers;
    private final Supplier<String> marker;

    /** @param callers finds the caller; the same as the filter's */
    public ServletRequestResolver(Function<HttpServletRequest, @Nullable Caller> callers) {
        this(callers, () -> ReplayHeader.USUAL);
    }

    /**
     * @param callers finds the caller; the same as the filter's
     * @param marker the header that marks replayed responses; the same as the contract's
     */
    public ServletRequestResolver(Function<HttpServletRequest, @Nullable Caller> callers, Supplier<String> marker) {
        this.callers = callers;
        this.marker = marker;
    }

    @Override
    public @Nullable HandlerRequest current(@Nullable Object context) {
        return RequestContextHolder.getRequestAttributes() instanceof ServletRequestAttributes attributes
                ? new HandledServletRequest(attributes.getRequest(), attributes.getResponse())
                : null;
    }

    private final class HandledServletRequest extends ServletRequestHead implements HandlerRequest {
        private final HttpServletRequest request;
        private final @Nullable HttpServletResponse response;

        HandledServletRequest(HttpServletRequest request, @Nullable HttpServletResponse response) {
            super(request, callers);
            this.request = request;
            this.response = response;
        }

        @Override
        public List<String> parameters(String name) {
            String[] values = request.getParameterValues(name);
            return values == null ? List.of() : List.of(values);
        }

        @Override
        public @Nullable Attempt attempt() {
            return request.getAttribute(Attempt.class.getName()) instanceof Attempt attempt ? attempt : null;
        }

        @Override
        public @Nullable String observed() {
            return request.getAttribute(IdempotencyFilter.OBSERVED) instanceof String operation ? operation : null;
        }

        @Override
        public boolean isUnclaimed() {
            return request.getAttribute(IdempotencyFilter.UNCLAIMED) != null;
        }

        @Override
        public boolean isAnswered() {
            return response != null && response.isCommitted();
        }

        @Override
        public @Nullable ProtectedExchange exchange() {
            return request.getAttribute(IdempotencyFilter.EXCHANGE) instanceof ProtectedExchange exchange
                    ? exchange
                    : null;
        }

        @Override
        public void begun() {
            request.setAttribute(IdempotencyFilter.BEGUN, true);
        }

        @Override
        public void refused() {
            request.setAttribute(IdempotencyFilter.BEGUN, false);
        }

        @Override
        public void answer(String header, String value) {
            if (response != null && !response.isCommitted()) {
                response.setHeader(header, value);
            }
        }

        @Override
        public String replayMarker() {
            return marker.get();
        }
    }
}
