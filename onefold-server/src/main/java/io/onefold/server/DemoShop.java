package io.onefold.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import io.onefold.payload.MalformedPayloadException;
import io.onefold.payload.PayloadParser;
import io.onefold.server.ChargeFile.Charge;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A service like most: it charges whenever it is asked to. It only writes the key down as a reference, so that it can
 * later tell the outcome of a request. If a header says so, it stops in the middle of a charge, so that it can be killed
 * there.
 */
final class DemoShop {
    /** Names the point at which to stop: {@link #BEFORE} or {@link #AFTER} the charge. */
    static final String PAUSE = "Shop-Pause";

    static final String BEFORE = "before";
    static final String AFTER = "after";

    /** The beginning of the line that tells the shop's starter its port. */
    static final String LISTENS = "listens ";

    static final String PAUSES = "pauses ";

    private static final byte[] LOOPBACK = {127, 0, 0, 1};
    private static final int MAX_BODY = 16 << 10;
    private static final long PAUSE_SECONDS = 60;

    private final ChargeFile ledger;
    private final PrintStream out;
    private final Set<String> underWay = ConcurrentHashMap.newKeySet();

    private DemoShop(ChargeFile ledger, PrintStream out) {
        this.ledger = ledger;
        this.out = out;
    }

    /**
     * @param port 0 for a free one
     */
    static HttpServer open(Path directory, int port, PrintStream out) throws IOException {
        DemoShop shop = new DemoShop(new ChargeFile(directory.resolve("charges.tsv")), out);
        InetSocketAddress address = new InetSocketAddress(InetAddress.getByAddress(LOOPBACK), port);
        HttpServer server = HttpServer.create(address, 64);
        server.setExecutor(Executors.newCachedThreadPool());
        server.createContext("/charges", closing(shop::charges));
        server.createContext("/probe", closing(shop::probe));
        server.start();
        shop.tell(LISTENS + server.getAddress().getPort());
        return server;
    }

    private static HttpHandler closing(HttpHandler handler) {
        return exchange -> {
            try (exchange) {
                handler.handle(exchange);
            }
        };
    }

    private void tell(String what) {
        out.println(what);
        out.flush();
    }

    private void charges(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        if (exchange.getRequestMethod().equals("POST") && path.equals("/charges")) {
            charge(exchange);
        } else if (exchange.getRequestMethod().equals("GET") && path.equals("/charges")) {
            String order = parameter(exchange, "order");
            send(exchange, 200, list(charge -> order == null || charge.order().equals(order)));
        } else if (exchange.getRequestMethod().equals("GET")) {
            Charge found = first(charge -> path.equals("/charges/" + charge.id()));
            send(exchange, found == null ? 404 : 200, found == null ? problem("no such charge") : found.json());
        } else {
            send(exchange, 405, problem("POST or GET"));
        }
    }

    private void charge(HttpExchange exchange) throws IOException {
        byte[] body = exchange.getRequestBody().readNBytes(MAX_BODY);
        Map<?, ?> fields = fields(body);
        String order = text(fields, "order");
        String amount = text(fields, "amount");
        String currency = text(fields, "currency");
        if (!order.matches("[A-Za-z0-9._-]{1,64}")
                || !amount.matches("[1-9][0-9]{0,11}")
                || !currency.matches("[A-Z]{3}")) {
            send(exchange, 400, problem("expected {'order':'order-1','amount':4200,'currency':'EUR'}"));
            return;
        }
        String reference =
                Objects.requireNonNullElse(exchange.getRequestHeaders().getFirst("Idempotency-Key"), "");
        String pause = Objects.requireNonNullElse(exchange.getRequestHeaders().getFirst(PAUSE), "");
        underWay.add(reference);
        try {
            pause(pause.equals(BEFORE), pause);
            Charge charge = ledger.add(order, Long.parseLong(amount), currency, reference);
            pause(pause.equals(AFTER), pause);
            answer(exchange, charge);
        } finally {
            underWay.remove(reference);
        }
    }

    private static Map<?, ?> fields(byte[] body) {
        try {
            return PayloadParser.json(body, 4, MAX_BODY) instanceof Map<?, ?> map ? map : Map.of();
        } catch (MalformedPayloadException e) {
            return Map.of();
        }
    }

    private static String text(Map<?, ?> fields, String name) {
        return String.valueOf(fields.get(name));
    }

    private void pause(boolean here, String where) {
        if (!here) {
            return;
        }
        tell(PAUSES + where);
        try {
            boolean unused = new CountDownLatch(1).await(PAUSE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Tells the outcome of the request with this key. No request outlives the process that took it: one that is neither
     * written down nor in progress here can no longer happen.
     */
    private void probe(HttpExchange exchange) throws IOException {
        String key = parameter(exchange, "key");
        // in this order: a request is written first, and only then is no longer in progress
        boolean maybe = key == null || underWay.contains(key);
        Charge found = first(charge -> charge.reference().equals(key));
        if (found != null) {
            answer(exchange, found);
        } else {
            send(exchange, maybe ? 404 : 410, problem(maybe ? "not known yet" : "never charged, and never will be"));
        }
    }

    private void answer(HttpExchange exchange, Charge charge) throws IOException {
        exchange.getResponseHeaders().set("Location", "/charges/" + charge.id());
        send(exchange, 201, charge.json());
    }

    private @Nullable Charge first(Predicate<Charge> which) {
        return ledger.charges().stream().filter(which).findFirst().orElse(null);
    }

    private String list(Predicate<Charge> which) {
        return ledger.charges().stream().filter(which).map(Charge::json).collect(Collectors.joining(",", "[", "]"));
    }

    private static @Nullable String parameter(HttpExchange exchange, String name) {
        String query = exchange.getRequestURI().getRawQuery();
        List<String> values =
                query == null ? null : PayloadParser.form(query, MAX_BODY).get(name);
        return values == null ? null : values.get(0);
    }

    private static String problem(String what) {
        return "{\"error\":\"" + what + "\"}";
    }

    private static void send(HttpExchange exchange, int status, String json) throws IOException {
        byte[] body = (json + "\n").getBytes(UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(status, body.length);
        exchange.getResponseBody().write(body);
    }
}
