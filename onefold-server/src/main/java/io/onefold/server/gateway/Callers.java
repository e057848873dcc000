package io.onefold.server.gateway;

import io.onefold.http.Caller;
import org.eclipse.jetty.server.Request;
import org.jspecify.annotations.Nullable;

/** Finds out who asks. */
@FunctionalInterface
interface Callers {
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
        return request -> {
            var lines = request.getHeaders().getFields("Authorization");
            String value = lines.size() == 1 ? lines.get(0).getValue() : null;
            if (value == null || !value.regionMatches(true, 0, "Bearer ", 0, 7)) {
                return null;
            }
            String principal = jwts.principal(value.substring(7).strip());
            return principal == null ? null : Caller.of(principal);
        };
    }
}
