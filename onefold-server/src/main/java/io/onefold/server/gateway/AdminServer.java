package io.onefold.server.gateway;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.onefold.http.HeaderField;
import io.onefold.http.OutgoingResponse;
import io.onefold.server.config.AdminAddress;
import io.onefold.server.config.ListenAddress;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A listener for health and metrics only. It hides no path of the service, and is not public by accident. */
final class AdminServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(AdminServer.class);
    private static final OutgoingResponse NOTHING = new OutgoingResponse(
            404,
            List.of(new HeaderField("Content-Type", "text/plain")),
            "there are /healthz and /metrics\n".getBytes(UTF_8),
            false);

    private final HttpServer server;
    private final ExecutorService threads = Executors.newFixedThreadPool(2, AdminServer::daemon);

    private AdminServer(HttpServer server) {
        this.server = server;
    }

    private static Thread daemon(Runnable task) {
        Thread daemon = new Thread(task, "onefold-admin");
        daemon.setDaemon(true);
        return daemon;
    }

    /**
     * Opens the listener, which listens when this returns.
     *
     * @param place with an address
     */
    static AdminServer open(AdminAddress place, HealthAndMetrics vitals) throws IOException {
        AdminServer admin = new AdminServer(bound(place));
        admin.server.setExecutor(admin.threads);
        admin.server.createContext("/", exchange -> admin.answer(exchange, vitals));
        admin.server.start();
        return admin;
    }

    private static HttpServer bound(AdminAddress place) throws IOException {
        ListenAddress address = Objects.requireNonNull(place.address());
        try {
            return HttpServer.create(new InetSocketAddress(address.host(), address.port()), 16);
        } catch (IOException e) {
            if (place.kind() != AdminAddress.Kind.NEAR) {
                throw e;
            }
            // this port was only a default
            return HttpServer.create(new InetSocketAddress(address.host(), 0), 16);
        }
    }

    int port() {
        return server.getAddress().getPort();
    }

    private void answer(HttpExchange exchange, HealthAndMetrics vitals) throws IOException {
        String path = String.valueOf(exchange.getRequestURI().getPath());
        if (!HealthAndMetrics.answers(exchange.getRequestMethod(), path)) {
            send(exchange, NOTHING);
            return;
        }
        // nothing blocks here: the threads stay free for other requests
        var unused = vitals.answer(path).thenAcceptAsync(answer -> tell(exchange, answer), threads);
    }

    private static void tell(HttpExchange exchange, OutgoingResponse answer) {
        try {
            send(exchange, answer);
        } catch (IOException e) {
            LOG.debug("who asked for health or metrics has left: {}", e.getMessage());
        }
    }

    private static void send(HttpExchange exchange, OutgoingResponse answer) throws IOException {
        try (exchange) {
            answer.headers().forEach(field -> exchange.getResponseHeaders().set(field.name(), field.value()));
            boolean head = exchange.getRequestMethod().equals("HEAD");
            exchange.sendResponseHeaders(answer.status(), head ? -1 : answer.body().length);
            if (!head) {
                exchange.getResponseBody().write(answer.body());
            }
        }
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
