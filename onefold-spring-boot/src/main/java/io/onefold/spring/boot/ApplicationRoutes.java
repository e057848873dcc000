package io.onefold.spring.boot;

import io.onefold.http.HttpPolicy;
import io.onefold.http.HttpProfile;
import io.onefold.http.Route;
import io.onefold.spring.IdempotentMethod;
import io.onefold.spring.IdempotentMethodRegistry;
import io.onefold.spring.OperationSettingsRegistry;
import io.onefold.spring.boot.HttpProperties.RequestCoverage;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Which requests are which operations.
 *
 * @param routes the first that matches counts
 * @param handled operations that are claimed for the handlers that have them
 * @param others operations that are those of routes
 */
record ApplicationRoutes(List<Route> routes, Set<String> handled, Set<String> others) {
    private static final String EVERYTHING = "/**";
    private static final Set<String> UNSAFE = Set.of("POST", "PATCH");

    ApplicationRoutes {
        routes = List.copyOf(routes);
        handled = Set.copyOf(handled);
        others = Collections.unmodifiableSet(new TreeSet<>(others));
    }

    /**
     * Those that are configured first, for they are more particular than annotations can be.
     *
     * @param handlers the routes of handlers
     */
    static ApplicationRoutes of(
            HttpProperties http,
            OperationSettingsRegistry policies,
            IdempotentMethodRegistry methods,
            List<Route> handlers) {
        Set<String> handled = new TreeSet<>();
        for (Route route : handlers) {
            if (route.isClaimedByFilter() && route.operation() != null) {
                handled.add(route.operation());
            }
        }
        RouteCollector making = new RouteCollector(http.profile(), policies);
        for (RouteProperties configured : http.routes()) {
            for (Route route : named(configured.route(), http.profile())) {
                checkHandler(route, methods, handlers);
                making.add(route);
            }
        }
        for (Route route : handlers) {
            if (route.operation() != null || !route.isClaimedByFilter()) {
                making.routes.add(route);
            } else {
                named(route, http.profile()).forEach(making::add);
            }
        }
        if (http.cover() == RequestCoverage.ALL) {
            named(new Route(UNSAFE, EVERYTHING, null, false, HttpPolicy.unchanged()), http.profile())
                    .forEach(making::add);
        }
        making.routes.add(Route.passing(EVERYTHING));
        return new ApplicationRoutes(making.routes, handled, making.others);
    }

    /** Whether requests of a handler's operation are claimed before they reach it. */
    boolean isClaimedByFilter(String operation) {
        return routes.stream().anyMatch(route -> route.isClaimedByFilter() && operation.equals(route.operation()));
    }

    /** With the names that their operations have anyway, by which they are configured. */
    static List<Route> named(Route route, HttpProfile profile) {
        if (route.passes() || route.operation() != null) {
            return List.of(route);
        }
        List<Route> named = new ArrayList<>();
        for (String method : new TreeSet<>(route.methods())) {
            named.add(new Route(Set.of(method), route.pattern(), route.name(method, profile), false, route.policy()));
        }
        return named;
    }

    /** The operation of a method is claimed for that method alone: anything else under its name would answer its duplicates. */
    private static void checkHandler(Route route, IdempotentMethodRegistry methods, List<Route> handlers) {
        for (IdempotentMethod method : methods.all()) {
            if (!route.passes() && method.name().equals(route.operation())) {
                for (String verb : route.methods()) {
                    if (handlers.stream().noneMatch(handler -> isSame(route, verb, handler))) {
                        throw new ContradictorySettingsException(
                                "onefold.http.routes: the operation \"" + method.name() + "\" of " + verb + " "
                                        + route.pattern() + " is that of " + method
                                        + ", which does not handle these requests, or claims by its arguments or in its transaction",
                                "Give the route another operation, or leave it to the annotation.");
                    }
                }
            }
        }
    }

    private static boolean isSame(Route route, String verb, Route handler) {
        return handler.isClaimedByFilter()
                && handler.methods().contains(verb)
                && String.valueOf(handler.operation()).equals(route.operation())
                && shape(handler.pattern()).equals(shape(route.pattern()));
    }

    /** Whatever its places are called. */
    private static String shape(String pattern) {
        return pattern.replaceAll("\\{[^/]*}", "{}");
    }

    private static final class RouteCollector {
        private final HttpProfile profile;
        private final OperationSettingsRegistry policies;
        private final List<Route> routes = new ArrayList<>();
        private final Set<String> others = new TreeSet<>();

        RouteCollector(HttpProfile profile, OperationSettingsRegistry policies) {
            this.profile = profile;
            this.policies = policies;
        }

        void add(Route route) {
            if (route.passes()) {
                routes.add(route);
                return;
            }
            String name = route.name(route.methods().iterator().next(), profile);
            others.add(name);
            routes.add(route.policy(policies.of(name).policy(route.policy())));
        }
    }
}
