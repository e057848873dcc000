package io.onefold.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.onefold.payload.MalformedPayloadException;
import io.onefold.payload.PayloadParser;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.Stream;

/** The demo's customer. It sends the same request again, as clients and networks do. */
final class DemoClient {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int MAX_DEPTH = 16;
    private static final int MAX_BYTES = 1 << 20;

    private final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(PATIENCE)
            .build();

    /**
     * A request for a charge.
     *
     * @param pause the point at which the shop stops; empty if it does not stop
     */
    record DemoOrder(String at, String key, String order, long amount, String pause) {

        static DemoOrder of(String at, String order, long amount) {
            return new DemoOrder(at, "key-of-" + order, order, amount, "");
        }

        DemoOrder pausing(String where) {
            return new DemoOrder(at, key, order, amount, where);
        }
    }

    /** A response to the customer. */
    record DemoResponse(int status, boolean replayed, String text) {

        /** Returns the last part of the problem's type; empty if the response is no problem. */
        String problem() {
            String type = String.valueOf(json().get("type"));
            return json().containsKey("type") ? type.substring(type.lastIndexOf(':') + 1) : "";
        }

        List<?> fields() {
            return json().get("fields") instanceof List<?> fields ? fields : List.of();
        }

        private Map<?, ?> json() {
            try {
                return PayloadParser.json(text.getBytes(UTF_8), MAX_DEPTH, MAX_BYTES) instanceof Map<?, ?> map
                        ? map
                        : Map.of();
            } catch (MalformedPayloadException e) {
                return Map.of();
            }
        }

        private static DemoResponse of(HttpResponse<String> response) {
            boolean replayed =
                    response.headers().firstValue("Idempotent-Replayed").isPresent();
            return new DemoResponse(response.statusCode(), replayed, response.body());
        }
    }

    CompletableFuture<DemoResponse> send(DemoOrder order) {
        String body = "{\"order\":\"" + order.order() + "\",\"amount\":" + order.amount() + ",\"currency\":\"EUR\"}";
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(order.at() + "/charges"))
                .timeout(PATIENCE)
                .header("Content-Type", "application/json")
                .header("Idempotency-Key", order.key())
                .POST(HttpRequest.BodyPublishers.ofString(body));
        if (!order.pause().isEmpty()) {
            request.header(DemoShop.PAUSE, order.pause());
        }
        return client.sendAsync(request.build(), BodyHandlers.ofString()).thenApply(DemoResponse::of);
    }

    DemoResponse charge(DemoOrder order) {
        return joined(send(order));
    }

    List<DemoResponse> atOnce(DemoOrder order, int copies) {
        List<CompletableFuture<DemoResponse>> sent =
                Stream.generate(() -> send(order)).limit(copies).toList();
        return sent.stream().map(DemoClient::joined).toList();
    }

    static DemoResponse joined(CompletableFuture<DemoResponse> sent) {
        try {
            return sent.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof IOException cause) {
                return new DemoResponse(0, false, cause.toString());
            }
            throw e;
        }
    }

    /** Returns how often the shop has charged for this order. */
    int charges(String shop, DemoOrder order) {
        try {
            URI address = URI.create(shop + "/charges?order=" + order.order());
            String list = client.send(
                            HttpRequest.newBuilder(address).timeout(PATIENCE).build(), BodyHandlers.ofString())
                    .body();
            return PayloadParser.json(list.getBytes(UTF_8), MAX_DEPTH, MAX_BYTES) instanceof List<?> charges
                    ? charges.size()
                    : -1;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while asking the shop", e);
        }
    }
}
