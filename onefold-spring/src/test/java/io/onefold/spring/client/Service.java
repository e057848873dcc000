package io.onefold.spring.client;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;

/** A service of somebody else, which remembers the keys that it was called with. */
final class Service implements AutoCloseable {
    private final HttpServer server;
    private final BlockingQueue<String> keys = new LinkedBlockingQueue<>();
    private final AtomicInteger failures = new AtomicInteger();

    Service() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.createContext("/", this::answer);
        server.start();
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            exchange.getRequestBody().readAllBytes();
            List<String> sent = exchange.getRequestHeaders().get("Idempotency-Key");
            keys.add(sent == null ? "none" : String.join(" and ", sent));
            boolean fails = failures.getAndUpdate(left -> Math.max(0, left - 1)) > 0;
            exchange.sendResponseHeaders(fails ? 503 : 204, -1);
        }
    }

    String url() {
        return "http://localhost:" + server.getAddress().getPort();
    }

    /** The next so many calls are not carried out. */
    void failNext(int calls) {
        failures.set(calls);
    }

    /** The keys since this was last asked, in the order of the calls; "none" for a call without one. */
    List<String> keys() {
        List<String> taken = new ArrayList<>();
        keys.drainTo(taken);
        return taken;
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
