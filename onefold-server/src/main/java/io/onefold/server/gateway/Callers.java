package io.onefold.server.gateway;

import io.onefold.http.Caller;
import org.eclipse.jetty.server.Request;
import org.jspecify.annotations.Nullable;

/** Finds out who asks. */
@FunctionalInterface
interface Callers {
    /** Whether somebody far away has to be asked first, so that {@link #of} may take long. */
    default boolean waits(Request request) {
        return false;
    }

    /** Null if it is not known, though it must be. */
    @Nullable
    Caller of(Request request);

    static Callers anonymous() {
        return request -> Caller.ANONYMOUS;
    }

    /** Believes what a proxy in front says; from anybody else, the header means nothing. */
    static Callers header(String name, Peers peers) {
        return request -> {
            if (!peers.trusted(request)) {
                return null;
            }
            // two lines: somebody has added one
            var lines = request.getHeaders().getFields(name);
            String value = lines.size() == 1 ? lines.get(0).getValue() : null;
            return value == null || value.isBlank() ? null : Caller.of(value.strip());
        };
    }

    static Callers jwt(Jwts jwts) {
        return new Callers() {
            @Override
            public boolean waits(Request request) {
                String token = bearer(request);
                return token != null && jwts.waits(token);
            }

            @Override
            public @Nullable Caller of(Request request) {
                String token = bearer(request);
                String principal = token == null ? null : jwts.principal(token);
                return principal == null ? null : Caller.of(principal);
            }
        };
    }

    private static @Nullable String bearer(Request request) {
        var lines = request.getHeaders().getFields("Authorization");
        String value = lines.size() == 1 ? lines.get(0).getValue() : null;
        return value == null || !value.regionMatches(true, 0, "Bearer ", 0, 7)
                ? null
                : value.substring(7).strip();
    }
}
