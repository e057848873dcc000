package io.onefold.spring.web;

import io.onefold.http.HttpPolicy;
import io.onefold.http.Route;
import io.onefold.spring.IdempotentMethod;
import io.onefold.spring.IdempotentMethodRegistry;
import io.onefold.spring.NotIdempotent;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.util.pattern.PathPattern;

/**
 * Turns handlers into routes for the filter, in a servlet container or not. If the filter claims, waiting duplicates hold no thread. It
 * cannot claim for handlers whose keys only they know, whose records are transactional, or that share a path and a method with another.
 * These claim for themselves.
 */
public final class HandlerMappingRoutes {
    private static final Set<String> MUTATING = Set.of("POST", "PUT", "PATCH", "DELETE");

    private static final Set<String> UNSAFE = Set.of("POST", "PATCH");

    /** The framework's packages by name: there are applications under org.springframework, too. */
    private static final List<String> FRAMEWORK = Stream.of(
                    "boot", "cloud", "data", "graphql", "hateoas", "integration", "security", "session", "web", "ws")
            .map(part -> "org.springframework." + part + ".")
            .toList();

    private final IdempotentMethodRegistry methods;
    private final String prefix;
    private final boolean others;
    private final List<MappedHandler> all = new ArrayList<>();
    private final Map<String, Integer> shared = new HashMap<>();

    /**
     * @param prefix the path of the handlers: empty, or a path without a slash at its end
     * @param others true if POST and PATCH requests of handlers without an annotation are covered, too; otherwise they pass
     */
    public HandlerMappingRoutes(IdempotentMethodRegistry methods, String prefix, boolean others) {
        this.methods = methods;
        this.prefix = prefix;
        this.others = others;
    }

    /**
     * Adds a handler.
     *
     * @param verbs as {@link #verbs} returns them
     */
    public void add(HandlerMethod handler, Collection<PathPattern> patterns, Set<String> verbs) {
        IdempotentMethod method = method(handler, methods);
        boolean coverable = others && isOfApplication(handler) && !isExempt(handler) && !isReplaced(handler, methods);
        for (PathPattern pattern : patterns) {
            for (String verb : verbs) {
                boolean covered = coverable && UNSAFE.contains(verb);
                RoutePattern said = said(prefix, pattern.getPatternString());
                all.add(new MappedHandler(pattern, said, verb, method, covered));
                shared.merge(verb + " " + said.path, 1, Integer::sum);
            }
        }
    }

    /** The routes, the most specific first, as Spring matches them. */
    public List<Route> routes() {
        all.sort(Comparator.comparing(MappedHandler::pattern, PathPattern.SPECIFICITY_COMPARATOR)
                .thenComparing(MappedHandler::verb));
        Set<Route> routes = new LinkedHashSet<>();
        for (MappedHandler mapped : all) {
            routes.add(route(mapped, isAlone(mapped)));
        }
        return List.copyOf(routes);
    }

    /** Returns true if no other handler takes its requests. */
    private boolean isAlone(MappedHandler mapped) {
        return mapped.said.exactly && shared.getOrDefault(mapped.verb + " " + mapped.said.path, 0) == 1;
    }

    private Route route(MappedHandler mapped, boolean alone) {
        String path = mapped.said.path;
        IdempotentMethod method = mapped.method;
        if (method == null && mapped.covered && mapped.said.exactly && !shares(mapped)) {
            return Route.of(mapped.verb, path);
        }
        if (!alone) {
            return shares(mapped) ? Route.claimedByHandlers(mapped.verb, path) : passing(mapped);
        }
        if (method == null || (method.settings().isShadow() && method.filterPolicy() == null)) {
            return passing(mapped);
        }
        HttpPolicy policy = method.filterPolicy();
        return new Route(
                Set.of(mapped.verb), path, method.name(), false, policy == null ? method.latePolicy() : policy);
    }

    private static Route passing(MappedHandler mapped) {
        return new Route(Set.of(mapped.verb), mapped.said.path, null, true, HttpPolicy.unchanged());
    }

    /** Returns true if one of the handlers of the same requests is annotated. */
    private boolean shares(MappedHandler mapped) {
        return all.stream()
                .anyMatch(other -> other.method != null
                        && !other.method.settings().isShadow()
                        && other.verb.equals(mapped.verb)
                        && other.said.path.equals(mapped.said.path));
    }

