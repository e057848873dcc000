package io.onefold.spring.boot;

import io.onefold.http.Route;
import io.onefold.spring.IdempotentMethod;
import io.onefold.spring.IdempotentMethodRegistry;
import io.onefold.spring.InvocationSource;
import io.onefold.spring.TransactionMode;
import io.onefold.spring.web.HandlerMappingRoutes;
import io.onefold.spring.webflux.WebFluxHandlerRoutes;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.web.reactive.result.method.RequestMappingInfo;
import org.springframework.web.reactive.result.method.RequestMappingInfoHandlerMapping;

/** The handlers of WebFlux. */
final class WebFluxRouting implements EndpointMappings {
    private final ObjectProvider<RequestMappingInfoHandlerMapping> mappings;
    private final IdempotentMethodRegistry methods;
    private final Set<String> mutating;

    /** @param mutating the methods of requests that change something */
    WebFluxRouting(
            ObjectProvider<RequestMappingInfoHandlerMapping> mappings,
            IdempotentMethodRegistry methods,
            Set<String> mutating) {
        this.mappings = mappings;
        this.methods = methods;
        this.mutating = mutating;
    }

    @Override
    public List<Route> routes(IdempotentMethodRegistry with, boolean all) {
        return WebFluxHandlerRoutes.of(mappings.stream().toList(), with, all);
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
        for (String method : WebFluxHandlerRoutes.verbs(info)) {
            if (mutating.contains(method)) {
                info.getPatternsCondition()
                        .getPatterns()
                        .forEach(path -> mapped.add(new MappedEndpoint(method, path.getPatternString())));
            }
        }
        return mapped;
    }

    /** A handler that returns no publisher has no context to find its request in. */
    @Override
    public void check(IdempotentMethodRegistry with, Collection<String> claimed) {
        open(with, claimed).forEach((method, request) -> {
            if (method.settings().isShadow()) {
                return; // nothing is refused
            }
            if (method.mode() == TransactionMode.JOINED) {
                throw new ContradictorySettingsException(
                        "the handler " + method
                                + " joins a transaction, which needs a thread for as long as it lasts, and"
                                + " handlers of WebFlux have none of their own (" + request + ")",
                        "Say mode = Mode.LEASED there; or let the handler return a Mono that calls a service on"
                                + " Schedulers.boundedElastic(), and put @Transactional and @Idempotent on that service.");
            }
            throw new ContradictorySettingsException(
                    "the handler " + method
                            + " returns neither a Mono nor a Flux, and so cannot find its request, and the"
                            + " filter cannot claim for it (" + request + ")",
                    "Let it return a Mono, or take the key from a header, on POST, PUT, PATCH or DELETE, with paths of its own"
                            + " and in no transaction.");
        });
    }

    @Override
    public Set<String> unobserved(Collection<String> claimed) {
        Set<String> names = new TreeSet<>();
        open(methods, claimed).forEach((method, request) -> {
            if (method.settings().isShadow()) {
                names.add(method.name());
            }
        });
        return names;
    }

    /** Handlers that neither find their requests nor leave all of them to the filter, with some of those. */
    private Map<IdempotentMethod, String> open(IdempotentMethodRegistry with, Collection<String> claimed) {
        Map<IdempotentMethod, String> open =
                WebFluxHandlerRoutes.unprotected(mappings.stream().toList(), with);
        for (IdempotentMethod method : with.all()) {
            if (method.door() == InvocationSource.HTTP && !method.isReactive() && !claimed.contains(method.name())) {
                // there is no filter, or its contract is the application's own and does not have this operation
                open.putIfAbsent(method, "all of its requests");
            }
        }
        return open;
    }

    /** Those of handlers that find their requests, and so say that they have begun. */
    static Set<String> telling(IdempotentMethodRegistry methods) {
        Set<String> operations = new TreeSet<>();
        for (IdempotentMethod method : methods.all()) {
            if (method.door() == InvocationSource.HTTP && method.isReactive()) {
                operations.add(method.name());
            }
        }
        return operations;
    }
}
