package io.onefold.server.config;

import io.onefold.http.Policy;
import io.onefold.http.Route;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Reads which requests are one operation, and which pass. */
final class RouteReader {
    private static final String EXAMPLE = "such as \"match: POST /orders/{id}/capture\" or \"pass: /internal/**\"";
    private static final List<String> METHODS = List.of("POST", "PATCH");

    private RouteReader() {}

    /** The routes that are written down, and after them all else that has one of the methods. */
    static Read read(Section top, PolicyReader defaults) {
        List<Route> routes = new ArrayList<>();
        Map<Route, ProbeAddress> probes = new LinkedHashMap<>();
        for (Section section : top.sections("routes")) {
            Route route = route(section, defaults);
            routes.add(route);
            ProbeAddress probe = route.passes() ? null : section.value("probe", ProbeAddress::parse);
            if (probe != null) {
                probes.put(route, probe);
            }
            section.done();
        }
        List<String> methods = top.list("methods", RouteReader::method);
        if (methods != null && methods.isEmpty()) {
            throw new ConfigException(top.where("methods")
                    + ": methods: name at least one, such as POST; \"otherwise: pass\" if nothing else is protected");
        }
        Otherwise otherwise = top.choice("otherwise", Otherwise.class);
        if (otherwise == Otherwise.PASS) {
            routes.add(Route.passing("/**"));
        } else {
            Set<String> covered = Set.copyOf(methods == null ? METHODS : methods);
            routes.add(defaults.checked(new Route(covered, "/**", null, false, Policy.unchanged())));
        }
        return new Read(List.copyOf(routes), Collections.unmodifiableMap(probes));
    }

    private static Route route(Section section, PolicyReader defaults) {
        String match = section.text("match");
        String pass = section.text("pass");
        if (pass != null && match == null) {
            return section.checked("pass", () -> Route.passing(path(pass)));
        }
        if (match == null || pass != null) {
            throw new ConfigException(section.where("match") + ": a route has either match or pass, " + EXAMPLE);
        }
        String operation = section.text("operation");
        Policy policy = defaults.route(section).read();
        Route route = section.checked("match", () -> matching(match));
        return defaults.checked(new Route(route.methods(), route.pattern(), operation, false, policy), section);
    }

    private static Route matching(String text) {
        String[] words = text.trim().split("\\s+", -1);
        if (words.length != 2) {
            throw new IllegalArgumentException("\"" + text + "\" is not a method and a path, " + EXAMPLE);
        }
        Set<String> methods = Set.copyOf(List.of(words[0].split(",", -1)).stream()
                .map(RouteReader::method)
                .toList());
        return new Route(methods, path(words[1]), null, false, Policy.unchanged());
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
        if (Set.of("GET", "HEAD", "OPTIONS", "TRACE", "CONNECT").contains(text)) {
            throw new IllegalArgumentException(
                    text + " changes nothing and always passes; allowed are POST, PATCH, PUT,"
                            + " DELETE and others that change something");
        }
        return text;
    }

    record Read(List<Route> routes, Map<Route, ProbeAddress> probes) {}

    private enum Otherwise {
        PROTECT,
        PASS
    }
}
