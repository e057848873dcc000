package io.onefold.server;

import io.onefold.http.Route;
import io.onefold.server.config.Address;
import io.onefold.server.config.GatewayConfig;
import io.onefold.server.config.PrincipalRule;
import io.onefold.server.gateway.Gateway;
import java.io.PrintWriter;
import java.util.Objects;
import java.util.TreeSet;

/** What a gateway says of itself when it has started: what it does, and what it promises. */
final class Greeting {
    private static final String PROMISE = "at most once; unknown is told, never repeated";
    private static final String PATHS = "/healthz and /metrics";

    private Greeting() {}

    static void print(GatewayConfig config, Gateway gateway, PrintWriter out) {
        String here = at(config.listen(), gateway.port());
        out.println("onefold proxy listens on " + here + " and sends on to " + config.to());
        out.println("  store      " + gateway.storeName());
        out.println("  principal  " + principal(config));
        out.println("  admin      " + admin(config, gateway));
        for (Route route : config.rules().routes()) {
            String methods = String.join(",", new TreeSet<>(route.methods()));
            out.println("  route      "
                    + (route.passes()
                            ? route.pattern() + ": passes"
                            : methods + " " + route.pattern()
                                    + (route.operation() == null ? "" : " (" + route.operation() + ")") + ": " + PROMISE
                                    + (config.rules().probes().containsKey(route)
                                            ? ", but asked for at "
                                                    + config.rules().probes().get(route)
                                            : "")));
        }
        if (!config.who().chosen()) {
            out.println(
                    "WARNING: callers are not told apart, whoever knows a key gets its answer; fine on this machine alone."
                            + " Choose with --principal.");
        }
        out.flush();
    }

    private static String admin(GatewayConfig config, Gateway gateway) {
        Address own = config.admin().address();
        return switch (config.admin().kind()) {
            case OFF -> "off";
            case AT, NEAR -> at(Objects.requireNonNull(own), gateway.adminPort()) + PATHS;
            case WITH_CLIENTS ->
                at(config.listen(), gateway.adminPort()) + PATHS
                        + "; the service's own are hidden, say admin to have these elsewhere";
        };
    }

    /** With the port that was chosen, where any was allowed. */
    private static String at(Address address, int port) {
        return "http://" + new Address(address.host(), port);
    }

    private static String principal(GatewayConfig config) {
        PrincipalRule principal = config.who().principal();
        return principal.kind() == PrincipalRule.Kind.HEADER
                ? principal + ", believed from " + config.who().proxies()
                : principal.toString();
    }
}
