package io.onefold.http;

import java.util.List;
import java.util.Set;

/**
 * What lets scripts of other origins read answers that no application has seen. It is made anew for each answer, and never stored.
 *
 * @param origins that are allowed; empty to leave it to the application
 */
record Cors(Set<String> origins, boolean credentials) {
    private static final String EXPOSED =
            "Idempotent-Replayed, Idempotency-Key, Idempotency-Key-Expires, Retry-After, Location, Link";

    List<Field> headers(Head head) {
        List<String> lines = head.headers("Origin");
        if (origins.isEmpty() || lines.size() != 1) {
            return List.of();
        }
        String origin = lines.get(0);
        boolean any = origins.contains("*") && !credentials;
        if (!any && !origins.contains(origin)) {
            return List.of(new Field("Vary", "Origin"));
        }
        Field allowed = new Field("Access-Control-Allow-Origin", any ? "*" : origin);
        Field exposed = new Field("Access-Control-Expose-Headers", EXPOSED);
        Field varies = new Field("Vary", "Origin");
        return credentials
                ? List.of(allowed, new Field("Access-Control-Allow-Credentials", "true"), exposed, varies)
                : List.of(allowed, exposed, varies);
    }

    static boolean preflight(Head head) {
        return head.method().equals("OPTIONS")
                && !head.headers("Access-Control-Request-Method").isEmpty();
    }
}
