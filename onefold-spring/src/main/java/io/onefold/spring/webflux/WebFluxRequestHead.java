package io.onefold.spring.webflux;

import io.onefold.http.Caller;
import io.onefold.http.RequestHead;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.server.reactive.ServerHttpRequest;

/** A request from Spring's view. The caller is found only if it is needed, since that may take a session or a token. */
final class WebFluxRequestHead implements RequestHead {
    private final String method;
    private final String path;
    private final @Nullable String query;
    private final HeaderLines headers;
    private volatile boolean decided;
    private volatile @Nullable Caller caller;

    WebFluxRequestHead(ServerHttpRequest request) {
        this.method = request.getMethod().name();
        // the path of the deployment is not part of the request
        String within = request.getPath().pathWithinApplication().value();
        this.path = within.isEmpty() ? "/" : within;
        this.query = request.getURI().getRawQuery();
        this.headers = HeaderLines.of(request.getHeaders());
    }

    @Override
    public String method() {
        return method;
    }

    @Override
    public String path() {
        return path;
    }

    @Override
    public @Nullable String query() {
        return query;
    }

    @Override
    public List<String> headers(String name) {
        return headers.of(name);
    }

    @Override
    public @Nullable Caller caller() {
        if (!decided) {
            throw new CallerNotResolvedException();
        }
        return caller;
    }

    void found(@Nullable Caller who) {
        caller = who;
        decided = true;
    }

    /** The caller is needed but not known yet: find it, then ask again. */
    static final class CallerNotResolvedException extends RuntimeException {
        private static final long serialVersionUID = 1;

        CallerNotResolvedException() {
            super("it is not known yet who asks", null, false, false);
        }
    }
}
