package io.onefold.http.servlet;

import io.onefold.http.Caller;
import io.onefold.http.RequestHead;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A request as the container tells it. */
public class ServletRequestHead implements RequestHead {
    private static final Pattern SESSION = Pattern.compile("(?i);jsessionid=[^;/]*");

    private final HttpServletRequest request;
    private final Function<HttpServletRequest, @Nullable Caller> callers;

    public ServletRequestHead(HttpServletRequest request, Function<HttpServletRequest, @Nullable Caller> callers) {
        this.request = request;
        this.callers = callers;
    }

    @Override
    public String method() {
        return request.getMethod();
    }

    /**
     * Within the application, and as the container understands it: where it is deployed is not part of what is asked for, and another
     * spelling of a path that leads to the same servlet leads to the same route.
     */
    @Override
    public String path() {
        String path = request.getServletPath() + (request.getPathInfo() == null ? "" : request.getPathInfo());
        return path.isEmpty() ? "/" : path.replace("%", "%25").replace(";", "%3B"); // it is not decoded once more
    }

    /**
     * Parameters lead to the same servlet, but may mean another thing to it. Not so the container's own, which tells sessions apart: a
     * client may come again with another session.
     */
    @Override
    public String comparedPath() {
        String sent = SESSION.matcher(request.getRequestURI()).replaceAll("");
        if (sent.indexOf(';') < 0) {
            return path();
        }
        String context = request.getContextPath();
        return sent.startsWith(context) ? sent.substring(context.length()) : sent;
    }

    @Override
    public @Nullable String query() {
        return request.getQueryString();
    }

    @Override
    public List<String> headers(String name) {
        return Collections.list(request.getHeaders(name));
    }

    @Override
    public @Nullable Caller caller() {
        return callers.apply(request);
    }
}
