package io.onefold.spring.webflux;

import io.onefold.http.Route;
import io.onefold.spring.IdempotentMethod;
import io.onefold.spring.IdempotentMethodRegistry;
import io.onefold.spring.web.HandlerMappingRoutes;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.reactive.result.method.RequestMappingInfo;
import org.springframework.web.reactive.result.method.RequestMappingInfoHandlerMapping;

/** The routes of WebFlux' handlers. */
public final class WebFluxHandlerRoutes {
    private WebFluxHandlerRoutes() {}

    /**
     * Returns the routes, the most specific first, as Spring matches them.
     *
     * @param others true if POST and PATCH requests of handlers without an annotation are covered, too; otherwise they pass
     */
    public static List<Route> of(
            Collection<? extends RequestMappingInfoHandlerMapping> mappings,
            IdempotentMethodRegistry methods,
            boolean others) {
        return mapped(mappings, methods, others).routes();
    }

    /**
     * Annotated handlers that have no context to find their requests in, and have requests that the filter cannot claim for, with the
     * method and path of one of these.
     */
    public static Map<IdempotentMethod, String> unprotected(
            Collection<? extends RequestMappingInfoHandlerMapping> mappings, IdempotentMethodRegistry methods) {
        Map<IdempotentMethod, String> left =
                new LinkedHashMap<>(mapped(mappings, methods, false).left());
        for (RequestMappingInfoHandlerMapping mapping : mappings) {
            mapping.getHandlerMethods().forEach((info, handler) -> {
                IdempotentMethod method = HandlerMappingRoutes.method(handler, methods);
                Set<RequestMethod> asked = info.getMethodsCondition().getMethods();
                // the filter only covers requests that change something
                if (method != null && verbs(info).size() != asked.size()) {
                    left.putIfAbsent(method, asked + " " + info.getPatternsCondition());
                }
            });
        }
        left.keySet().removeIf(IdempotentMethod::isReactive);
        return left;
    }

    private static HandlerMappingRoutes mapped(
            Collection<? extends RequestMappingInfoHandlerMapping> mappings,
            IdempotentMethodRegistry methods,
            boolean others) {
        // the path of the deployment is not part of the request
        HandlerMappingRoutes routes = new HandlerMappingRoutes(methods, "", others);
        for (RequestMappingInfoHandlerMapping mapping : mappings) {
            mapping.getHandlerMethods()
                    .forEach((info, handler) ->
                            routes.add(handler, info.getPatternsCondition().getPatterns(), verbs(info)));
        }
        return routes;
    }

    /** The HTTP methods that it takes and that change something. */
    public static Set<String> verbs(RequestMappingInfo info) {
        return HandlerMappingRoutes.verbs(info.getMethodsCondition().getMethods());
    }
}
