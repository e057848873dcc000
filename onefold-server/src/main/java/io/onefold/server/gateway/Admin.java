package io.onefold.server.gateway;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.onefold.server.config.Address;
import io.onefold.store.RecordId;
import io.onefold.store.Store;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Health and metrics, at an address of their own: they hide no path of the service, and are not public by accident. */
final class Admin implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Admin.class);
    private static final RecordId NOBODY = RecordId.of("onefold", "onefold.health", "nobody");

    private final HttpServer server;
    private final ExecutorService threads = Executors.newFixedThreadPool(2, task -> {
        Thread daemon = new Thread(task, "onefold-admin");
        daemon.setDaemon(true);
        return daemon;
    });
    private final Store store;
    private final Flights flights;
    private final Metrics metrics;

    private Admin(HttpServer server, Store store, Flights flights, Metrics metrics) {
        this.server = server;
        this.store = store;
        this.flights = flights;
        this.metrics = metrics;
    }

    static Admin open(Address address, Store store, Flights flights, Metrics metrics) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(address.host(), address.port()), 16);
        Admin admin = new Admin(server, store, flights, metrics);
        server.setExecutor(admin.threads);
        server.createContext("/", exchange -> send(exchange, 404, "text/plain", "there are /healthz and /metrics\n"));
        server.createContext("/healthz", admin::health);
        server.createContext(
                "/metrics",
                exchange -> send(exchange, 200, "text/plain; version=0.0.4; charset=utf-8", metrics.text()));
        server.start();
        return admin;
    }

    int port() {
        return server.getAddress().getPort();
    }

    private void health(HttpExchange exchange) throws IOException {
        if (flights.draining()) {
            send(exchange, 503, "application/json", "{\"status\":\"draining\"}\n");
            return;
        }
        boolean up = true;
        try {
            var unused = store.find(NOBODY);
        } catch (RuntimeException e) {
            LOG.warn("the store does not answer: {}", e.getMessage());
            up = false;
        }
        send(
                exchange,
                up ? 200 : 503,
                "application/json",
                up ? "{\"status\":\"up\"}\n" : "{\"status\":\"down\",\"store\":\"unreachable\"}\n");
    }

    private static void send(HttpExchange exchange, int status, String type, String text) throws IOException {
        try (exchange) {
            exchange.getResponseHeaders().set("Content-Type", type);
            byte[] body = text.getBytes(UTF_8);
            boolean head = exchange.getRequestMethod().equals("HEAD");
            exchange.sendResponseHeaders(status, head ? -1 : body.length);
            if (!head) {
                exchange.getResponseBody().write(body);
            }
        }
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
