package io.onefold.spring.web;

import io.onefold.http.Route;
import io.onefold.spring.IdempotentMethods;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.mvc.method.RequestMappingInfo;
import org.springframework.web.servlet.mvc.method.RequestMappingInfoHandlerMapping;
import org.springframework.web.util.pattern.PathPattern;

/** The routes of Spring MVC's handlers. */
public final class HandlerRoutes {
    private HandlerRoutes() {}

    /**
     * The most specific first, as Spring matches them.
     *
     * @param others whether POST and PATCH requests of handlers without an annotation are covered, too; otherwise they pass
     * @param prefix where the dispatcher servlet is mapped: empty, or a path without a slash at its end
     */
    public static List<Route> of(
            Collection<? extends RequestMappingInfoHandlerMapping> mappings,
            IdempotentMethods methods,
            String prefix,
            boolean others) {
        MappedRoutes routes = new MappedRoutes(methods, prefix, others);
        for (RequestMappingInfoHandlerMapping mapping : mappings) {
            mapping.getHandlerMethods().forEach((info, handler) -> routes.add(handler, patterns(info), verbs(info)));
        }
        return routes.routes();
    }

    /** Whether it is not one of the framework's own, for errors say. */
    public static boolean isOfApplication(HandlerMethod handler) {
        return MappedRoutes.isOfApplication(handler);
    }

    /** Whether the application says that the handler needs no protection. */
    public static boolean isExempt(HandlerMethod handler) {
        return MappedRoutes.isExempt(handler);
    }

    /** Whether a test has put something else in its place, which is called as it is. */
    public static boolean isReplaced(HandlerMethod handler, IdempotentMethods methods) {
        return MappedRoutes.isReplaced(handler, methods);
    }

    private static Collection<PathPattern> patterns(RequestMappingInfo info) {
        // patterns of the old kind, with Ant's wildcards, are left to the handlers
        return info.getPathPatternsCondition() == null
                ? Set.of()
                : info.getPathPatternsCondition().getPatterns();
    }

    /** The methods of requests that it takes, of those that change something. */
    public static Set<String> verbs(RequestMappingInfo info) {
        return MappedRoutes.verbs(info.getMethodsCondition().getMethods());
    }
}
