package io.onefold.server.gateway;

import io.onefold.http.Caller;
import io.onefold.http.RequestHead;
import java.util.ArrayList;
import java.util.List;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.server.Request;
import org.jspecify.annotations.Nullable;

/** A request of Jetty. Its caller is identified once, when it is first needed. */
final class JettyRequestHead implements RequestHead {
    private final Request request;
    private final GatewayCallerResolver callers;
    private boolean asked;
    private @Nullable Caller caller;

    JettyRequestHead(Request request, GatewayCallerResolver callers) {
        this.request = request;
        this.callers = callers;
    }

    @Override
    public String method() {
        return request.getMethod();
    }

    @Override
    public String path() {
        String path = request.getHttpURI().getPath();
        return path == null ? "/" : path;
    }

    @Override
    public @Nullable String query() {
        return request.getHttpURI().getQuery();
    }

    @Override
    public List<String> headers(String name) {
        // called often, and mostly for a missing header
        List<String> values = List.of();
        for (HttpField field : request.getHeaders()) {
            if (field.is(name)) {
                values = values.isEmpty() ? List.of(value(field)) : plus(values, value(field));
            }
        }
        return values;
    }

    private static List<String> plus(List<String> values, String value) {
        List<String> more = new ArrayList<>(values);
        more.add(value);
        return more;
    }

    private static String value(HttpField field) {
        return field.getValue() == null ? "" : field.getValue();
    }

    /**
     * Returns the caller and never waits.
     *
     * @throws CallerPendingException if it would have to wait, until {@link #findCaller} was called
     */
    @Override
    public synchronized @Nullable Caller caller() {
        if (!asked && callers.waits(request)) {
            throw new CallerPendingException();
        }
        findCaller();
        return caller;
    }

    synchronized void findCaller() {
        if (!asked) {
            caller = callers.of(request);
            asked = true;
        }
    }
}
