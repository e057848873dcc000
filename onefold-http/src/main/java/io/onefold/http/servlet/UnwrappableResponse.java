package io.onefold.http.servlet;

import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;

/**
 * The response that is held, for containers whose own filters look through wrappers for the response that they have made: Jetty's, where
 * it serves WebSockets, fails without one. All else goes to the response that is held. Tomcat must not see it, see
 * {@link PassThroughResponse}.
 */
final class UnwrappableResponse extends HttpServletResponseWrapper {
    private final ProtectedServletResponse held;

    private UnwrappableResponse(ProtectedServletResponse held) {
        super(held);
        this.held = held;
    }

    static HttpServletResponse of(HttpServletResponse response, String container) {
        return response instanceof ProtectedServletResponse held && !container.contains("Tomcat")
                ? new UnwrappableResponse(held)
                : response;
    }

    @Override
    public ServletResponse getResponse() {
        return held.real;
    }
}
