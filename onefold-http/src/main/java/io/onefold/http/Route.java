package io.onefold.http;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Requests that are one operation.
 *
 * @param methods in upper case; none for all, if they pass
 * @param pattern a path with parts in braces that match any one segment, and perhaps a last segment <code>**</code> that matches all
 *     that follow: <code>/orders/{id}/capture</code>
 * @param operation its name; null for the methods and the pattern
 * @param passes whether they pass, whatever a later route says
 */
public record Route(
        Set<String> methods, String pattern, @Nullable String operation, boolean passes, HttpPolicy policy) {

    public Route {
        methods = Set.copyOf(methods);
        var unused = new PathPattern(pattern);
        if (methods.isEmpty() && !passes) {
            throw new IllegalArgumentException("the route " + pattern + " has no methods; name some, such as POST");
        }
        for (String method : methods) {
            if (method.isBlank() || !method.equals(method.toUpperCase(Locale.ROOT))) {
                throw new IllegalArgumentException("the route " + pattern + " has the method '" + method
                        + "'; methods are in upper case, such as POST");
            }
        }
    }

    /**
     * Requests whose handlers claim, several of which may share the path: see {@link HttpContract.Builder#handler}. Those that announce a
     * body beyond the limit pass, since their handlers may not be protected at all.
     */
    public static Route claimedByHandlers(String method, String pattern) {
        return new Route(
                Set.of(method),
                pattern,
                null,
                false,
                HttpPolicy.unchanged().claimedByHandler().withoutKeySource());
    }

    /** Returns true if its requests are claimed before they reach a handler. */
    public boolean isClaimedByFilter() {
        return !passes && !ProtectedOperation.yes(policy.late);
    }

    /** Returns true if it leads to handlers of several operations, which make the claims themselves. */
    boolean isOfHandlers() {
        return operation == null && ProtectedOperation.yes(policy.late);
    }

    /**
     * Refuses what contradicts itself before a contract is built, for who can tell where it was written.
     *
     * @throws IllegalArgumentException naming both values
     */
    public void check(HttpProfile profile, HttpPolicy defaults) {
        if (!passes) {
            var unused = new RouteTable(profile, defaults, List.of(this));
        }
    }

    /**
     * Does the same as {@link #check(HttpProfile, HttpPolicy)} for several routes. It also rejects routes that share an
     * operation but differ in a setting that an operation can have only once.
     *
     * @throws IllegalArgumentException naming both routes
     */
    public static void check(HttpProfile profile, HttpPolicy defaults, List<Route> routes) {
        var unused = new RouteTable(profile, defaults, routes);
    }

    /**
     * Returns the coverage of its requests under these defaults, which apply to every setting that the route does not
     * choose. A route that passes covers nothing.
     */
    public OperationCoverage coverage(HttpProfile profile, HttpPolicy defaults) {
        if (passes) {
            throw new IllegalStateException("requests of " + pattern + " pass");
        }
        HttpPolicy whole = policy.over(defaults.over(profile.policy()));
        return OperationCoverage.of(
                ProtectedOperation.of(name(methods.iterator().next(), profile), whole));
    }

    /** The operation that requests of this method are. */
    public String name(String method, HttpProfile profile) {
        if (operation != null) {
            return operation;
        }
        if (profile == HttpProfile.STRIPE) {
            return "http"; // a key that is used for another endpoint is the same key
        }
        String name = new PathPattern(pattern).name();
        return name.equals("/...") ? method : method + " " + name;
    }

    public static Route of(String method, String pattern) {
        return new Route(Set.of(method), pattern, null, false, HttpPolicy.unchanged());
    }

    public static Route passing(String pattern) {
        return new Route(Set.of(), pattern, null, true, HttpPolicy.unchanged());
    }

    public Route methods(String... others) {
        return new Route(Set.of(others), pattern, operation, passes, policy);
    }

    public Route named(String name) {
        return new Route(methods, pattern, name, passes, policy);
    }

    public Route policy(HttpPolicy other) {
        return new Route(methods, pattern, operation, passes, other);
    }
}
