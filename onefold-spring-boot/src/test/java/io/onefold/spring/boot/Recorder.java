package io.onefold.spring.boot;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/** A service of somebody else, which remembers a header of the requests that it gets. */
final class Recorder implements AutoCloseable {
    private final HttpServer server;
    private final String header;
    private final BlockingQueue<String> values = new LinkedBlockingQueue<>();

    Recorder(String header) {
        this.header = header;
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
            values.add(Objects.requireNonNullElse(exchange.getRequestHeaders().getFirst(header), "none"));
            exchange.sendResponseHeaders(204, -1);
        }
    }

    String url() {
        return "http://localhost:" + server.getAddress().getPort() + "/charges";
    }

    /** Since this was last asked, in the order of the requests; "none" for one without the header. */
    List<String> values() {
        List<String> taken = new ArrayList<>();
        values.drainTo(taken);
        return taken;
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
