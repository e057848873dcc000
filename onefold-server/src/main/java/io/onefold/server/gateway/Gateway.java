package io.onefold.server.gateway;

import io.onefold.Onefold;
import io.onefold.Timer;
import io.onefold.TokenStore;
import io.onefold.http.HttpContract;
import io.onefold.http.Route;
import io.onefold.server.config.AdminAddress.Kind;
import io.onefold.server.config.ConfigException;
import io.onefold.server.config.GatewayConfig;
import io.onefold.server.config.GatewayConfig.ContractConfig;
import io.onefold.server.config.GatewayConfig.LimitConfig;
import io.onefold.server.config.ListenAddress;
import io.onefold.server.config.PrincipalRule;
import io.onefold.store.Store;
import io.onefold.upkeep.Maintenance;
import io.onefold.upkeep.Reconciler;
import java.util.concurrent.Executor;
import java.util.function.UnaryOperator;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.http.UriCompliance.Violation;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.NetworkConnectionLimit;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A running gateway. All its state is in the store, so any number of gateways can share one store. */
public final class Gateway implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Gateway.class);

    private final GatewayConfig config;
    private final OpenStore store;
    private final Onefold onefold;
    private final Maintenance upkeep;
    private final InFlightRequests flights;
    private final Server server;
    private final ServerConnector connector;
    private final HealthAndMetrics vitals;
    private final @Nullable AdminServer admin;

    /**
     * @param choices settings of the contract that override those of the configuration
     * @param callers null for those of the configuration
     */
    private Gateway(
            GatewayConfig config,
            OpenStore store,
            UnaryOperator<HttpContract.Builder> choices,
            @Nullable GatewayCallerResolver callers)
            throws Exception {
        this.config = config;
        this.store = store;
        this.flights = new InFlightRequests();
        GatewayMetrics metrics = new GatewayMetrics(flights);
        Executor asking = store.callers() == 0 ? Runnable::run : GatewayThreads.store(store.callers());
        this.onefold = Onefold.builder(store.store())
                .tokens(store.tokens())
                .fingerprintKeys(config.secrets().fingerprints())
                .results(config.secrets().results())
                .listener(metrics)
                .waiters(config.limits().waitersPerKey(), config.limits().waitersInAll())
                .executor(asking)
                .build();
        HttpContract contract = choices.apply(contract(metrics)).build();
        GatewayResponseSender replies = new GatewayResponseSender(contract, flights);
        TrustedProxies peers = new TrustedProxies(config.who().proxies());
        ForwardedHeaders origin =
                new ForwardedHeaders(contract, peers, config.who().headers());
        UpstreamProxy upstream = new UpstreamProxy(config.to(), config.limits(), origin, replies);
        this.server = new Server(GatewayThreads.network());
        this.connector = connector(server, config.listen(), config.limits());
        connector.addBean(
                new SlowHeaderGuard(contract, connector, config.limits().head()));
        server.setErrorHandler(new ListenerErrorHandler(replies));
        this.vitals = new HealthAndMetrics(store.store(), flights, metrics);
        Handler door = new GatewayHandler(
                contract,
                callers == null ? GatewayCallerResolver.of(config.who(), peers) : callers,
                upstream,
                replies,
                flights,
                metrics,
                asking,
                GatewayThreads.keys(),
                config.limits());
        server.setHandler(adminIs(Kind.WITH_CLIENTS) ? new HealthAndMetricsHandler(vitals, replies, door) : door);
        Reconciler reconciler = reconciler(contract);
        this.admin = started();
        this.upkeep = Maintenance.start(store.store(), reconciler);
    }

    /** Starts a gateway, which listens when this returns. */
    public static Gateway start(GatewayConfig config) throws Exception {
        return start(
                config,
                OpenStore.at(
                        config.store(), config.place("store"), config.rules().tokenLife()));
    }

    /**
     * Starts a gateway on an open store, which overrides that of the configuration and is not closed with the gateway.
     * The store is called on network threads, so it must respond at once.
     */
    public static Gateway start(GatewayConfig config, Store store, TokenStore tokens) throws Exception {
        return start(config, OpenStore.given(store, tokens));
    }

    private static Gateway start(GatewayConfig config, OpenStore store) throws Exception {
        return start(config, store, choices -> choices, null);
    }

    /** Starts a gateway with settings that no configuration has; see the constructor. */
    static Gateway start(
            GatewayConfig config,
            OpenStore store,
            UnaryOperator<HttpContract.Builder> choices,
            @Nullable GatewayCallerResolver callers)
            throws Exception {
        try {
            return new Gateway(config, store, choices, callers);
        } catch (IllegalArgumentException e) {
            store.close();
            throw new ConfigException(String.valueOf(e.getMessage()));
        } catch (Exception e) {
            store.close();
            throw e;
        }
    }

    private Reconciler reconciler(HttpContract contract) {
        Reconciler reconciler = new Reconciler(
                onefold, Timer.system("onefold-reconciler"), config.limits().upkeep());
        boolean scoped = config.who().principal().kind() != PrincipalRule.Kind.ANONYMOUS
                || config.who().tenant() != null;
        config.rules().probes().forEach((route, address) -> {
            try {
                contract.probe(
                        reconciler,
                        route,
                        scoped,
                        new UpstreamProbe(address, config.limits().timeout()));
            } catch (IllegalArgumentException e) {
                throw new ConfigException(address.where() + ": probe: " + e.getMessage());
            }
        });
        return reconciler;
    }

    private boolean adminIs(Kind kind) {
        return config.admin().kind() == kind;
    }

    private @Nullable AdminServer started() throws Exception {
        ListenAddress address = config.admin().address();
        AdminServer opened = null;
        try {
            opened = address == null ? null : AdminServer.open(config.admin(), vitals);
            server.start();
            return opened;
        } catch (Exception e) {
            if (opened != null) {
                opened.close();
            }
            server.stop();
            throw address == null || opened != null
                    ? BindError.because(e, config.listen(), config.place("listen"))
                    : BindError.because(e, address, config.place("admin"));
        }
    }

    private HttpContract.Builder contract(GatewayMetrics metrics) {
        ContractConfig rules = config.rules();
        HttpContract.Builder builder = HttpContract.builder(onefold)
                .profile(rules.profile())
                .defaults(rules.defaults())
                .strict(rules.strict())
                .statusQueries(rules.statusQueries())
                .cors(rules.corsOrigins(), rules.corsCredentials())
                .replayMarker(rules.replayMarker().name())
                .overloadedStatus(rules.overloadedStatus())
                .listener(metrics);
        for (Route route : rules.routes()) {
            builder.route(route);
        }
        if (rules.tokens()) {
            builder.tokens(store.tokens());
        }
        if (rules.spool() != null) {
            builder.spoolDirectory(rules.spool());
        }
        if (rules.memoryForBodies() != null) {
            builder.memoryForBodies(rules.memoryForBodies());
        }
        if (config.who().authorize() != null) {
            ReplayAuthorizer authorizer =
                    new ReplayAuthorizer(config.who().authorize(), config.who().headers());
            builder.readers(authorizer::mayRead);
        }
        return builder;
    }

    static ServerConnector connector(Server server, ListenAddress listen, LimitConfig limits) {
        HttpConfiguration http = new HttpConfiguration();
        http.setSendServerVersion(false);
        // the service's date is passed on; the gateway adds one only to its own responses
        http.setSendDateHeader(false);
        http.setRequestHeaderSize(limits.headerBytes());
        http.setResponseHeaderSize(4 * limits.headerBytes());
        // a service whose names contain a slash or a percent sign must see the path as it was sent
        http.setUriCompliance(UriCompliance.DEFAULT.with(
                "ONEFOLD", Violation.AMBIGUOUS_PATH_SEPARATOR, Violation.AMBIGUOUS_PATH_ENCODING));
        ServerConnector connector = new ServerConnector(server, 1, 1, new HttpConnectionFactory(http));
        connector.setHost(listen.host());
        connector.setPort(listen.port());
        connector.setIdleTimeout(limits.idle().toMillis());
        server.addConnector(connector);
        server.addBean(new NetworkConnectionLimit(limits.connections(), connector));
        return connector;
    }

    public int port() {
        return connector.getLocalPort();
    }

    /** Returns the port of health and metrics; -1 if they are off. */
    public int adminPort() {
        if (adminIs(Kind.WITH_CLIENTS)) {
            return port();
        }
        return admin == null ? -1 : admin.port();
    }

    /** Returns the store's address without its secrets. */
    public String storeName() {
        return store.name();
    }

    /**
     * Stops accepting, lets requests in progress end and be recorded, then releases everything.
     *
     * @return how many requests had not ended in time
     */
    public int drain() {
        flights.drain();
        connector.close();
        int left = flights.close(config.limits().drain());
        if (left > 0) {
            LOG.warn(
                    "{} requests are still under way after {}; what becomes of them will be unknown",
                    left,
                    config.limits().drain());
        }
        onefold.close();
        try {
            server.stop();
        } catch (Exception e) {
            LOG.warn("the listener could not be stopped", e);
        }
        upkeep.close();
        if (admin != null) {
            admin.close();
        }
        vitals.close();
        store.close();
        return left;
    }

    @Override
    public void close() {
        drain();
    }
}
