package io.onefold.shop;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import jakarta.annotation.PreDestroy;
import java.io.IOException;
import java.math.BigDecimal;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.springframework.stereotype.Component;
import tools.jackson.databind.json.JsonMapper;

/** Stands for a payment provider: it honours {@code Idempotency-Key} as real ones do, and all can go wrong that does with them. */
@Component
class FakeProvider {
    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final JsonMapper json;
    private final List<Receipt> charges = new CopyOnWriteArrayList<>();
    private final Map<String, Optional<Receipt>> byKey = new ConcurrentHashMap<>();
    private final Queue<Mishap> mishaps = new ConcurrentLinkedQueue<>();
    private volatile Gap gap = () -> {};
    private volatile boolean down;

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

    /** What becomes of the next requests to charge; those after them go well. */
    void next(Mishap what, int times) {
        mishaps.addAll(Collections.nCopies(times, what));
    }

    /** What happens before each charge from now on. */
    void before(Gap what) {
        gap = what;
    }

    /** It is out of order, and says so. */
    void fail() {
        down = true;
    }

    /** From now on all goes well. */
    void recover() {
        down = false;
        mishaps.clear();
        gap = () -> {};
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            if (down) {
                exchange.sendResponseHeaders(503, -1);
                return;
            }
            if (exchange.getRequestMethod().equals("GET")) {
                String path = exchange.getRequestURI().getPath();
                answer(exchange, byKey.getOrDefault(path.substring(path.lastIndexOf('/') + 1), Optional.empty()), 404);
                return;
            }
            Wanted wanted = json.readValue(exchange.getRequestBody(), Wanted.class);
            String key = exchange.getRequestHeaders().getFirst("Idempotency-Key");
            Mishap mishap = mishaps.poll();
            if (mishap == Mishap.REQUEST_LOST) {
                return;
            }
            gap.pass();
            boolean refused = mishap == Mishap.REFUSED || wanted.validUntil().isBefore(Instant.now());
            Optional<Receipt> decided =
                    key == null ? decide(wanted, refused) : byKey.computeIfAbsent(key, any -> decide(wanted, refused));
            if (mishap != Mishap.ANSWER_LOST) {
                answer(exchange, decided, 402);
            }
        }
    }

    private Optional<Receipt> decide(Wanted wanted, boolean refused) {
        if (refused) {
            return Optional.empty();
        }
        Receipt receipt = new Receipt(UUID.randomUUID().toString(), wanted.orderId(), wanted.amount());
        charges.add(receipt);
        return Optional.of(receipt);
    }

    private void answer(HttpExchange exchange, Optional<Receipt> receipt, int otherwise) throws IOException {
        if (receipt.isEmpty()) {
            exchange.sendResponseHeaders(otherwise, -1);
            return;
        }
        byte[] body = json.writeValueAsBytes(receipt.get());
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(200, body.length);
        exchange.getResponseBody().write(body);
    }

    /** How a request to charge can end badly. */
    enum Mishap {
        /** It never arrives. */
        REQUEST_LOST,
        /** It is carried out, and nobody hears of it. */
        ANSWER_LOST,
        REFUSED
    }

    private record Wanted(long orderId, BigDecimal amount, Instant validUntil) {}
}
