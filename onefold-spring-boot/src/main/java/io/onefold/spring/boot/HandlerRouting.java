package io.onefold.spring.boot;

import io.onefold.http.Route;
import io.onefold.spring.IdempotentMethods;
import io.onefold.spring.web.HandlerRoutes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.servlet.mvc.method.RequestMappingInfo;
import org.springframework.web.servlet.mvc.method.RequestMappingInfoHandlerMapping;

/** The handlers of Spring MVC, as far as requests can change something through them. */
final class HandlerRouting {
    private static final Set<RequestMethod> MUTATING =
            Set.of(RequestMethod.POST, RequestMethod.PUT, RequestMethod.PATCH, RequestMethod.DELETE);

    private final ObjectProvider<RequestMappingInfoHandlerMapping> mappings;
    private final IdempotentMethods methods;
    private final String prefix;

    HandlerRouting(
            ObjectProvider<RequestMappingInfoHandlerMapping> mappings, IdempotentMethods methods, String prefix) {
        this.mappings = mappings;
        this.methods = methods;
        this.prefix = prefix;
    }

    List<Route> routes(boolean all) {
        return HandlerRoutes.of(mappings.stream().toList(), methods, prefix, all);
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
        for (RequestMethod method : info.getMethodsCondition().getMethods()) {
            if (MUTATING.contains(method)) {
                info.getPatternValues().forEach(path -> endpoints.add(new Endpoint(method.name(), prefix + path)));
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
