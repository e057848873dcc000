package io.onefold.spring.boot;

import io.onefold.http.Route;
import io.onefold.spring.IdempotentMethods;
import io.onefold.spring.web.HandlerRoutes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.web.servlet.mvc.method.RequestMappingInfo;
import org.springframework.web.servlet.mvc.method.RequestMappingInfoHandlerMapping;

/** The handlers of Spring MVC, as far as requests can change something through them. */
final class HandlerRouting {
    private final ObjectProvider<RequestMappingInfoHandlerMapping> mappings;
    private final IdempotentMethods methods;
    private final String prefix;
    private final Set<String> mutating;

    /** @param mutating the methods of requests that change something */
    HandlerRouting(
            ObjectProvider<RequestMappingInfoHandlerMapping> mappings,
            IdempotentMethods methods,
            String prefix,
            Set<String> mutating) {
        this.mappings = mappings;
        this.methods = methods;
        this.prefix = prefix;
        this.mutating = mutating;
    }

    /** @param with annotated methods, with the policies that the routes are to have */
    List<Route> routes(IdempotentMethods with, boolean all) {
        return HandlerRoutes.of(mappings.stream().toList(), with, prefix, all);
    }

    /** Handlers of the application that may change something and have no annotation, as method and path. */
    List<Endpoint> unannotated() {
        Set<Endpoint> found = new TreeSet<>();
        mappings.stream()
                .forEach(mapping -> mapping.getHandlerMethods().forEach((info, handler) -> {
                    if (HandlerRoutes.isOfApplication(handler)
                            && !HandlerRoutes.isExempt(handler)
                            && methods.of(handler.getMethod(), handler.getBeanType()) == null) {
                        found.addAll(endpoints(info));
                    }
                }));
        return List.copyOf(found);
    }

    private List<Endpoint> endpoints(RequestMappingInfo info) {
        List<Endpoint> endpoints = new ArrayList<>();
        for (String method : HandlerRoutes.verbs(info)) {
            if (mutating.contains(method)) {
                info.getPatternValues().forEach(path -> endpoints.add(new Endpoint(method, prefix + path)));
            }
        }
        return endpoints;
    }

    /** What a client would call. */
    record Endpoint(String method, String path) implements Comparable<Endpoint> {
        @Override
        public int compareTo(Endpoint other) {
            int byPath = path.compareTo(other.path);
            return byPath != 0 ? byPath : method.compareTo(other.method);
        }

        @Override
        public String toString() {
            return method + " " + path;
        }
    }
}
