package io.onefold.server.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.net.Socket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LimitsTest {
    @TempDir
    Path directory;

    @Test
    void a_body_that_does_not_come_in_time_is_given_up_and_nothing_is_claimed() throws Exception {
        try (Rig rig = Rig.with(directory, "receive-timeout: 200ms")) {
            try (Socket socket = rig.client.open()) {
                Client.write(
                        socket, "POST /orders HTTP/1.1\r\nHost: h\r\nIdempotency-Key: k\r\nContent-Length: 9\r\n\r\n{");
                InputStream in = socket.getInputStream();
                Message answer = Message.read(in, false);
                assertThat(answer.status()).isEqualTo(408);
                assertThat(answer.problem()).isEqualTo("body-invalid");
                assertThat(answer.text()).contains("\"retryable\":true");
                assertThat(answer.header("Connection")).isEqualTo("close");
                assertThat(in.read()).isEqualTo(-1);
            }
            assertThat(rig.client.post("/orders", "k", "{\"a\":1234}").status()).isEqualTo(201);
        }
    }

    @Test
    void a_connection_on_which_nothing_comes_is_closed_but_not_one_that_waits_for_its_answer() throws Exception {
        java.util.concurrent.CountDownLatch gate = new java.util.concurrent.CountDownLatch(1);
        Service slow = Service.start().does(Service.Behaviour.waits(gate));
        try (Rig rig = Rig.with(slow, directory, "idle-timeout: 200ms")) {
            CompletableFuture<Message> keyed = rig.client.postAsync("/orders", "k", "{}");
            CompletableFuture<Message> plain =
                    CompletableFuture.supplyAsync(() -> rig.client.get("/things"), task -> new Thread(task).start());
            try (Socket idle = rig.client.open();
                    Socket half = rig.client.open();
                    Socket stuck = rig.client.open()) {
                Client.write(half, "POST /orders HTTP/1.1\r\nHost:");
                Client.write(
                        stuck, "POST /orders HTTP/1.1\r\nHost: h\r\nIdempotency-Key: j\r\nContent-Length: 9\r\n\r\n{");
                assertThat(idle.getInputStream().read()).isEqualTo(-1);
                half.getInputStream().readAllBytes();
                stuck.getInputStream().readAllBytes();
            }
            gate.countDown();
            assertThat(keyed.join().status()).isEqualTo(201);
            assertThat(plain.join().status()).isEqualTo(201);
        }
    }

    @Test
    void what_is_too_large_is_refused() throws Exception {
        try (Rig rig = Rig.with(directory, "{header-size: 2KiB, defaults: {body.max: 1KiB}}")) {
            assertThat(rig.client.get("/x", "X-Large: " + "x".repeat(3_000)).status())
                    .isEqualTo(431);
            Message large = rig.client.post("/orders", "k", "x".repeat(2_000));
            assertThat(large.status()).isEqualTo(413);
            assertThat(large.problem()).isEqualTo("body-too-large");
            try (Socket socket = rig.client.open()) {
                Client.write(
                        socket,
                        "POST /orders HTTP/1.1\r\nHost: h\r\nIdempotency-Key: k\r\nTransfer-Encoding: chunked\r\n\r\n"
                                + "7d0\r\n" + "x".repeat(2_000) + "\r\n");
                assertThat(Message.read(socket.getInputStream(), false).status())
                        .isEqualTo(413);
            }
            assertThat(rig.service.seen()).isEmpty();
        }
    }

    @Test
    void a_request_that_can_be_read_in_two_ways_is_read_in_none() throws Exception {
        try (Rig rig = Rig.with(directory, "")) {
            for (String headers : List.of(
                    "Content-Length: 2\r\nTransfer-Encoding: chunked\r\n",
                    "Content-Length: 2\r\nContent-Length: 3\r\n",
                    "Transfer-Encoding: chunked, identity\r\n",
                    "Transfer-Encoding: xchunked\r\n",
                    "X: a\r\n b\r\n",
                    "X : a\r\n",
                    "Host: other\r\n")) {
                try (Socket socket = rig.client.open()) {
                    Client.write(
                            socket, "POST /orders HTTP/1.1\r\nHost: h\r\nIdempotency-Key: k\r\n" + headers + "\r\n{}");
                    assertThat(Message.head(socket.getInputStream()).status())
                            .as(headers)
                            .isEqualTo(400);
                }
            }
            assertThat(rig.service.seen()).isEmpty();
        }
    }

    @Test
    void many_requests_at_once_hold_no_thread_each() throws Exception {
        java.util.concurrent.CountDownLatch gate = new java.util.concurrent.CountDownLatch(1);
        Service slow = Service.start().does(Service.Behaviour.waits(gate));
        try (Rig rig = Rig.with(slow, directory, "upstream-connections: 400")) {
            long before = own();
            List<Socket> sockets = new ArrayList<>();
            for (int i = 0; i < 150; i++) {
                Socket socket = rig.client.open();
                sockets.add(socket);
                Client.write(socket, Client.request("POST", "/orders", "{}", "Idempotency-Key: k" + i));
            }
            Rig.await("all are with the service", () -> slow.seen().size() == 150);
            // for the network, and for SQLite; some of them were there before
            int most = 8 + Runtime.getRuntime().availableProcessors() + 4;
            assertThat(own() - before).as("more than before").isLessThanOrEqualTo(most);
            gate.countDown();
            for (Socket socket : sockets) {
                assertThat(Message.read(socket.getInputStream(), false).status())
                        .isEqualTo(201);
                socket.close();
            }
        }
    }

    private static long own() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> !thread.getName().equals("service"))
                .count();
    }
}
