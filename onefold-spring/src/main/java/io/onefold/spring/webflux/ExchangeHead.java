package io.onefold.spring.webflux;

import io.onefold.http.Caller;
import io.onefold.http.Head;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.server.reactive.ServerHttpRequest;

/** A request as Spring tells it. Who asks is found out only if somebody wants to know: it may take a session or a token. */
final class ExchangeHead implements Head {
    private final String method;
    private final String path;
    private final @Nullable String query;
    private final Lines headers;
    private volatile boolean decided;
    private volatile @Nullable Caller caller;

    ExchangeHead(ServerHttpRequest request) {
        this.method = request.getMethod().name();
        // where the application is deployed is not part of what is asked for
        String within = request.getPath().pathWithinApplication().value();
        this.path = within.isEmpty() ? "/" : within;
        this.query = request.getURI().getRawQuery();
        this.headers = Lines.of(request.getHeaders());
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
            throw new Undecided();
        }
        return caller;
    }

    void found(@Nullable Caller who) {
        caller = who;
        decided = true;
    }

    /** It must be found out who asks, and then be asked again. */
    static final class Undecided extends RuntimeException {
        private static final long serialVersionUID = 1;

        Undecided() {
            super("it is not known yet who asks", null, false, false);
        }
    }
}
