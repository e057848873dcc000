package io.onefold.http.servlet;

import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;

/**
 * The response that is held, for containers whose own filters look through wrappers for the response that they have made: Jetty's, where
 * it serves WebSockets, fails without one. All else goes to the response that is held. Tomcat must not see it, see
 * {@link PassingResponse}.
 */
final class Unwrappable extends HttpServletResponseWrapper {
    private final HeldResponse held;

    private Unwrappable(HeldResponse held) {
        super(held);
        this.held = held;
    }

    static HttpServletResponse of(HttpServletResponse response, String container) {
        return response instanceof HeldResponse held && !container.contains("Tomcat")
                ? new Unwrappable(held)
                : response;
    }

    @Override
    public ServletResponse getResponse() {
        return held.real;
    }
}
