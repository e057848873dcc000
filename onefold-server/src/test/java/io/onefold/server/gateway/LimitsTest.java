package io.onefold.server.gateway;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
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
    void a_head_that_comes_drop_by_drop_is_given_up_though_it_never_stops() throws Exception {
        try (Rig rig = Rig.with(directory, "{head-timeout: 400ms, idle-timeout: 10s}")) {
            String[] beginnings = {
                "",
                "POST /orders HTTP/1.1\r\nHost: h\r\nX-Long: ",
                Client.request("GET", "/healthz", ""),
                Client.request("POST", "/orders", "{}", "Idempotency-Key: k", "Content-Type: application/json")
            };
            for (String beginning : beginnings) {
                try (Socket socket = rig.client.open()) {
                    Client.write(socket, beginning);
                    long begun = System.nanoTime();
                    String answer = drip(socket, "x");
                    assertThat(Duration.ofNanos(System.nanoTime() - begun))
                            .as("after " + beginning)
                            .isBetween(Duration.ofMillis(400), Duration.ofSeconds(8));
                    assertThat(answer).contains("HTTP/1.1 408 ");
                }
            }
        }
    }

    @Test
    void a_connection_that_is_idle_between_requests_or_at_work_has_no_late_head() throws Exception {
        CountDownLatch gate = new CountDownLatch(1);
        Service slow = Service.start().does(new Early(gate));
        try (Rig rig = Rig.with(slow, directory, "{head-timeout: 200ms, idle-timeout: 10s}");
                Socket idle = rig.client.open();
                Socket working = rig.client.open();
                Socket streaming = rig.client.open()) {
            Client.write(idle, Client.request("GET", "/healthz", ""));
            assertThat(Message.read(idle.getInputStream(), false).status()).isEqualTo(200);
            Client.write(working, Client.request("POST", "/orders", "{}", "Idempotency-Key: k"));
            Rig.await("the service has it", () -> slow.seen().size() == 1);
            Client.write(streaming, Client.head("PUT /early", "Content-Length: 3") + "a");
            assertThat(Message.head(streaming.getInputStream()).status()).isEqualTo(200);
            assertThat(new String(streaming.getInputStream().readNBytes(5), US_ASCII))
                    .isEqualTo("2\r\n..");
            // by the time that a late one is given up, any other that had begun before would have been
            giveUpALateOne(rig);
            Client.write(streaming, "b");
            giveUpALateOne(rig);
            gate.countDown();
            assertThat(Message.read(working.getInputStream(), false).status()).isEqualTo(201);
            Client.write(streaming, "c");
            assertThat(new String(streaming.getInputStream().readNBytes(12), US_ASCII))
                    .isEqualTo("\r\n2\r\nok\r\n0\r\n");
            Client.write(idle, Client.request("GET", "/healthz", ""));
            assertThat(Message.read(idle.getInputStream(), false).status()).isEqualTo(200);
        }
    }

    /** Who looks at connections may have seen only the beginning of it. */
    @Test
    void the_end_of_a_body_is_no_late_head() throws Exception {
        try (Rig rig = Rig.with(directory, "{head-timeout: 200ms, idle-timeout: 10s}");
                Socket uploading = rig.client.open()) {
            Client.write(uploading, Client.head("PUT /things", "Content-Length: 2") + "a");
            giveUpALateOne(rig);
            Client.write(uploading, "b");
            assertThat(Message.read(uploading.getInputStream(), false).status()).isEqualTo(201);
            giveUpALateOne(rig);
            Client.write(uploading, Client.request("GET", "/healthz", ""));
            assertThat(Message.read(uploading.getInputStream(), false).status()).isEqualTo(200);
        }
    }

    private static void giveUpALateOne(Rig rig) throws Exception {
        try (Socket late = rig.client.open()) {
            Client.write(late, "GET /");
            drip(late, "x");
        }
    }

    @Test
    void a_body_that_passes_drop_by_drop_is_given_up_though_it_never_stops() throws Exception {
        try (Rig rig = Rig.with(directory, "{receive-timeout: 400ms, body-rate: 1KiB, idle-timeout: 10s}")) {
            for (String framing : List.of("Content-Length: 100000", "Transfer-Encoding: chunked")) {
                try (Socket socket = rig.client.open()) {
                    Client.write(socket, Client.head("PUT /things", framing));
                    String answer = drip(socket, framing.startsWith("T") ? "1\r\nx\r\n" : "x");
                    assertThat(answer).startsWith("HTTP/1.1 408 ").contains("body-invalid", "Connection: close");
                }
            }
        }
    }

    @Test
    void a_body_that_passes_may_take_its_time_if_it_comes_fast_enough() throws Exception {
        try (Rig rig = Rig.with(directory, "{receive-timeout: 100ms, body-rate: 10B, idle-timeout: 10s}");
                Socket socket = rig.client.open()) {
            Client.write(socket, Client.head("PUT /things", "Content-Length: 3000"));
            for (int i = 0; i < 30; i++) {
                Client.write(socket, "x".repeat(100));
                Thread.sleep(20);
            }
            assertThat(Message.read(socket.getInputStream(), false).status()).isEqualTo(201);
        }
    }

    /** Begins to answer some requests before their bodies have come, and others when a gate opens. */
    private record Early(CountDownLatch gate) implements Service.Behaviour {
        @Override
        public boolean onHead(Message head, Socket socket) throws IOException {
            if (head.target().equals("/early")) {
                Service.write(socket, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n..\r\n");
            }
            return true;
        }

        @Override
        public boolean onRequest(Message request, Socket socket, int count) throws IOException {
            if (request.target().equals("/early")) {
                Service.write(socket, "2\r\nok\r\n0\r\n\r\n");
                return true;
            }
            return Service.Behaviour.waits(gate).onRequest(request, socket, count);
        }
    }

    /** Sends a drop every now and then until somebody answers, and returns all that was answered. */
    private static String drip(Socket socket, String drop) throws Exception {
        InputStream in = socket.getInputStream();
        StringBuilder answers = new StringBuilder();
        long deadline = System.nanoTime() + Duration.ofSeconds(20).toNanos();
        socket.setSoTimeout(20);
        while (System.nanoTime() < deadline) {
            try {
                int next = in.read();
                if (next < 0) {
                    return answers.toString();
                }
                answers.append((char) next);
            } catch (SocketTimeoutException e) {
                try {
                    Client.write(socket, drop);
                } catch (IOException closed) {
                    return answers.toString();
                }
            } catch (SocketException e) {
                return answers.toString();
            }
        }
        throw new AssertionError("nobody has given it up; answers: " + answers);
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
    void bodies_that_are_half_sent_do_not_fill_the_heap_however_many_there_are() throws Exception {
        int length = 1_000_000;
        Service service = Service.start();
        String[] options = {
            "--to", service.address(), "--store", "sqlite:" + directory.resolve("records.db"), "--drain", "1s"
        };
        List<Socket> sockets = new ArrayList<>();
        try (GatewayProcess gateway = GatewayProcess.start("64m", options)) {
            String almost = "x".repeat(length - 1);
            for (int i = 0; i < 100; i++) {
                Socket socket = gateway.client.open();
                sockets.add(socket);
                Client.write(
                        socket,
                        Client.head(
                                        "POST /uploads",
                                        "Idempotency-Key: k" + i,
                                        "Content-Type: application/octet-stream",
                                        "Content-Length: " + length)
                                + almost);
            }
            for (Socket socket : sockets) {
                Client.write(socket, "x");
                assertThat(Message.read(socket.getInputStream(), false).status())
                        .isEqualTo(201);
            }
            assertThat(service.seen())
                    .hasSize(100)
                    .allSatisfy(seen -> assertThat(seen.body()).hasSize(length));
        } finally {
            for (Socket socket : sockets) {
                socket.close();
            }
            service.close();
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
