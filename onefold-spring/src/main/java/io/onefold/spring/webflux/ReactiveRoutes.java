package io.onefold.spring.webflux;

import io.onefold.http.Route;
import io.onefold.spring.IdempotentMethods;
import io.onefold.spring.web.MappedRoutes;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import org.springframework.web.reactive.result.method.RequestMappingInfo;
import org.springframework.web.reactive.result.method.RequestMappingInfoHandlerMapping;

/** The routes of WebFlux' handlers. */
public final class ReactiveRoutes {
    private ReactiveRoutes() {}

    /**
     * The most specific first, as Spring matches them.
     *
     * @param others whether POST and PATCH requests of handlers without an annotation are covered, too; otherwise they pass
     */
    public static List<Route> of(
            Collection<? extends RequestMappingInfoHandlerMapping> mappings,
            IdempotentMethods methods,
            boolean others) {
        // where the application is deployed is not part of what is asked for
        MappedRoutes routes = new MappedRoutes(methods, "", others);
        for (RequestMappingInfoHandlerMapping mapping : mappings) {
            mapping.getHandlerMethods()
                    .forEach((info, handler) ->
                            routes.add(handler, info.getPatternsCondition().getPatterns(), verbs(info)));
        }
        return routes.routes();
    }

    /** The methods of requests that it takes, of those that change something. */
    public static Set<String> verbs(RequestMappingInfo info) {
        return MappedRoutes.verbs(info.getMethodsCondition().getMethods());
    }
}
