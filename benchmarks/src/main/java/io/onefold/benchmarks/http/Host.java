package io.onefold.benchmarks.http;

import io.onefold.benchmarks.stores.Compiler;
import io.onefold.server.config.ConfigReader;
import io.onefold.server.config.GatewayConfig;
import io.onefold.server.gateway.Gateway;
import io.onefold.store.MemoryStore;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.Function;
import org.eclipse.jetty.server.NetworkConnector;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.util.thread.Invocable.InvocationType;

/**
 * What runs in a process of its own, so that its threads and its heap can be told from those of who asks: the service, the plain proxy
 * or the gateway. It says its port, then answers questions about itself, a line each, until nobody asks any more.
 */
public final class Host {
    static final String SERVICE = "service";
    static final String PROXY = "proxy";
    /** With the one setting of the gateway's that speeds up a proxy without Onefold too. */
    static final String TUNED_PROXY = "tuned-proxy";

    /** With its records in memory. */
    static final String GATEWAY = "gateway";
    /** As the product sets it up if nothing is said: with its records in a file. */
    static final String FILED_GATEWAY = "filed-gateway";

    private Host() {}

    public static void main(String[] arguments) throws Exception {
        String role = arguments[0];
        Function<String, String> answers = Host::ofProcess;
        int port;
        if (role.equals(SERVICE)) {
            Service service = new Service();
            port = port(Service.start(service));
            answers = question -> ofService(service, question);
        } else {
            GatewayConfig config = config(Path.of(arguments[2]), arguments[1]);
            if (role.equals(PROXY) || role.equals(TUNED_PROXY)) {
                InvocationType taken = role.equals(PROXY) ? InvocationType.BLOCKING : InvocationType.NON_BLOCKING;
                port = port(PlainProxy.start(config.to(), config.limits(), taken));
            } else {
                Gateway gateway = role.equals(GATEWAY)
                        ? Gateway.start(config, new MemoryStore(), new NoTokens())
                        : Gateway.start(config);
                port = gateway.port();
                answers = question ->
                        question.equals("admin-port") ? Integer.toString(gateway.adminPort()) : ofProcess(question);
            }
        }
        System.out.println(port);
        answer(answers);
        System.exit(0);
    }

    private static void answer(Function<String, String> answers) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
        for (String question = in.readLine(); question != null; question = in.readLine()) {
            System.out.println(answers.apply(question));
        }
    }

    private static String ofService(Service service, String question) {
        return switch (question) {
            case "executions" -> Long.toString(service.executions());
            case "held" -> Integer.toString(service.held());
            case "release" -> {
                service.release();
                yield "released";
            }
            default -> ofProcess(question);
        };
    }

    private static String ofProcess(String question) {
        return switch (question) {
            case "threads" -> Vitals.threads();
            case "thread-count" -> Integer.toString(Vitals.threadCount());
            case "heap" -> Long.toString(Vitals.heapAfterCollection());
            case "peak" -> Long.toString(Vitals.peakHeap());
            case "direct" -> Long.toString(Vitals.direct());
            case "settle" -> {
                try {
                    Compiler.settle();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
                yield "settled";
            }
            default -> throw new IllegalArgumentException("nobody can answer \"" + question + "\"");
        };
    }

    /**
     * What the product has by default, but for the time that duplicates wait: that they wait is measured, not how fast the machine is.
     */
    private static GatewayConfig config(Path directory, String to) throws IOException {
        Path file = directory.resolve("gateway.yaml");
        Files.writeString(file, "defaults:\n  wait: 60s\nspool: " + directory + "\n");
        return ConfigReader.read(
                file,
                Map.of(
                        "to",
                        to,
                        "listen",
                        "127.0.0.1:0",
                        "admin",
                        "127.0.0.1:0",
                        "store",
                        "sqlite:" + directory.resolve("records.db")));
    }

    private static int port(Server server) {
        return ((NetworkConnector) server.getConnectors()[0]).getLocalPort();
    }
}
