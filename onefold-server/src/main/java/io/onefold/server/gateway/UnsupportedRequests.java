package io.onefold.server.gateway;

import io.onefold.http.HeaderNames;
import io.onefold.http.Problem;
import java.util.Locale;
import java.util.regex.Pattern;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.jspecify.annotations.Nullable;

/** Rejects requests that the gateway never passes on, in any configuration. */
final class UnsupportedRequests {
    /**
     * A slash, or a character that a service may take for one. Jetty rejects percent-encoded dots only if they are a
     * whole segment.
     */
    private static final String SLASH = "(?:/|\\\\|%2[fF]|%5[cC])";

    private static final String DOT = "(?:\\.|%2[eE])";
    private static final Pattern DOTS = Pattern.compile(SLASH + DOT + DOT + "?(?:" + SLASH + "|;|%3[bB]|$)");

    private UnsupportedRequests() {}

    /** Returns null if the request is supported. */
    static @Nullable Problem in(Request request) {
        if (request.getMethod().equals("CONNECT")) {
            return Problem.of(Problem.ProblemType.NOT_SUPPORTED, "This gateway opens no tunnels.");
        }
        if (!request.getMethod().equals(request.getMethod().toUpperCase(Locale.ROOT))) {
            // methods are case-sensitive, but Jetty's client loses the case: a method that no route covers would arrive
            // as one that is covered
            return Problem.of(Problem.ProblemType.NOT_SUPPORTED, "The method is to be written in upper case.");
        }
        String upgrade = request.getHeaders().get(HttpHeader.UPGRADE);
        if (upgrade != null && upgrade.toLowerCase(Locale.ROOT).contains("websocket")) {
            return Problem.of(
                    Problem.ProblemType.NOT_SUPPORTED,
                    "WebSockets are not passed on by this gateway: connect to the service itself.");
        }
        if (removesField(request.getHeaders())) {
            return Problem.of(
                    Problem.ProblemType.REQUEST_INVALID,
                    "The Connection header names a header that is meant for the service; nothing was carried out.");
        }
        String path = request.getHttpURI().getPath();
        if (path == null || !path.startsWith("/")) {
            return new Problem(Problem.ProblemType.NOT_SUPPORTED, 400, "The request names no path.");
        }
        // a route that protects /payments must see every path that the service takes for /payments
        boolean plain = path.indexOf('.') < 0 && path.indexOf('%') < 0;
        return !plain && DOTS.matcher(path).find()
                ? new Problem(
                        Problem.ProblemType.NOT_SUPPORTED,
                        400,
                        "A path with . or .. for a step means another one: name that.")
                : null;
    }

    /**
     * Returns true if {@code Connection} names a field that is present and not about the connection. A proxy has to
     * remove that field, so a client could remove what another proxy has said about it, or what a route compares.
     */
    private static boolean removesField(HttpFields headers) {
        for (HttpField connection : headers) {
            if (connection.getHeader() == HttpHeader.CONNECTION && connection.getValue() != null) {
                for (String name : connection.getValue().split("[,;\"\\s]+", -1)) {
                    if (!HeaderNames.isHopByHop(name.toLowerCase(Locale.ROOT)) && isThere(name, headers)) {
                        return true;
                    }
                }
            }
        }
        return false;
    }

    private static boolean isThere(String name, HttpFields headers) {
        for (HttpField field : headers) {
            if (HeaderNames.readAlike(field.getName(), name)) {
                return true;
            }
        }
        return false;
    }
}
