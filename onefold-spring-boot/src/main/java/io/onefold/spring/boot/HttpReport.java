package io.onefold.spring.boot;

import io.onefold.http.Caller;
import io.onefold.http.Exchange;
import io.onefold.http.Head;
import io.onefold.http.Plan;
import io.onefold.spring.IdempotentMethod;
import io.onefold.spring.IdempotentMethods;
import io.onefold.spring.boot.HandlerRouting.Endpoint;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;

/** What is to be told of requests when the application starts. */
final class HttpReport {
    private final ObjectProvider<Contracts> contracts;
    private final IdempotentMethods methods;
    private final ServletCallers callers;
    private final ObjectProvider<HandlerRouting> handlers;

    HttpReport(
            ObjectProvider<Contracts> contracts,
            IdempotentMethods methods,
            ServletCallers callers,
            ObjectProvider<HandlerRouting> handlers) {
        this.contracts = contracts;
        this.methods = methods;
        this.callers = callers;
        this.handlers = handlers;
    }

    /** Makes the contract, and refuses keys that are nobody's. */
    void check() {
        Set<String> keyed = new TreeSet<>(operations());
        for (IdempotentMethod method : methods.all()) {
            if (method.asksCaller()) {
                keyed.add(method.name());
            }
        }
        if (callers instanceof Nobody && !keyed.isEmpty()) {
            throw new NoPrincipalException(keyed);
        }
    }

    /** Operations that routes cover, and no annotation. */
    List<String> routes() {
        Set<String> all = new TreeSet<>(operations());
        methods.all().forEach(method -> all.remove(method.name()));
        return List.copyOf(all);
    }

    /** Operations that nobody looks at, though they are in shadow. */
    Set<String> unobserved() {
        Contracts known = contracts.getIfAvailable();
        return known == null ? Set.of() : known.routing().unobserved();
    }

    /** All operations that can be configured as those of routes. */
    Set<String> configurable() {
        Set<String> all = new TreeSet<>(operations());
        contracts.ifAvailable(known -> all.addAll(known.routing().others()));
        return all;
    }

    private List<String> operations() {
        Contracts known = contracts.getIfAvailable();
        return known == null ? List.of() : known.get().operations();
    }

    List<String> unprotected() {
        List<String> open = new ArrayList<>();
        handlers.ifAvailable(routing -> routing.unannotated().forEach(endpoint -> {
            if (!covered(endpoint)) {
                open.add(endpoint.toString());
            }
        }));
        return open;
    }

    private boolean covered(Endpoint endpoint) {
        Plan plan = contracts.getObject().get().plan(new Imagined(endpoint));
        if (plan instanceof Exchange exchange) {
            exchange.close();
        }
        return !(plan instanceof Plan.Pass pass && pass.why() == Plan.Reason.NOT_COVERED);
    }

    /** A request without a key. */
    private record Imagined(Endpoint endpoint) implements Head {
        @Override
        public String method() {
            return endpoint.method();
        }

        @Override
        public String path() {
            return endpoint.path().replaceAll("\\{[^/]*}|\\*+", "x");
        }

        @Override
        public @Nullable String query() {
            return null;
        }

        @Override
        public List<String> headers(String name) {
            return List.of();
        }

        @Override
        public Caller caller() {
            return Caller.ANONYMOUS;
        }
    }
}
