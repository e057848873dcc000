package io.onefold.http.contract;

import io.onefold.Onefold;
import io.onefold.TokenStore;
import io.onefold.http.Caller;
import io.onefold.http.HttpContract;
import io.onefold.http.HttpPolicy;
import io.onefold.http.HttpProfile;
import io.onefold.http.Route;
import io.onefold.store.Store;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The settings that a case needs of an adapter. Immutable; each method that changes something returns a changed copy.
 * All copies have one store, so a second adapter on it is a second node.
 */
public final class AdapterSetup {
    /** The request header that names the caller; an adapter believes it. */
    public static final String USER = "X-Test-User";

    /** The request header that says for which tenant. */
    public static final String TENANT = "X-Test-Tenant";

    private static final UnaryOperator<HttpContract.Builder> NOTHING = UnaryOperator.identity();

    private final KitStore store;
    private final UnaryOperator<HttpContract.Builder> choices;
    private final HttpPolicy policy;
    private final List<Route> routes;
    private final boolean anonymous;
    private final @Nullable KitTokenStore tokens;

    private AdapterSetup(
            KitStore store,
            UnaryOperator<HttpContract.Builder> choices,
            HttpPolicy policy,
            List<Route> routes,
            boolean anonymous,
            @Nullable KitTokenStore tokens) {
        this.store = store;
        this.choices = choices;
        this.policy = policy;
        this.routes = routes;
        this.anonymous = anonymous;
        this.tokens = tokens;
    }

    static AdapterSetup plain() {
        return new AdapterSetup(new KitStore(), NOTHING, HttpPolicy.unchanged(), List.of(), true, null);
    }

    AdapterSetup profile(HttpProfile profile) {
        return choosing(builder -> builder.profile(profile));
    }

    AdapterSetup choosing(UnaryOperator<HttpContract.Builder> more) {
        return new AdapterSetup(
                store, builder -> more.apply(choices.apply(builder)), policy, routes, anonymous, tokens);
    }

    AdapterSetup policy(UnaryOperator<HttpPolicy> edit) {
        return new AdapterSetup(store, choices, edit.apply(policy), routes, anonymous, tokens);
    }

    AdapterSetup route(Route route) {
        List<Route> more = new ArrayList<>(routes);
        more.add(route);
        return new AdapterSetup(store, choices, policy, List.copyOf(more), anonymous, tokens);
    }

    /** Tokens are issued, and good for operations that take them. */
    AdapterSetup issuing() {
        return new AdapterSetup(store, choices, policy, routes, anonymous, new KitTokenStore());
    }

    /** Requests are claimed by their handler, where they would be claimed before it. */
    public AdapterSetup claimedByHandler() {
        return policy(HttpPolicy::claimedByHandler);
    }

    /** Somebody must be authenticated. */
    AdapterSetup authenticated() {
        return new AdapterSetup(store, choices, policy, routes, false, tokens);
    }

    /**
     * Returns true if the adapter has only default settings. Then an adapter that has served another such case may
     * serve this one, too: from its own store, and with its own callers.
     */
    public boolean isPlain() {
        return choices == NOTHING && policy.equals(HttpPolicy.unchanged()) && routes.isEmpty() && tokens == null;
    }

    /**
     * Returns true if the case has made its store fail. An adapter may still be at work on an end that it could not
     * record.
     */
    public boolean hasFailed() {
        return store.hasFailed();
    }

    KitStore kitStore() {
        return store;
    }

    KitTokenStore kitTokens() {
        return Objects.requireNonNull(tokens);
    }

    /** Returns the store of the adapter's records. */
    public Store store() {
        return store;
    }

    /** Returns the store in which the fixture has placed the records. The case cannot break it. */
    public CaseStore placed() {
        return store.behind();
    }

    /** Returns the contract of the adapter. */
    public HttpContract contract(Onefold onefold) {
        // tokens are checked by an Onefold that has them, whatever the door was opened with
        Onefold checking =
                tokens == null ? onefold : Onefold.builder(store).tokens(tokens).build();
        return on(HttpContract.builder(checking)).build();
    }

    /**
     * Applies the settings to the builder of an adapter that makes its contract itself. They override the builder's
     * own.
     */
    public HttpContract.Builder on(HttpContract.Builder builder) {
        HttpContract.Builder chosen = choices.apply(builder).defaults(policy);
        if (tokens != null) {
            chosen.tokens(tokens);
        }
        routes.forEach(chosen::route);
        return chosen;
    }

    /** Returns the token store for an adapter that makes its Onefold itself; null if the case uses none. */
    public @Nullable TokenStore tokens() {
        return tokens;
    }

    /** Returns the policy of routes that set nothing else, for an adapter that makes its contract itself. */
    public HttpPolicy policy() {
        return policy;
    }

    /** Returns the routes that are covered, for an adapter that makes its contract itself. */
    public List<Route> routes() {
        return routes;
    }

    /** Applies all other settings of the adapter. */
    public HttpContract.Builder choose(HttpContract.Builder builder) {
        return choices.apply(builder);
    }

    /**
     * Returns the caller; null if nobody is authenticated though somebody must be.
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
