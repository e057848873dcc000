package io.onefold.server.gateway;

import io.onefold.http.Problem;
import java.util.Locale;
import java.util.regex.Pattern;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.jspecify.annotations.Nullable;

/** Requests that the gateway does not pass on, whatever is configured. */
final class Unsupported {
    /** Also what a service may take for one. Jetty refuses dots behind percent signs only where they are a whole segment. */
    private static final String SLASH = "(?:/|\\\\|%2[fF]|%5[cC])";

    private static final String DOT = "(?:\\.|%2[eE])";
    private static final Pattern DOTS = Pattern.compile(SLASH + DOT + DOT + "?(?:" + SLASH + "|;|%3[bB]|$)");

    private Unsupported() {}

    /** Null if it is not one of them. */
    static @Nullable Problem in(Request request) {
        if (request.getMethod().equals("CONNECT")) {
            return Problem.of(Problem.Type.NOT_SUPPORTED, "This gateway opens no tunnels.");
        }
        if (!request.getMethod().equals(request.getMethod().toUpperCase(Locale.ROOT))) {
            // methods have a case, but it is lost on the way to the service: what no route covers would arrive as what
            // one covers
            return Problem.of(Problem.Type.NOT_SUPPORTED, "The method is to be written in upper case.");
        }
        String upgrade = request.getHeaders().get(HttpHeader.UPGRADE);
        if (upgrade != null && upgrade.toLowerCase(Locale.ROOT).contains("websocket")) {
            return Problem.of(
                    Problem.Type.NOT_SUPPORTED,
                    "WebSockets are not passed on by this gateway: connect to the service itself.");
        }
        String path = request.getHttpURI().getPath();
        if (path == null || !path.startsWith("/")) {
            return new Problem(Problem.Type.NOT_SUPPORTED, 400, "The request names no path.");
        }
        // a route that protects /payments must see what the service takes for /payments
        boolean plain = path.indexOf('.') < 0 && path.indexOf('%') < 0;
        return !plain && DOTS.matcher(path).find()
                ? new Problem(
                        Problem.Type.NOT_SUPPORTED, 400, "A path with . or .. for a step means another one: name that.")
                : null;
    }
}
