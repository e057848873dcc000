package io.onefold.spring.webflux;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;

/** Asks a server on this machine. */
record Client(int port) {
    private static final HttpClient HTTP =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    HttpResponse<String> post(String key, String body) throws Exception {
        return post(key, "application/json", body);
    }

    HttpResponse<String> post(String key, String type, String body) throws Exception {
        return HTTP.send(request(key, type, body), HttpResponse.BodyHandlers.ofString());
    }

    CompletableFuture<HttpResponse<String>> begin(String key, String body) {
        return HTTP.sendAsync(request(key, "application/json", body), HttpResponse.BodyHandlers.ofString());
    }

    private HttpRequest request(String key, String type, String body) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/orders"))
                .timeout(PATIENCE)
                .header("Idempotency-Key", key)
                .header("Content-Type", type)
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
    }

    /** A connection on which a request was sent, of which only this much of the body. */
    Socket half(String key, int length, String body) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout((int) PATIENCE.toMillis());
        String head = "POST /orders HTTP/1.1\r\nHost: localhost\r\nIdempotency-Key: " + key
                + "\r\nContent-Type: application/json\r\nContent-Length: " + length + "\r\n\r\n";
        socket.getOutputStream().write((head + body).getBytes(UTF_8));
        socket.getOutputStream().flush();
        return socket;
    }

    /** Hangs up so that the other side is told of it. */
    static void reset(Socket socket) throws IOException {
        socket.setSoLinger(true, 0);
        socket.close();
    }

    static boolean replayed(HttpResponse<?> answer) {
        return answer.headers().firstValue("Idempotent-Replayed").isPresent();
    }

    static void await(String what, BooleanSupplier condition) throws InterruptedException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > end) {
                throw new AssertionError("not in time: " + what);
            }
            Thread.sleep(5);
        }
    }
}
