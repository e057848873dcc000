package io.onefold.test;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.web.client.RestClient;

/** Clients of a server that really runs, called as any other. */
class HttpClientDuplicatesTest {
    private static final String IN_USE = "{\"type\":\"urn:onefold:problem:in-progress\"}";

    private static final String FAILED = "{\"type\":\"urn:onefold:problem:attempt-failed\"}";

    private final AtomicInteger requests = new AtomicInteger();
    private HttpServer server;
    private URI address;

    @BeforeEach
    void open() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/orders", exchange -> {
            int number = requests.incrementAndGet();
            byte[] body = (number == 3 ? IN_USE : number == 4 ? FAILED : "order").getBytes(StandardCharsets.UTF_8);
            if (number == 2) {
                exchange.getResponseHeaders().set("Idempotent-Replayed", "true");
            }
            exchange.sendResponseHeaders(number == 3 ? 409 : number == 4 ? 503 : 201, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        address = URI.create("http://localhost:" + server.getAddress().getPort() + "/orders");
    }

    @AfterEach
    void close() {
        server.stop(0);
    }

    @Test
    void answers_of_the_jdks_client_are_understood() {
        HttpClient client = HttpClient.newHttpClient();
        HttpRequest request = HttpRequest.newBuilder(address)
                .POST(HttpRequest.BodyPublishers.ofString("book"))
                .build();

        DuplicateCalls.of(() -> client.send(request, BodyHandlers.ofByteArray()))
                .times(4)
                .oneByOne()
                .ranOnce()
                .replayed(1)
                .busy(1)
                .attemptFailed(1)
                .sameAnswer();
        Callable<CompletableFuture<HttpResponse<String>>> later =
                () -> client.sendAsync(request, BodyHandlers.ofString());
        DuplicateCalls.of(later).times(2).concurrently().ran(2);
    }

    @Test
    void answers_and_exceptions_of_springs_client_are_understood() {
        RestClient client = RestClient.create();

        CallResults replies = DuplicateCalls.of(
                        () -> client.post().uri(address).body("book").retrieve().toEntity(String.class))
                .times(3)
                .oneByOne()
                .ranOnce()
                .replayed(1)
                .busy(1);

        assertThat(replies.list()).extracting(CallResult::status).containsExactly(201, 201, 409);
    }
}
