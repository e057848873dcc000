package io.onefold.server.config;

import io.onefold.http.Policy;
import io.onefold.http.Route;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Reads which requests are one operation, and which pass. */
final class RouteReader {
    private static final String EXAMPLE = "such as \"match: POST /orders/{id}/capture\" or \"pass: /internal/**\"";
    private static final List<String> METHODS = List.of("POST", "PATCH");

    private RouteReader() {}

    /** The routes that are written down, and after them all else that has one of the methods. */
    static List<Route> read(Section top, PolicyReader defaults) {
        List<Route> routes = new ArrayList<>();
        for (Section section : top.sections("routes")) {
            routes.add(route(section, defaults));
            section.done();
        }
        List<String> methods = top.list("methods", RouteReader::method);
        Otherwise otherwise = top.choice("otherwise", Otherwise.class);
        if (otherwise == Otherwise.PASS) {
            routes.add(Route.passing("/**"));
        } else {
            Set<String> covered = Set.copyOf(methods == null ? METHODS : methods);
            routes.add(new Route(covered, "/**", null, false, Policy.unchanged()));
        }
        return List.copyOf(routes);
    }

    private static Route route(Section section, PolicyReader defaults) {
        String match = section.text("match");
        String pass = section.text("pass");
        if ((match == null) == (pass == null)) {
            throw new ConfigException(section.where("match") + ": a route has either match or pass, " + EXAMPLE);
        }
        if (pass != null) {
            return section.checked("pass", () -> Route.passing(path(pass)));
        }
        String operation = section.text("operation");
        Policy policy = defaults.route(section).read();
        Route route = section.checked("match", () -> matching(match));
        return new Route(route.methods(), route.pattern(), operation, false, policy);
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

    private enum Otherwise {
        PROTECT,
        PASS
    }
}
