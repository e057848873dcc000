package io.onefold.server;

import io.onefold.http.Route;
import io.onefold.server.config.GatewayConfig;
import io.onefold.server.config.PrincipalRule;
import io.onefold.server.gateway.Gateway;
import java.io.PrintWriter;
import java.util.TreeSet;

/** What a gateway says of itself when it has started: what it does, and what it promises. */
final class Greeting {
    private static final String PROMISE = "at most once; unknown is told, never repeated";

    private Greeting() {}

    static void print(GatewayConfig config, Gateway gateway, PrintWriter out) {
        out.println("onefold proxy listens on http://" + config.listen().host() + ":" + gateway.port()
                + " and sends on to " + config.to());
        out.println("  store      " + gateway.storeName());
        out.println("  principal  " + principal(config));
        out.println("  admin      "
                + (config.admin() == null
                        ? "off"
                        : "http://" + config.admin().host() + ":" + gateway.adminPort() + "/healthz and /metrics"));
        for (Route route : config.rules().routes()) {
            String methods = String.join(",", new TreeSet<>(route.methods()));
            out.println("  route      "
                    + (route.passes()
                            ? route.pattern() + ": passes"
                            : methods + " " + route.pattern()
                                    + (route.operation() == null ? "" : " (" + route.operation() + ")") + ": "
                                    + PROMISE));
        }
        if (!config.who().chosen()) {
            out.println(
                    "WARNING: callers are not told apart, whoever knows a key gets its answer; fine on this machine alone."
                            + " Choose with --principal.");
        }
        out.flush();
    }

    private static String principal(GatewayConfig config) {
        PrincipalRule principal = config.who().principal();
        return principal.kind() == PrincipalRule.Kind.HEADER
                ? principal + ", believed from " + config.who().proxies()
                : principal.toString();
    }
}
