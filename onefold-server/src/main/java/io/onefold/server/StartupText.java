package io.onefold.server;

import io.onefold.http.OperationCoverage;
import io.onefold.http.Route;
import io.onefold.server.config.GatewayConfig;
import io.onefold.server.config.GatewayConfig.CallerConfig;
import io.onefold.server.config.GatewayConfig.ContractConfig;
import io.onefold.server.config.GatewayConfig.JwtConfig;
import io.onefold.server.config.ListenAddress;
import io.onefold.server.config.PrincipalRule;
import io.onefold.server.config.ProbeUrl;
import io.onefold.server.gateway.Gateway;
import java.io.PrintWriter;
import java.util.Objects;
import java.util.TreeSet;

/** The message of a gateway that has started: what it does, and what it guarantees. */
final class StartupText {
    private static final String UNKNOWN = "; unknown is told, never repeated";
    private static final String PATHS = "/healthz and /metrics";

    private StartupText() {}

    static void print(GatewayConfig config, Gateway gateway, PrintWriter out) {
        String here = at(config.listen(), gateway.port());
        out.println("onefold proxy listens on " + here + " and sends on to " + config.to());
        out.println("  store      " + gateway.storeName());
        out.println("  principal  " + told(config.who().principal(), config.who()));
        PrincipalRule tenant = config.who().tenant();
        if (tenant != null) {
            out.println("  tenant     " + told(tenant, config.who()));
        }
        out.println("  admin      " + admin(config, gateway));
        config.rules().routes().forEach(route -> out.println("  route      " + line(route, config.rules())));
        if (!config.who().chosen()) {
            out.println(
                    "WARNING: callers are not told apart, whoever knows a key gets its answer; fine on this machine alone."
                            + " Choose with --principal.");
        }
        out.flush();
    }

    private static String line(Route route, ContractConfig rules) {
        if (route.passes()) {
            return route.pattern() + ": passes";
        }
        String name = route.operation() == null ? "" : " (" + route.operation() + ")";
        String methods = String.join(",", new TreeSet<>(route.methods()));
        return methods + " " + route.pattern() + name + ": " + promise(route, rules);
    }

    /** Returns a route with the guarantees that its own settings take away. */
    private static String promise(Route route, ContractConfig rules) {
        OperationCoverage coverage = route.coverage(rules.profile(), rules.defaults());
        boolean repeatsUnknown = coverage.safeToRepeat() || coverage.open();
        ProbeUrl probe = rules.probes().get(route);
        String asked = probe == null ? "" : (repeatsUnknown ? "; " : ", but ") + "asked for at " + probe;
        return coverage.promise() + (repeatsUnknown ? "" : UNKNOWN) + asked;
    }

    private static String admin(GatewayConfig config, Gateway gateway) {
        ListenAddress own = config.admin().address();
        return switch (config.admin().kind()) {
            case OFF -> "off";
            case AT, NEAR -> at(Objects.requireNonNull(own), gateway.adminPort()) + PATHS;
            case WITH_CLIENTS ->
                at(config.listen(), gateway.adminPort()) + PATHS
                        + "; the service's own are hidden, say admin to have these elsewhere";
        };
    }

    /** Returns the address with the actual port, where any port was allowed. */
    private static String at(ListenAddress address, int port) {
        return "http://" + new ListenAddress(address.host(), port);
    }

    private static String told(PrincipalRule rule, CallerConfig who) {
        return switch (rule.kind()) {
            case HEADER -> rule + ", believed from " + who.proxies();
            case JWT -> rule + " of tokens" + of(Objects.requireNonNull(who.jwt()));
            case ANONYMOUS -> rule.toString();
        };
    }

    private static String of(JwtConfig jwt) {
        return (jwt.issuer() == null ? ", told apart by issuer" : " from " + jwt.issuer())
                + (jwt.alias() == null ? "" : " (as " + jwt.alias() + ")")
                + (jwt.audience() == null ? "" : " for " + jwt.audience());
    }
}
