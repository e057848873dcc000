package io.onefold.http;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Writes the headers that let scripts of other origins read responses that do not come from the service. They are
 * made for each response and never stored.
 *
 * @param origins the allowed origins; empty to leave CORS to the service
 */
record CorsHeaders(Set<String> origins, boolean credentials, ReplayHeader marker) {
    static final String ALLOW_ORIGIN = "Access-Control-Allow-Origin";

    private static final String ALLOW_CREDENTIALS = "Access-Control-Allow-Credentials";
    private static final String EXPOSE = "Access-Control-Expose-Headers";
    private static final String VARY = "Vary";
    private static final String EXPOSED =
            "Idempotency-Key-Expires, Onefold-Stored, Repeatability-Result, Retry-After, Location, Content-Location, ETag, Link";

    CorsHeaders {
        if (credentials && origins.contains("*")) {
            throw new IllegalArgumentException(
                    "credentials are for origins that are named, but the origins are " + new TreeSet<>(origins));
        }
    }

    /** @param keys the headers that the key of the request may come in, and is echoed in */
    List<HeaderField> headers(RequestHead head, List<String> keys) {
        String origin = origin(head);
        if (origin == null) {
            return List.of();
        }
        HeaderField varies = new HeaderField(VARY, "Origin");
        if (!names(origin)) {
            return List.of(varies);
        }
        HeaderField allowed = new HeaderField(ALLOW_ORIGIN, origins.contains("*") ? "*" : origin);
        HeaderField exposed = new HeaderField(EXPOSE, marker.name() + ", " + listed(EXPOSED, keys));
        return credentials
                ? List.of(allowed, new HeaderField(ALLOW_CREDENTIALS, "true"), exposed, varies)
                : List.of(allowed, exposed, varies);
    }

    /** The origin of the request; null if it has none, or if no origins are configured. */
    private @Nullable String origin(RequestHead head) {
        List<String> lines = origins.isEmpty() ? List.of() : head.headers("Origin");
        return lines.size() == 1 ? lines.get(0) : null;
    }

    private boolean names(String origin) {
        return origins.contains("*") || origins.contains(origin);
    }

    /**
     * Merges these headers into those of a service. The service's origin and credentials stay together: if it
     * has set them, both are kept as they are. The lists of readable headers, and of headers that the response varies
     * by, are united.
     */
    static void join(List<HeaderField> ours, List<HeaderField> headers) {
        if (ours.isEmpty()) {
            return;
        }
        boolean said = has(headers, ALLOW_ORIGIN);
        if (!said && has(ours, ALLOW_ORIGIN)) {
            headers.removeIf(field -> field.name().equalsIgnoreCase(ALLOW_CREDENTIALS));
        }
        for (HeaderField field : ours) {
            if (field.name().equals(EXPOSE) || field.name().equals(VARY)) {
                add(field, headers);
            } else if (!said) {
                headers.add(field);
            }
        }
    }

    private static void add(HeaderField ours, List<HeaderField> headers) {
        for (int i = 0; i < headers.size(); i++) {
            HeaderField field = headers.get(i);
            if (field.name().equalsIgnoreCase(ours.name())) {
                headers.set(
                        i,
                        new HeaderField(
                                field.name(),
                                listed(field.value(), List.of(ours.value().split(", ")))));
                return;
            }
        }
        headers.add(ours);
    }

    /** Returns the list, with those of the names appended that it lacks. */
    static String listed(String list, List<String> names) {
        Set<String> known = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        for (String name : list.split(",", -1)) {
            known.add(name.strip());
        }
        List<String> all = new ArrayList<>(list.isBlank() ? List.of() : List.of(list.strip()));
        for (String name : names) {
            if (known.add(name)) {
                all.add(name);
            }
        }
        return String.join(", ", all);
    }

    private static boolean has(List<HeaderField> headers, String name) {
        return headers.stream().anyMatch(field -> field.name().equalsIgnoreCase(name));
    }

    static boolean preflight(RequestHead head) {
        return head.method().equals("OPTIONS")
                && !head.headers("Access-Control-Request-Method").isEmpty();
    }

    /** The method that a preflight from an allowed origin asks for; null if the request is not such a preflight. */
    @Nullable
    String asked(RequestHead head) {
        String origin = origin(head);
        return origin != null && names(origin) && preflight(head)
                ? head.headers("Access-Control-Request-Method").get(0).strip().toUpperCase(Locale.ROOT)
                : null;
    }
}
