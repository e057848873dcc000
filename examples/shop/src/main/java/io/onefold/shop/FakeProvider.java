package io.onefold.shop;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import jakarta.annotation.PreDestroy;
import java.io.IOException;
import java.math.BigDecimal;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import tools.jackson.databind.json.JsonMapper;

/** Stands for a payment provider: it honours {@code Idempotency-Key} as real ones do, and can lose its answers. */
@Component
class FakeProvider {
    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final JsonMapper json;
    private final List<Receipt> charges = new CopyOnWriteArrayList<>();
    private final Map<String, Receipt> byKey = new ConcurrentHashMap<>();
    private final AtomicInteger toLose = new AtomicInteger();

    FakeProvider(JsonMapper json) throws IOException {
        this.json = json;
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/charges", this::handle);
        server.setExecutor(threads);
        server.start();
    }

    @PreDestroy
    void stop() {
        server.stop(0);
        threads.shutdownNow();
    }

    String url() {
        return "http://" + server.getAddress().getHostString() + ":"
                + server.getAddress().getPort();
    }

    /** How often an order was charged. */
    long charges(long orderId) {
        return charges.stream().filter(charge -> charge.orderId() == orderId).count();
    }

    /** The next charges are made, but their answers are lost. */
    void loseAnswers(int count) {
        toLose.set(count);
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            if (exchange.getRequestMethod().equals("GET")) {
                String path = exchange.getRequestURI().getPath();
                answer(exchange, byKey.get(path.substring(path.lastIndexOf('/') + 1)));
                return;
            }
            Wanted wanted = json.readValue(exchange.getRequestBody(), Wanted.class);
            String key = exchange.getRequestHeaders().getFirst("Idempotency-Key");
            Receipt receipt = key == null ? charge(wanted) : byKey.computeIfAbsent(key, any -> charge(wanted));
            if (toLose.getAndUpdate(left -> Math.max(0, left - 1)) == 0) {
                answer(exchange, receipt);
            }
        }
    }

    private Receipt charge(Wanted wanted) {
        Receipt receipt = new Receipt(UUID.randomUUID().toString(), wanted.orderId(), wanted.amount());
        charges.add(receipt);
        return receipt;
    }

    private void answer(HttpExchange exchange, @Nullable Receipt receipt) throws IOException {
        if (receipt == null) {
            exchange.sendResponseHeaders(404, -1);
            return;
        }
        byte[] body = json.writeValueAsBytes(receipt);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(200, body.length);
        exchange.getResponseBody().write(body);
    }

    private record Wanted(long orderId, BigDecimal amount) {}
}
