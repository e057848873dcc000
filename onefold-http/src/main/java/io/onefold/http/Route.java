package io.onefold.http;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Requests that are one operation.
 *
 * @param methods in upper case
 * @param pattern a path with parts in braces that match any one segment, and perhaps a last segment <code>**</code> that matches all
 *     that follow: <code>/orders/{id}/capture</code>
 * @param operation its name; null for the methods and the pattern
 * @param passes whether they pass, whatever a later route says
 */
public record Route(
        Set<String> methods, String pattern, @Nullable String operation, boolean passes, Policy policy) {

    public static Route of(String method, String pattern) {
        return new Route(Set.of(method), pattern, null, false, Policy.unchanged());
    }

    public static Route passing(String pattern) {
        return new Route(Set.of(), pattern, null, true, Policy.unchanged());
    }

    public Route methods(String... others) {
        return new Route(Set.of(others), pattern, operation, passes, policy);
    }

    public Route named(String name) {
        return new Route(methods, pattern, name, passes, policy);
    }

    public Route policy(Policy other) {
        return new Route(methods, pattern, operation, passes, other);
    }
}
