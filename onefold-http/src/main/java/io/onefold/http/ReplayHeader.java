package io.onefold.http;

import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;

/**
 * The header that says {@code true} where an answer is an earlier one. Nobody but Onefold says it: it is taken out of what applications
 * answer, and at a gateway out of what clients send. So it must mean nothing else.
 */
public record ReplayHeader(String name) {
    /** The header that most services use, Stripe among them. */
    public static final String USUAL = "Idempotent-Replayed";

    private static final Set<String> TAKEN = Set.of(
            "allow",
            "cache-control",
            "expect",
            "forwarded",
            "from",
            "host",
            "idempotency-key-expires",
            "max-forwards",
            "origin",
            "pragma",
            "range",
            "referer",
            "repeatability-first-sent",
            "repeatability-request-id",
            "repeatability-result",
            "user-agent",
            "vary",
            "x-real-ip");

    private static final List<String> TAKEN_BEGINNING = List.of("accept", "content-", "if-", "sec-", "x-forwarded-");

    public ReplayHeader {
        if (name.isEmpty()
                || !CharacterRules.all(name, c -> ParameterizedHeader.isTokenPart((char) c))
                || name.indexOf('_') >= 0) {
            throw new IllegalArgumentException("the replay marker is the name of a header, such as " + USUAL
                    + ", without underscores, which many proxies drop; it cannot be \"" + name + "\"");
        }
        if (!name.equalsIgnoreCase(USUAL) && isTaken(name.toLowerCase(Locale.ROOT))) {
            throw new IllegalArgumentException("the replay marker cannot be " + name
                    + ", which means something else, or belongs to a connection: choose a header of its own, such as "
                    + USUAL);
        }
    }

    private static boolean isTaken(String lowerCase) {
        return TAKEN.contains(lowerCase)
                || StoredHeaderRules.hasMeaning(lowerCase)
                || TAKEN_BEGINNING.stream().anyMatch(lowerCase::startsWith);
    }

    /**
     * Refuses a marker that a route has another use for.
     *
     * @throws IllegalArgumentException and says which
     */
    public void check(HttpProfile profile, HttpPolicy defaults, List<Route> routes) {
        check(new RouteTable(profile, defaults, routes));
    }

    void check(RouteTable routes) {
        for (ProtectedOperation covered : routes.all()) {
            check(covered, "keys come in it", covered.headers());
            HttpPolicy policy = covered.policy();
            check(covered, "store-headers names it", Objects.requireNonNull(policy.storedHeaders));
            check(covered, "it is compared", Objects.requireNonNull(policy.comparedHeaders));
        }
    }

    private void check(ProtectedOperation covered, String why, Iterable<String> headers) {
        for (String header : headers) {
            if (HeaderNames.readAlike(header, name)) {
                throw new IllegalArgumentException("the replay marker cannot be " + name + ": for "
                        + covered.operation().name() + ", " + why);
            }
        }
    }

    boolean is(String header) {
        return header.equalsIgnoreCase(name);
    }
}
