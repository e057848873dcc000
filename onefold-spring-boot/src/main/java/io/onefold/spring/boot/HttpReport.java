package io.onefold.spring.boot;

import io.onefold.http.OperationCoverage;
import io.onefold.spring.IdempotentMethod;
import io.onefold.spring.IdempotentMethodRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.springframework.beans.factory.ObjectProvider;

/** What is to be told of requests when the application starts. */
final class HttpReport {
    private final ObjectProvider<CurrentHttpContract> contracts;
    private final IdempotentMethodRegistry methods;
    private final Object callers;
    private final boolean nobody;
    private final ObjectProvider<EndpointMappings> handlers;

    /**
     * @param callers who says whose a request is
     * @param nobody whether callers cannot be told apart, and nothing says that this is right
     */
    HttpReport(
            ObjectProvider<CurrentHttpContract> contracts,
            IdempotentMethodRegistry methods,
            Object callers,
            boolean nobody,
            ObjectProvider<EndpointMappings> handlers) {
        this.contracts = contracts;
        this.methods = methods;
        this.callers = callers;
        this.nobody = nobody;
        this.handlers = handlers;
    }

    /** Makes the contract, and refuses keys that are nobody's and handlers that cannot be protected. */
    void check() {
        Set<String> keyed = new TreeSet<>(operations());
        for (IdempotentMethod method : methods.all()) {
            if (method.asksCaller()) {
                keyed.add(method.name());
            }
        }
        if (nobody && !keyed.isEmpty()) {
            throw new NoPrincipalException(keyed);
        }
        handlers.ifAvailable(mappings -> mappings.check(methods, operations()));
    }

    /** What tells callers apart; empty where nobody asks. */
    String callers() {
        return nobody ? "" : CallersReport.of(callers);
    }

    /** Operations that routes cover, and no annotation. */
    List<String> routes() {
        Set<String> all = new TreeSet<>(operations());
        methods.all().forEach(method -> all.remove(method.name()));
        return List.copyOf(all);
    }

    /** Operations that nobody looks at, though they are in shadow. */
    Set<String> unobserved() {
        Set<String> all = new TreeSet<>();
        handlers.ifAvailable(mappings -> all.addAll(mappings.unobserved(operations())));
        return all;
    }

    /** All operations that can be configured as those of routes. */
    Set<String> configurable() {
        Set<String> all = new TreeSet<>(operations());
        contracts.ifAvailable(known -> all.addAll(known.routing().others()));
        return all;
    }

    /** How requests are protected, by routes or for handlers. */
    List<OperationCoverage> coverage() {
        CurrentHttpContract known = contracts.getIfAvailable();
        return known == null ? List.of() : known.get().coverage();
    }

    private List<String> operations() {
        CurrentHttpContract known = contracts.getIfAvailable();
        return known == null ? List.of() : known.get().operations();
    }

    List<String> unprotected() {
        List<String> open = new ArrayList<>();
        handlers.ifAvailable(routing -> routing.unannotated().forEach(mapping -> {
            if (!covered(mapping)) {
                open.add(mapping.toString());
            }
        }));
        return open;
    }

    private boolean covered(MappedEndpoint mapping) {
        CurrentHttpContract known = contracts.getIfAvailable();
        return known != null && known.get().covers(mapping.method(), mapping.example());
    }
}
