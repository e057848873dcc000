package io.onefold.spring.boot;

import io.onefold.Onefold;
import io.onefold.TokenStore;
import io.onefold.http.HttpContract;
import io.onefold.http.HttpPolicy;
import io.onefold.http.KeySource;
import io.onefold.http.Route;
import io.onefold.spring.IdempotentMethod;
import io.onefold.spring.IdempotentMethodRegistry;
import io.onefold.spring.InvocationSource;
import io.onefold.spring.OperationSettings;
import io.onefold.spring.OperationSettingsRegistry;
import io.onefold.spring.boot.HttpProperties.RequestCoverage;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.util.function.SingletonSupplier;

/**
 * The HTTP contract of now: the application's own bean, else one that is made when it is first asked for, which is when all handlers are
 * known, and after a refresh.
 */
final class CurrentHttpContract implements Supplier<HttpContract>, Refreshable {
    private final OnefoldProperties properties;
    private final Onefold onefold;
    private final OperationSettingsRegistry policies;
    private final IdempotentMethodRegistry methods;
    private final ProbeBeans probes;
    private final ObjectProvider<EndpointMappings> handlers;
    private final ObjectProvider<TokenStore> tokens;
    private final ObjectProvider<HttpContractCustomizer> customizers;
    private final ObjectProvider<HttpContract> own;
    private volatile @Nullable BuiltContract made;

    CurrentHttpContract(
            OnefoldProperties properties,
            Onefold onefold,
            OperationSettingsRegistry policies,
            IdempotentMethodRegistry methods,
            ProbeBeans probes,
            ObjectProvider<EndpointMappings> handlers,
            ObjectProvider<TokenStore> tokens,
            ObjectProvider<HttpContractCustomizer> customizers,
            ObjectProvider<HttpContract> own) {
        this.properties = properties;
        this.onefold = onefold;
        this.policies = policies;
        this.methods = methods;
        this.probes = probes;
        this.handlers = handlers;
        this.tokens = tokens;
        this.customizers = customizers;
        this.own = own;
    }

    /** The header by which answers say that they are earlier ones; the configured one where no filter looks at requests. */
    static Supplier<String> marker(ObjectProvider<CurrentHttpContract> contracts, OnefoldProperties properties) {
        SingletonSupplier<CurrentHttpContract> known = SingletonSupplier.of(contracts::getIfAvailable);
        return () -> {
            CurrentHttpContract now = known.get();
            return now == null ? properties.http().replayMarker() : now.get().replayMarker();
        };
    }

    @Override
    public HttpContract get() {
        return now().contract;
    }

    /** Operations that are claimed for the handlers that have them: these say when they begin. */
    boolean isHandled(String operation) {
        return now().routing.handled().contains(operation);
    }

    ApplicationRoutes routing() {
        return now().routing;
    }

    private BuiltContract now() {
        BuiltContract known = made;
        return known == null ? make() : known;
    }

    private synchronized BuiltContract make() {
        BuiltContract known = made;
        if (known == null) {
            known = build(policies, methods);
            made = known;
        }
        return known;
    }

    @Override
    public Runnable prepare(OperationSettingsRegistry candidate, IdempotentMethodRegistry checked) {
        BuiltContract next = build(candidate, checked);
        handlers.ifAvailable(known -> known.check(checked, next.contract.operations()));
        return () -> publish(next);
    }

    private synchronized void publish(BuiltContract next) {
        made = next;
    }

    private BuiltContract build(OperationSettingsRegistry policies, IdempotentMethodRegistry methods) {
        HttpProperties http = properties.http();
        List<Route> ofHandlers = new ArrayList<>();
        handlers.ifAvailable(known -> known.routes(methods, http.cover() == RequestCoverage.ALL)
                .forEach(route -> ofHandlers.add(probes.claimedByHandler(route))));
        ApplicationRoutes routing = ApplicationRoutes.of(http, policies, methods, ofHandlers);
        for (IdempotentMethod method : methods.all()) {
            if (method.door() == InvocationSource.HTTP && !routing.isClaimedByFilter(method.name())) {
                // it shares its path, say, or has a probe
                method.claimable();
            }
            if (probes.isOf(method.name())) {
                method.keepable();
            }
        }
        HttpContract given = own.getIfAvailable();
        return new BuiltContract(given == null ? configured(policies, methods, routing) : given, routing);
    }

    private HttpContract configured(
            OperationSettingsRegistry policies, IdempotentMethodRegistry methods, ApplicationRoutes routing) {
        HttpProperties http = properties.http();
        OperationSettings all = policies.all();
        HttpPolicy defaults = HttpPolicy.unchanged()
                .key(KeySource.header(http.header().name()))
                .required(http.required());
        HttpContract.Builder builder = HttpContract.builder(onefold)
                .profile(http.profile())
                .defaults(all.policy(defaults))
                .strict(http.strict() && !all.isShadow()) // in shadow, nothing is refused
                .statusQueries(http.statusQueries())
                .cors(http.cors().origins(), http.cors().credentials())
                .replayMarker(http.replayMarker())
                .overloadedStatus(http.overloadedStatus());
        tokens.ifAvailable(builder::tokens);
        methods.all().stream()
                .filter(IdempotentMethod::takesTokens)
                .forEach(method -> builder.tokensFor(method.name()));
        routing.routes().forEach(builder::route);
        methods.all().stream()
                .filter(method -> method.door() == InvocationSource.HTTP)
                .forEach(method -> builder.handler(method.name(), method.latePolicy()));
        customizers.orderedStream().forEach(customizer -> customizer.customize(builder));
        return builder.build();
    }

    private record BuiltContract(HttpContract contract, ApplicationRoutes routing) {}
}
