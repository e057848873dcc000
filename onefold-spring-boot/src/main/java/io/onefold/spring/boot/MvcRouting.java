package io.onefold.spring.boot;

import io.onefold.http.Route;
import io.onefold.spring.IdempotentMethodRegistry;
import io.onefold.spring.web.HandlerMappingRoutes;
import io.onefold.spring.web.MvcHandlerRoutes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.web.servlet.mvc.method.RequestMappingInfo;
import org.springframework.web.servlet.mvc.method.RequestMappingInfoHandlerMapping;

/** The handlers of Spring MVC. */
final class MvcRouting implements EndpointMappings {
    private final ObjectProvider<RequestMappingInfoHandlerMapping> mappings;
    private final IdempotentMethodRegistry methods;
    private final String prefix;
    private final Set<String> mutating;

    /** @param mutating the methods of requests that change something */
    MvcRouting(
            ObjectProvider<RequestMappingInfoHandlerMapping> mappings,
            IdempotentMethodRegistry methods,
            String prefix,
            Set<String> mutating) {
        this.mappings = mappings;
        this.methods = methods;
        this.prefix = prefix;
        this.mutating = mutating;
    }

    @Override
    public List<Route> routes(IdempotentMethodRegistry with, boolean all) {
        return MvcHandlerRoutes.of(mappings.stream().toList(), with, prefix, all);
    }

    @Override
    public List<MappedEndpoint> unannotated() {
        Set<MappedEndpoint> found = new TreeSet<>();
        mappings.stream()
                .forEach(mapping -> mapping.getHandlerMethods().forEach((info, handler) -> {
                    if (HandlerMappingRoutes.isUnannotated(handler, methods)) {
                        found.addAll(mapped(info));
                    }
                }));
        return List.copyOf(found);
    }

    private List<MappedEndpoint> mapped(RequestMappingInfo info) {
        List<MappedEndpoint> mapped = new ArrayList<>();
        for (String method : MvcHandlerRoutes.verbs(info)) {
            if (mutating.contains(method)) {
                info.getPatternValues().forEach(path -> mapped.add(new MappedEndpoint(method, prefix + path)));
            }
        }
        return mapped;
    }
}
