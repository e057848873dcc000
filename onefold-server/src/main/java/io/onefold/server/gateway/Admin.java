package io.onefold.server.gateway;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.onefold.server.config.Address;
import io.onefold.store.RecordId;
import io.onefold.store.Seen;
import io.onefold.store.Store;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Health and metrics, at an address of their own: they hide no path of the service, and are not public by accident. */
final class Admin implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Admin.class);
    private static final RecordId NOBODY = RecordId.of("onefold", "onefold.health", "nobody");

    private final HttpServer server;
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private final ExecutorService threads = Executors.newFixedThreadPool(2, task -> daemon(task, "onefold-admin"));
    private final ExecutorService asking = Executors.newSingleThreadExecutor(task -> daemon(task, "onefold-health"));
    private final Store store;
    private final Flights flights;
    private @Nullable CompletableFuture<Seen> question;

    private Admin(HttpServer server, Store store, Flights flights) {
        this.server = server;
        this.store = store;
        this.flights = flights;
    }

    private static Thread daemon(Runnable task, String name) {
        Thread daemon = new Thread(task, name);
        daemon.setDaemon(true);
        return daemon;
    }

    static Admin open(Address address, Store store, Flights flights, Metrics metrics) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(address.host(), address.port()), 16);
        Admin admin = new Admin(server, store, flights);
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
        // nobody waits here: the threads are for who asks something else meanwhile
        var unused = question()
                .copy()
                .orTimeout(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)
                .whenCompleteAsync((seen, failure) -> tell(exchange, failure), threads);
    }

    /** One at a time: who asks while the store is being asked hears the same. */
    private synchronized CompletableFuture<Seen> question() {
        if (question == null || question.isDone()) {
            question = CompletableFuture.supplyAsync(() -> store.find(NOBODY), asking);
        }
        return question;
    }

    private static void tell(HttpExchange exchange, @Nullable Throwable failure) {
        try {
            if (failure == null) {
                send(exchange, 200, "application/json", "{\"status\":\"up\"}\n");
                return;
            }
            String why = failure instanceof TimeoutException ? "nothing for " + PATIENCE : failure.getMessage();
            LOG.warn("the store does not answer: {}", why);
            send(exchange, 503, "application/json", "{\"status\":\"down\",\"store\":\"unreachable\"}\n");
        } catch (IOException e) {
            LOG.debug("who asked for the health has left: {}", e.getMessage());
        }
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
        asking.shutdownNow();
        threads.shutdownNow();
    }
}
