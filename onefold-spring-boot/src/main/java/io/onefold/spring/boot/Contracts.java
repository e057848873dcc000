package io.onefold.spring.boot;

import io.onefold.Onefold;
import io.onefold.Tokens;
import io.onefold.http.HttpContract;
import io.onefold.http.KeySource;
import io.onefold.http.Policy;
import io.onefold.http.Route;
import io.onefold.spring.OperationSettings;
import io.onefold.spring.Policies;
import io.onefold.spring.boot.HttpProperties.Cover;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;

/** The HTTP contract of now: the application's own bean, else one that is made when it is first asked for, which is
 * when all handlers are known, and after a refresh. */
final class Contracts implements Supplier<HttpContract>, Refreshed {
    private static final String EVERYTHING = "/**";

    private final OnefoldProperties properties;
    private final Onefold onefold;
    private final Policies policies;
    private final Probes probes;
    private final ObjectProvider<HandlerRouting> handlers;
    private final ObjectProvider<Tokens> tokens;
    private final ObjectProvider<HttpContractCustomizer> customizers;
    private final ObjectProvider<HttpContract> own;
    private volatile @Nullable HttpContract made;

    Contracts(
            OnefoldProperties properties,
            Onefold onefold,
            Policies policies,
            Probes probes,
            ObjectProvider<HandlerRouting> handlers,
            ObjectProvider<Tokens> tokens,
            ObjectProvider<HttpContractCustomizer> customizers,
            ObjectProvider<HttpContract> own) {
        this.properties = properties;
        this.onefold = onefold;
        this.policies = policies;
        this.probes = probes;
        this.handlers = handlers;
        this.tokens = tokens;
        this.customizers = customizers;
        this.own = own;
    }

    @Override
    public HttpContract get() {
        HttpContract known = made;
        return known == null ? make() : known;
    }

    private synchronized HttpContract make() {
        HttpContract known = made;
        if (known == null) {
            known = build();
            made = known;
        }
        return known;
    }

    /** With the policies of now. If they contradict each other, the contract stays as it is. */
    @Override
    public synchronized void refresh() {
        made = build();
    }

    private HttpContract build() {
        HttpContract given = own.getIfAvailable();
        return given == null ? configured() : given;
    }

    private HttpContract configured() {
        HttpProperties http = properties.http();
        Policy defaults =
                Policy.unchanged().key(KeySource.header(http.header().name())).required(http.required());
        HttpContract.Builder builder = HttpContract.builder(onefold)
                .profile(http.profile())
                .defaults(policies.of("").policy(defaults))
                .strict(http.strict())
                .statusQueries(http.statusQueries())
                .cors(http.cors().origins(), http.cors().credentials());
        tokens.ifAvailable(builder::tokens);
        routes().forEach(builder::route);
        customizers.orderedStream().forEach(customizer -> customizer.customize(builder));
        return builder.build();
    }

    /** Those that are configured first, for they are more particular than annotations can be. */
    private List<Route> routes() {
        HttpProperties http = properties.http();
        List<Route> routes = new ArrayList<>();
        if (policies.of("").isShadow()) {
            return List.of(Route.passing(EVERYTHING)); // annotated handlers observe; nothing else is touched
        }
        for (RouteProperties configured : http.routes()) {
            routes.add(configured(configured.route()));
        }
        boolean all = http.cover() == Cover.ALL;
        handlers.ifAvailable(
                routing -> routing.routes(all).forEach(route -> routes.add(probes.claimedByHandler(route))));
        routes.add(
                all
                        ? new Route(Set.of("POST", "PATCH"), EVERYTHING, null, false, Policy.unchanged())
                        : Route.passing(EVERYTHING));
        return routes;
    }

    private Route configured(Route route) {
        if (route.passes() || route.operation() == null) {
            return route;
        }
        OperationSettings settings = policies.of(route.operation());
        if (settings.isShadow()) {
            return Route.passing(route.pattern());
        }
        return route.policy(settings.policy(route.policy()));
    }
}