    /**
     * Returns true if the handler is the annotated method of this operation, and all of its calls are seen. If there was no call, it has
     * not begun.
     */
    public static boolean isSeen(String operation, HandlerMethod handler, IdempotentMethodRegistry methods) {
        IdempotentMethod method = method(handler, methods);
        return method != null && method.name().equals(operation) && methods.seesCalls(handler.getBean());
    }

    /** Returns null if the handler has no annotation, or is not the method that is called. */
    public static @Nullable IdempotentMethod method(HandlerMethod handler, IdempotentMethodRegistry methods) {
        return isReplaced(handler, methods) ? null : methods.of(handler.getMethod(), handler.getBeanType());
    }

    /** Returns true if the handler is the application's, and says nothing about idempotency. */
    public static boolean isUnannotated(HandlerMethod handler, IdempotentMethodRegistry methods) {
        return isOfApplication(handler)
                && !isExempt(handler)
                && !isReplaced(handler, methods)
                && method(handler, methods) == null;
    }

    /** Returns true if a test has replaced the handler's bean, which is called unprotected. */
    private static boolean isReplaced(HandlerMethod handler, IdempotentMethodRegistry methods) {
        return methods.isReplaced(handler.getMethod(), handler.getBeanType());
    }

    /** Annotated handlers that have requests which the filter cannot claim for, with the method and path of these. */
    public Map<IdempotentMethod, String> left() {
        Map<IdempotentMethod, String> left = new LinkedHashMap<>();
        for (MappedHandler mapped : all) {
            if (mapped.method != null && !route(mapped, isAlone(mapped)).isClaimedByFilter()) {
                left.putIfAbsent(mapped.method, mapped.verb + " " + mapped.pattern);
            }
        }
        return left;
    }

    /** Returns true if it is not one of the framework's own handlers, for example for errors. */
    static boolean isOfApplication(HandlerMethod handler) {
        String type = handler.getBeanType().getName();
        return FRAMEWORK.stream().noneMatch(type::startsWith);
    }

    /** Returns true if the application says that the handler needs no protection. */
    private static boolean isExempt(HandlerMethod handler) {
        return handler.hasMethodAnnotation(NotIdempotent.class)
                || AnnotatedElementUtils.hasAnnotation(handler.getBeanType(), NotIdempotent.class);
    }

    /**
     * The HTTP methods that a handler takes and that change something.
     *
     * @param mapped empty for all
     */
    public static Set<String> verbs(Set<RequestMethod> mapped) {
        Set<String> verbs = new TreeSet<>();
        mapped.forEach(verb -> verbs.add(verb.name()));
        verbs.retainAll(MUTATING);
        return mapped.isEmpty() ? MUTATING : verbs;
    }

    /**
     * Translates a pattern to a route. If routes cannot express it, the route matches more than the pattern, so that it may only let
     * requests pass.
     */
    static RoutePattern said(String prefix, String pattern) {
        StringBuilder path = new StringBuilder(prefix);
        boolean exactly = true;
        String[] segments = (pattern.startsWith("/") ? pattern.substring(1) : pattern).split("/", -1);
        for (int i = 0; i < segments.length; i++) {
            String segment = segments[i];
            boolean rest = segment.equals("**") || segment.startsWith("{*");
            if (rest) {
                return new RoutePattern(path.append("/**").toString(), exactly && i == segments.length - 1);
            }
            boolean place = segment.startsWith("{") && segment.indexOf('}') == segment.length() - 1;
            boolean wild = segment.chars().anyMatch(c -> "{}*?".indexOf(c) >= 0);
            // a regular expression leaves some of the paths to other handlers
            exactly &= !wild || segment.equals("*") || (place && segment.indexOf(':') < 0);
            path.append('/').append(wild ? "{" + i + "}" : segment);
        }
        return new RoutePattern(path.toString(), exactly);
    }

    /**
     * A pattern as a route.
     *
     * @param exactly true if it matches exactly the same paths
     */
    record RoutePattern(String path, boolean exactly) {}

    private record MappedHandler(
            PathPattern pattern,
            RoutePattern said,
            String verb,
            @Nullable IdempotentMethod method,
            boolean covered) {}
}
