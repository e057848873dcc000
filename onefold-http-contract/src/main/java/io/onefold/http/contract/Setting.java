package io.onefold.http.contract;

import io.onefold.Onefold;
import io.onefold.http.Caller;
import io.onefold.http.HttpContract;
import io.onefold.http.Policy;
import io.onefold.http.Profile;
import io.onefold.http.Route;
import io.onefold.store.Store;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * What a case needs of a door. Immutable; each method that changes something returns a changed copy. All copies have one store, so
 * that a second door on it is a second node.
 */
public final class Setting {
    /** The request header that says who asks; a door believes it. */
    public static final String USER = "X-Test-User";

    /** The request header that says for which tenant. */
    public static final String TENANT = "X-Test-Tenant";

    private final KitStore store;
    private final UnaryOperator<HttpContract.Builder> choices;
    private final Policy policy;
    private final List<Route> routes;
    private final boolean anonymous;

    private Setting(
            KitStore store,
            UnaryOperator<HttpContract.Builder> choices,
            Policy policy,
            List<Route> routes,
            boolean anonymous) {
        this.store = store;
        this.choices = choices;
        this.policy = policy;
        this.routes = routes;
        this.anonymous = anonymous;
    }

    static Setting plain() {
        return new Setting(new KitStore(), builder -> builder, Policy.unchanged(), List.of(), true);
    }

    Setting profile(Profile profile) {
        return choosing(builder -> builder.profile(profile));
    }

    Setting choosing(UnaryOperator<HttpContract.Builder> more) {
        return new Setting(store, builder -> more.apply(choices.apply(builder)), policy, routes, anonymous);
    }

    Setting policy(UnaryOperator<Policy> edit) {
        return new Setting(store, choices, edit.apply(policy), routes, anonymous);
    }

    Setting route(Route route) {
        List<Route> more = new ArrayList<>(routes);
        more.add(route);
        return new Setting(store, choices, policy, List.copyOf(more), anonymous);
    }

    /** Somebody must be authenticated. */
    Setting authenticated() {
        return new Setting(store, choices, policy, routes, false);
    }

    KitStore kitStore() {
        return store;
    }

    /** Where the door's records live. */
    public Store store() {
        return store;
    }

    /** What the door is to obey. */
    public HttpContract contract(Onefold onefold) {
        HttpContract.Builder builder =
                choices.apply(HttpContract.builder(onefold)).defaults(policy);
        routes.forEach(builder::route);
        return builder.build();
    }

    /**
     * Who asks; null if nobody is authenticated though somebody must be.
     *
     * @param user the value of {@link #USER}, if there is one
     * @param tenant the value of {@link #TENANT}, if there is one
     */
    public @Nullable Caller caller(@Nullable String user, @Nullable String tenant) {
        if (user == null) {
            return anonymous ? Caller.ANONYMOUS : null;
        }
        return new Caller(tenant, user);
    }
}
