package io.onefold.shop;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Customers of the shop, over real HTTP, impatient ones among them. */
final class Customers {
    static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration IMPATIENCE = Duration.ofMillis(300);

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final int port;

    Customers(int port) {
        this.port = port;
    }

    HttpResponse<String> get(String path) throws Exception {
        return http.send(request(path, null).GET().build(), BodyHandlers.ofString());
    }

    HttpResponse<String> post(String path, @Nullable String key, String body) throws Exception {
        return sending(path, key, body).get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }

    HttpResponse<String> post(String path) throws Exception {
        return post(path, null, "");
    }

    CompletableFuture<HttpResponse<String>> sending(String path, @Nullable String key, String body) {
        return http.sendAsync(
                request(path, key).POST(BodyPublishers.ofString(body)).build(), BodyHandlers.ofString());
    }

    /** Sends a request and hangs up before the answer. */
    void postAndLeave(String path, String key, String body) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.getOutputStream()
                    .write(("POST " + path
                                    + " HTTP/1.1\r\nHost: shop\r\nContent-Type: application/json\r\nIdempotency-Key: "
                                    + key + "\r\nContent-Length: " + body.length() + "\r\n\r\n" + body)
                            .getBytes(StandardCharsets.US_ASCII));
            socket.getOutputStream().flush();
        }
    }

    /** As a service calls another: when the first try has no answer in time, it tries again under the same key. */
    HttpResponse<String> insist(String path, String key, String body, Runnable tried) throws Exception {
        HttpRequest.Builder request = request(path, key).POST(BodyPublishers.ofString(body));
        try {
            CompletableFuture<HttpResponse<String>> first =
                    http.sendAsync(request.timeout(IMPATIENCE).build(), BodyHandlers.ofString());
            tried.run();
            return first.get();
        } catch (ExecutionException e) {
            assertThat(e).hasCauseInstanceOf(HttpTimeoutException.class);
            CompletableFuture<HttpResponse<String>> second =
                    http.sendAsync(request.timeout(PATIENCE).build(), BodyHandlers.ofString());
            tried.run();
            return second.get();
        }
    }

    private HttpRequest.Builder request(String path, @Nullable String key) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .header("Content-Type", "application/json");
        return key == null ? request : request.header("Idempotency-Key", key);
    }

    /** Waits for a condition. */
    static void until(String what, BooleanSupplier condition) throws InterruptedException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime() - deadline).as(what).isNegative();
            TimeUnit.MILLISECONDS.sleep(10);
        }
    }
}
