package io.onefold.spring.web;

import io.onefold.http.Policy;
import io.onefold.http.Route;
import io.onefold.spring.IdempotentMethod;
import io.onefold.spring.IdempotentMethods;
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
 * Handlers as routes for the filter, in a servlet container or not: what it claims, it claims without holding a thread for duplicates that
 * wait. Handlers that it cannot claim for, because their keys are known only to them, because their records join a transaction, or because
 * two of them share a path and a method, claim for themselves.
 */
public final class MappedRoutes {
    private static final Set<String> MUTATING = Set.of("POST", "PUT", "PATCH", "DELETE");

    private static final Set<String> UNSAFE = Set.of("POST", "PATCH");

    /** By their names: there are applications under org.springframework, too. */
    private static final List<String> FRAMEWORK = Stream.of(
                    "boot", "cloud", "data", "graphql", "hateoas", "integration", "security", "session", "web", "ws")
            .map(part -> "org.springframework." + part + ".")
            .toList();

    private final IdempotentMethods methods;
    private final String prefix;
    private final boolean others;
    private final List<Mapped> all = new ArrayList<>();
    private final Map<String, Integer> shared = new HashMap<>();

    /**
     * @param prefix where the handlers are: empty, or a path without a slash at its end
     * @param others whether POST and PATCH requests of handlers without an annotation are covered, too; otherwise they pass
     */
    public MappedRoutes(IdempotentMethods methods, String prefix, boolean others) {
        this.methods = methods;
        this.prefix = prefix;
        this.others = others;
    }

    /**
     * Adds a handler.
     *
     * @param verbs as {@link #verbs} tells them
     */
    public void add(HandlerMethod handler, Collection<PathPattern> patterns, Set<String> verbs) {
        IdempotentMethod method = method(handler, methods);
        boolean coverable = others && isOfApplication(handler) && !isExempt(handler) && !isReplaced(handler, methods);
        for (PathPattern pattern : patterns) {
            for (String verb : verbs) {
                boolean covered = coverable && UNSAFE.contains(verb);
                Said said = said(prefix, pattern.getPatternString());
                all.add(new Mapped(pattern, said, verb, method, covered));
                shared.merge(verb + " " + said.path, 1, Integer::sum);
            }
        }
    }

    /** The most specific first, as Spring matches them. */
    public List<Route> routes() {
        all.sort(Comparator.comparing(Mapped::pattern, PathPattern.SPECIFICITY_COMPARATOR)
                .thenComparing(Mapped::verb));
        Set<Route> routes = new LinkedHashSet<>();
        for (Mapped mapped : all) {
            routes.add(route(mapped, isAlone(mapped)));
        }
        return List.copyOf(routes);
    }

    /** Whether its requests are its own. */
    private boolean isAlone(Mapped mapped) {
        return mapped.said.exactly && shared.getOrDefault(mapped.verb + " " + mapped.said.path, 0) == 1;
    }

    private Route route(Mapped mapped, boolean alone) {
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
        Policy policy = method.filterPolicy();
        return new Route(
                Set.of(mapped.verb), path, method.name(), false, policy == null ? method.latePolicy() : policy);
    }

    private static Route passing(Mapped mapped) {
        return new Route(Set.of(mapped.verb), mapped.said.path, null, true, Policy.unchanged());
    }

    /** Whether one of the handlers of the same requests is annotated. */
    private boolean shares(Mapped mapped) {
        return all.stream()
                .anyMatch(other -> other.method != null
                        && !other.method.settings().isShadow()
                        && other.verb.equals(mapped.verb)
                        && other.said.path.equals(mapped.said.path));
    }

    /** Whether the handler is the annotated method of this operation, and all of its calls are seen: then none means that it has not begun. */
    public static boolean isSeen(String operation, HandlerMethod handler, IdempotentMethods methods) {
        IdempotentMethod method = method(handler, methods);
        return method != null && method.name().equals(operation) && methods.seesCalls(handler.getBean());
    }

    /** Null if it has no annotation, or is not what is called. */
    public static @Nullable IdempotentMethod method(HandlerMethod handler, IdempotentMethods methods) {
        return isReplaced(handler, methods) ? null : methods.of(handler.getMethod(), handler.getBeanType());
    }

    /** Whether it is the application's, and says nothing of being repeated. */
    public static boolean isUnannotated(HandlerMethod handler, IdempotentMethods methods) {
        return isOfApplication(handler)
                && !isExempt(handler)
                && !isReplaced(handler, methods)
                && method(handler, methods) == null;
    }

    /** Whether a test has put something else in its place, which is called as it is. */
    private static boolean isReplaced(HandlerMethod handler, IdempotentMethods methods) {
        return methods.isReplaced(handler.getMethod(), handler.getBeanType());
    }

    /** Annotated handlers, with the method and path of those of their requests that the filter cannot claim for. */
    public Map<IdempotentMethod, String> left() {
        Map<IdempotentMethod, String> left = new LinkedHashMap<>();
        for (Mapped mapped : all) {
            if (mapped.method != null && !route(mapped, isAlone(mapped)).isClaimedByFilter()) {
                left.putIfAbsent(mapped.method, mapped.verb + " " + mapped.pattern);
            }
        }
        return left;
    }

    /** Whether it is not one of the framework's own, for errors say. */
    static boolean isOfApplication(HandlerMethod handler) {
        String type = handler.getBeanType().getName();
        return FRAMEWORK.stream().noneMatch(type::startsWith);
    }

    /** Whether the application says that the handler needs no protection. */
    private static boolean isExempt(HandlerMethod handler) {
        return handler.hasMethodAnnotation(NotIdempotent.class)
                || AnnotatedElementUtils.hasAnnotation(handler.getBeanType(), NotIdempotent.class);
    }

    /**
     * The methods of requests that a handler takes, of those that change something.
     *
     * @param mapped none for all
     */
    public static Set<String> verbs(Set<RequestMethod> mapped) {
        Set<String> verbs = new TreeSet<>();
        mapped.forEach(verb -> verbs.add(verb.name()));
        verbs.retainAll(MUTATING);
        return mapped.isEmpty() ? MUTATING : verbs;
    }

    /** In the words of routes; what these have no words for matches more than it should, so that it can only pass. */
    static Said said(String prefix, String pattern) {
        StringBuilder path = new StringBuilder(prefix);
        boolean exactly = true;
        String[] segments = (pattern.startsWith("/") ? pattern.substring(1) : pattern).split("/", -1);
        for (int i = 0; i < segments.length; i++) {
            String segment = segments[i];
            boolean rest = segment.equals("**") || segment.startsWith("{*");
            if (rest) {
                return new Said(path.append("/**").toString(), exactly && i == segments.length - 1);
            }
            boolean place = segment.startsWith("{") && segment.indexOf('}') == segment.length() - 1;
            boolean wild = segment.chars().anyMatch(c -> "{}*?".indexOf(c) >= 0);
            // a regular expression leaves some of what it matches to other handlers
            exactly &= !wild || segment.equals("*") || (place && segment.indexOf(':') < 0);
            path.append('/').append(wild ? "{" + i + "}" : segment);
        }
        return new Said(path.toString(), exactly);
    }

    /**
     * A pattern in the words of routes.
     *
     * @param exactly whether it matches just the same
     */
    record Said(String path, boolean exactly) {}

    private record Mapped(
            PathPattern pattern,
            Said said,
            String verb,
            @Nullable IdempotentMethod method,
            boolean covered) {}
}
