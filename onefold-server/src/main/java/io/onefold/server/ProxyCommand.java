package io.onefold.server;

import io.onefold.server.config.ConfigException;
import io.onefold.server.config.ConfigReader;
import io.onefold.server.config.GatewayConfig;
import io.onefold.server.gateway.Gateway;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Runs a gateway before a service until it is told to stop. */
@Command(
        name = "proxy",
        description = "Stands before a service and lets each request through once: retries get the first answer.")
final class ProxyCommand implements Callable<Integer> {
    @Spec
    @Nullable
    CommandSpec spec;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "This text.")
    boolean help;

    @Option(names = "--config", paramLabel = "FILE", description = "Routes and policies, in YAML. Options go over it.")
    @Nullable
    Path config;

    private final Map<String, String> options = new LinkedHashMap<>();

    @Option(names = "--to", paramLabel = "URL", description = "The service, such as http://localhost:9000.")
    void to(String text) {
        options.put("to", text);
    }

    @Option(names = "--listen", paramLabel = "HOST:PORT", description = "Where to listen; 127.0.0.1:8687 if not said.")
    void listen(String text) {
        options.put("listen", text);
    }

    @Option(
            names = "--admin",
            paramLabel = "HOST:PORT|off",
            description = "Where /healthz and /metrics are; if not said, with the clients where these are on loopback,"
                    + " else on a loopback port of their own.")
    void admin(String text) {
        options.put("admin", text);
    }

    @Option(
            names = "--store",
            paramLabel = "ADDRESS",
            description = "sqlite:PATH, jdbc:URL or redis://HOST:PORT; sqlite:onefold.db if not said.")
    void store(String text) {
        options.put("store", text);
    }

    @Option(
            names = "--principal",
            paramLabel = "WHO",
            description = "How callers are told apart: header:NAME, jwt:CLAIM or anonymous.")
    void principal(String text) {
        options.put("principal", text);
    }

    @Option(
            names = "--tenant",
            paramLabel = "WHOSE",
            description = "How tenants are told apart, if there are several: header:NAME or jwt:CLAIM.")
    void tenant(String text) {
        options.put("tenant", text);
    }

    @Option(
            names = "--trusted-proxies",
            paramLabel = "ADDRESSES",
            description = "Proxies in front that are believed, such as 10.0.0.0/8.")
    void trustedProxies(String text) {
        options.put("trusted-proxies", text);
    }

    @Option(names = "--jwks", paramLabel = "FILE|URL", description = "The keys that tokens are signed with.")
    void jwks(String text) {
        options.put("jwks", text);
    }

    @Option(
            names = "--issuer",
            paramLabel = "NAME",
            description = "Whose tokens are believed; needed for jwt: where others can reach the gateway.")
    void issuer(String text) {
        options.put("issuer", text);
    }

    @Option(
            names = "--audience",
            paramLabel = "NAME",
            description = "For whom tokens must be meant; needed as --issuer is.")
    void audience(String text) {
        options.put("audience", text);
    }

    @Option(names = "--authorize", paramLabel = "URL", description = "Asked before an earlier answer is given.")
    void authorize(String text) {
        options.put("authorize", text);
    }

    @Option(
            names = "--timeout",
            paramLabel = "TIME",
            description = "How long the service may be silent; 60s if not said.")
    void timeout(String text) {
        options.put("timeout", text);
    }

    @Option(names = "--drain", paramLabel = "TIME", description = "How long requests may take to end; 30s if not said.")
    void drain(String text) {
        options.put("drain", text);
    }

    @Override
    public Integer call() throws Exception {
        PrintWriter out = spec().commandLine().getOut();
        try {
            GatewayConfig read = ConfigReader.read(config, options);
            Gateway gateway = Gateway.start(read);
            StartupText.print(read, gateway, out);
            Runtime.getRuntime().addShutdownHook(new Thread(() -> leave(gateway, out), "onefold-drain"));
        } catch (ConfigException e) {
            PrintWriter err = spec().commandLine().getErr();
            err.println("onefold: " + e.getMessage());
            err.flush();
            return Main.MISUSED;
        }
        new CountDownLatch(1).await();
        return Main.OK;
    }

    private static void leave(Gateway gateway, PrintWriter out) {
        out.println("draining: requests under way end and are recorded");
        out.flush();
        int left = gateway.drain();
        out.println(left == 0 ? "stopped" : "stopped; " + left + " requests had not ended");
        out.flush();
        // it stopped because it was asked to: a platform would take 143 for a failure
        Runtime.getRuntime().halt(left == 0 ? Main.OK : Main.FAILED);
    }

    private CommandSpec spec() {
        return Objects.requireNonNull(spec);
    }
}
