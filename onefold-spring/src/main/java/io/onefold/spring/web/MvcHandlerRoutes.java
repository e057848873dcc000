package io.onefold.spring.web;

import io.onefold.http.Route;
import io.onefold.spring.IdempotentMethodRegistry;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import org.springframework.web.servlet.mvc.method.RequestMappingInfo;
import org.springframework.web.servlet.mvc.method.RequestMappingInfoHandlerMapping;
import org.springframework.web.util.pattern.PathPattern;

/** The routes of Spring MVC's handlers. */
public final class MvcHandlerRoutes {
    private MvcHandlerRoutes() {}

    /**
     * Returns the routes, the most specific first, as Spring matches them.
     *
     * @param others true if POST and PATCH requests of handlers without an annotation are covered, too; otherwise they pass
     * @param prefix the path of the dispatcher servlet: empty, or a path without a slash at its end
     */
    public static List<Route> of(
            Collection<? extends RequestMappingInfoHandlerMapping> mappings,
            IdempotentMethodRegistry methods,
            String prefix,
            boolean others) {
        HandlerMappingRoutes routes = new HandlerMappingRoutes(methods, prefix, others);
        for (RequestMappingInfoHandlerMapping mapping : mappings) {
            mapping.getHandlerMethods().forEach((info, handler) -> routes.add(handler, patterns(info), verbs(info)));
        }
        return routes.routes();
    }

    private static Collection<PathPattern> patterns(RequestMappingInfo info) {
        // patterns of the old kind, with Ant's wildcards, are left to the handlers
        return info.getPathPatternsCondition() == null
                ? Set.of()
                : info.getPathPatternsCondition().getPatterns();
    }

    /** The HTTP methods that it takes and that change something. */
    public static Set<String> verbs(RequestMappingInfo info) {
        return HandlerMappingRoutes.verbs(info.getMethodsCondition().getMethods());
    }
}
