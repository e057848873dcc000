package io.onefold.server.config;

import io.onefold.http.HttpPolicy;
import io.onefold.http.Route;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Reads which requests belong to an operation, and which pass. */
final class RouteReader {
    private static final String EXAMPLE = "such as \"match: POST /orders/{id}/capture\" or \"pass: /internal/**\"";
    private static final List<String> METHODS = List.of("POST", "PATCH");

    private RouteReader() {}

    /** Returns the written routes, followed by one for all other requests with one of the methods. */
    static RouteConfig read(ConfigSection top, PolicyReader defaults) {
        List<Route> routes = new ArrayList<>();
        Map<Route, ProbeUrl> probes = new LinkedHashMap<>();
        Map<String, String> reached = new HashMap<>();
        for (ConfigSection section : top.sections("routes")) {
            Route route = route(section, defaults);
            checkReached(route, section, reached);
            routes.add(route);
            if (!route.passes()) {
                defaults.together(routes, section, section.has("operation") ? "operation" : "match");
                ProbeUrl probe = section.value("probe", text -> probe(text, section));
                if (probe != null) {
                    probes.put(route, probe);
                }
            }
            section.done();
        }
        List<String> methods = top.list("methods", RouteReader::method);
        if (methods != null && methods.isEmpty()) {
            throw new ConfigException(top.where("methods")
                    + ": methods: name at least one, such as POST; \"otherwise: pass\" if nothing else is protected");
        }
        OtherwiseOption otherwise = top.choice("otherwise", OtherwiseOption.class);
        if (otherwise == OtherwiseOption.PASS && methods != null) {
            throw new ConfigException(top.where("methods")
                    + ": methods are those that are protected elsewhere, but otherwise: pass protects none of them");
        }
        if (otherwise == OtherwiseOption.PASS) {
            routes.add(Route.passing("/**"));
        } else {
            Set<String> covered = Set.copyOf(methods == null ? METHODS : methods);
            routes.add(defaults.checked(new Route(covered, "/**", null, false, HttpPolicy.unchanged())));
            defaults.together(routes, top, "routes");
        }
        return new RouteConfig(List.copyOf(routes), Collections.unmodifiableMap(probes));
    }

    private static Route route(ConfigSection section, PolicyReader defaults) {
        String match = section.text("match");
        String pass = section.text("pass");
        if (pass != null && match == null) {
            return section.checked("pass", () -> Route.passing(path(pass)));
        }
        if (match == null || pass != null) {
            throw new ConfigException(section.where("match") + ": a route has either match or pass, " + EXAMPLE);
        }
        Route matched = defaults.named("match", section, () -> matching(match));
        String operation = section.text("operation");
        Route route =
                operation == null ? matched : defaults.named("operation", section, () -> matched.named(operation));
        HttpPolicy policy = defaults.route(section).readRoute();
        return defaults.checked(route.policy(policy), section);
    }

    private static ProbeUrl probe(String text, ConfigSection section) {
        return ProbeUrl.parse(text, String.valueOf(section.said("probe")), section.where("probe"));
    }

    /** Rejects a repeated route: the first match counts, so the second would never be used. */
    private static void checkReached(Route route, ConfigSection section, Map<String, String> reached) {
        // the name of a placeholder makes no difference
        String pattern = route.pattern().replaceAll("\\{[^/]*}", "{}");
        String name = route.passes() ? "pass" : "match";
        for (String method : route.passes() ? Set.of("") : route.methods()) {
            String earlier = reached.getOrDefault(pattern, reached.get(method + " " + pattern));
            if (earlier != null) {
                throw new ConfigException(
                        section.where(name) + ": " + name + ": " + (method + " " + route.pattern()).trim()
                                + " is there already, at " + earlier + ", and the first that matches counts");
            }
        }
        for (String method : route.methods()) {
            reached.put(method + " " + pattern, section.where(name));
        }
        if (route.passes()) {
            reached.put(pattern, section.where(name));
        }
    }

    private static Route matching(String text) {
        String[] words = text.trim().split("\\s+", -1);
        if (words.length != 2) {
            throw new IllegalArgumentException("\"" + text + "\" is not a method and a path, " + EXAMPLE);
        }
        Set<String> methods = Set.copyOf(List.of(words[0].split(",", -1)).stream()
                .map(RouteReader::method)
                .toList());
        return new Route(methods, path(words[1]), null, false, HttpPolicy.unchanged());
    }

    private static String path(String text) {
        if (!text.startsWith("/")) {
            throw new IllegalArgumentException("\"" + text + "\" does not begin with /");
        }
        return text;
    }

    private static String method(String text) {
        if (!text.matches("[A-Z]+")) {
            throw new IllegalArgumentException("\"" + text + "\" is not a method in capitals, such as POST");
        }
        if (Set.of("GET", "HEAD", "OPTIONS", "TRACE", "QUERY", "CONNECT").contains(text)) {
            throw new IllegalArgumentException(
                    text + " changes nothing and always passes; allowed are POST, PATCH, PUT,"
                            + " DELETE and others that change something");
        }
        return text;
    }

    record RouteConfig(List<Route> routes, Map<Route, ProbeUrl> probes) {}

    private enum OtherwiseOption {
        PROTECT,
        PASS
    }
}
