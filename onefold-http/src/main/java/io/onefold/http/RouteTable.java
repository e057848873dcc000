package io.onefold.http;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The table of the requests that are covered, with their operations. */
final class RouteTable {
    private static final Set<String> UNSAFE = Set.of("POST", "PATCH");
    private static final String EVERYTHING = "/**";

    private final HttpPolicy rest;
    private final List<KeySource> sources;
    private final List<RouteEntry> entries = new ArrayList<>();
    private final Map<String, ProtectedOperation> operations = new LinkedHashMap<>();
    private final Map<String, Route> firsts = new HashMap<>();

    RouteTable(HttpProfile profile, HttpPolicy defaults, List<Route> routes) {
        this(profile, defaults, routes, Map.of());
    }

    /**
     * @param routes if there are none but passing ones, all POST and PATCH requests that do not pass are covered
     * @param handlers operations that no route has for itself, since several handlers share it
     */
    RouteTable(HttpProfile profile, HttpPolicy defaults, List<Route> routes, Map<String, HttpPolicy> handlers) {
        this.rest = defaults.over(profile.policy());
        this.sources = Objects.requireNonNull(rest.sources);
        List<Route> all = routes.stream().allMatch(Route::passes) ? withRest(routes) : routes;
        for (Route route : all) {
            PathPattern pattern = new PathPattern(route.pattern());
            Map<String, ProtectedOperation> byMethod = new LinkedHashMap<>();
            HttpPolicy policy = route.policy().over(rest);
            for (String method : route.passes() ? Set.<String>of() : route.methods()) {
                byMethod.put(method, covered(route, route.name(method, profile), policy));
            }
            entries.add(new RouteEntry(route, pattern, byMethod));
        }
        handlers.forEach(
                (name, policy) -> operations.putIfAbsent(name, ProtectedOperation.of(name, policy.over(rest))));
    }

    private static List<Route> withRest(List<Route> passing) {
        List<Route> all = new ArrayList<>(passing);
        if (passing.stream().noneMatch(RouteTable::passesEverything)) {
            all.add(new Route(UNSAFE, EVERYTHING, null, false, HttpPolicy.unchanged()));
        }
        return all;
    }

    /** Behind it, no route is ever reached. */
    private static boolean passesEverything(Route route) {
        return route.passes() && route.methods().isEmpty() && route.pattern().equals(EVERYTHING);
    }

    private ProtectedOperation covered(Route route, String name, HttpPolicy policy) {
        ProtectedOperation covered = ProtectedOperation.of(name, policy);
        if (route.isOfHandlers()) {
            return covered.ofHandlers(); // it is no operation of its own
        }
        ProtectedOperation first = operations.putIfAbsent(name, covered);
        Route other = firsts.putIfAbsent(name, route);
        if (first != null && other != null) {
            alike("tokens", first.policy().tokens, policy.tokens, name, other, route);
            alike("hashKeys", first.policy().hashKeys, policy.hashKeys, name, other, route);
        }
        return covered;
    }

    /** An operation has one kind of keys: who issues a token for it, or looks a request up, knows its name alone. */
    private static void alike(
            String what, @Nullable Boolean one, @Nullable Boolean two, String name, Route first, Route second) {
        if (!Objects.equals(one, two)) {
            throw new IllegalArgumentException("the routes " + first.pattern() + " and " + second.pattern()
                    + " are one operation, " + name + ", but " + what + " is " + one + " for the first and " + two
                    + " for the second: let both have the same, or names of their own");
        }
    }

    /** Null if it is not. */
    @Nullable
    ProtectedOperation of(String method, String path) {
        PathPattern.SentPath sent = new PathPattern.SentPath(path);
        for (int i = 0; i < entries.size(); i++) {
            RouteEntry entry = entries.get(i);
            ProtectedOperation covered = entry.byMethod.get(method);
            if (entry.pattern.matches(sent)) {
                if (covered != null || entry.passes(method)) {
                    return covered;
                }
            } else if (covered != null && entry.resembles(sent, covered.policy()) && !isNamedAfter(i, method, sent)) {
                return covered;
            }
        }
        return null;
    }

    /** Returns true if a later route is for this very path, as it was sent. */
    private boolean isNamedAfter(int index, String method, PathPattern.SentPath sent) {
        return entries.subList(index + 1, entries.size()).stream()
                .anyMatch(entry -> (entry.passes(method) || entry.byMethod.containsKey(method))
                        && entry.pattern.isOnePath()
                        && entry.pattern.matches(sent));
    }

    /**
     * Returns true if a service behind may read the path as one of another route, which has other requirements. A path
     * that is not ambiguous may be read in any way.
     */
    @SuppressWarnings("ReferenceEquality") // each route has one
    boolean isAmbiguous(String method, String path) {
        ProtectedOperation covered = of(method, path);
        for (String reading : PathInterpretations.of(path)) {
            ProtectedOperation other = of(method, reading);
            if (other != null && !other.equals(covered) && !other.shadow() && !asksAsMuch(covered, other)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Returns true if the request has a route of its own, the other operation is that of the route for everything else,
     * and that route rejects no request that the request's own route accepts.
     */
    private boolean asksAsMuch(@Nullable ProtectedOperation covered, ProtectedOperation other) {
        boolean rest = entries.stream()
                .anyMatch(entry -> entry.route.pattern().equals(EVERYTHING) && entry.byMethod.containsValue(other));
        return rest && covered != null && (covered.required() || !other.required());
    }

    /** Returns the policy for the response to a request, covered or not. */
    HttpPolicy policy(String method, String path) {
        ProtectedOperation covered = of(method, path);
        return covered == null ? rest : covered.policy();
    }

    @Nullable
    ProtectedOperation named(String operation) {
        return operations.get(operation);
    }

    /** Returns the default places of keys, for routes that name none. */
    List<KeySource> sources() {
        return sources;
    }

    Collection<ProtectedOperation> operations() {
        return operations.values();
    }

    /** For each route and method. */
    List<ProtectedOperation> all() {
        return entries.stream()
                .flatMap(entry -> entry.byMethod.values().stream())
                .toList();
    }

    /** The operations of a route; several if it has several methods and no name. */
    Collection<ProtectedOperation> of(Route route) {
        return entries.stream()
                .filter(entry -> entry.route.equals(route))
                .flatMap(entry -> entry.byMethod.values().stream())
                .toList();
    }

    /** Returns true if other routes have the operation as well. */
    boolean shared(String operation, Route route) {
        return entries.stream()
                .filter(entry -> !entry.route.equals(route))
                .flatMap(entry -> entry.byMethod.values().stream())
                .anyMatch(covered -> covered.operation().name().equals(operation));
    }

    private record RouteEntry(Route route, PathPattern pattern, Map<String, ProtectedOperation> byMethod) {
        boolean passes(String method) {
            return route.passes()
                    && (route.methods().isEmpty() || route.methods().contains(method));
        }

        boolean resembles(PathPattern.SentPath sent, HttpPolicy policy) {
            return pattern.resembles(
                    sent, !Boolean.FALSE.equals(policy.anySlash), !Boolean.FALSE.equals(policy.anyCase));
        }
    }
}
