package io.onefold.server.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onefold.server.gateway.Service.Behaviour;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.Socket;
import java.net.SocketException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DrainTest {
    private static final String SECRET = "jane.doe.1970";

    @TempDir
    Path directory;

    @Test
    void what_is_under_way_ends_and_is_recorded_and_nobody_else_comes_in() throws Exception {
        CountDownLatch gate = new CountDownLatch(1);
        try (Rig rig = Rig.with(Service.start().does(Behaviour.waits(gate)), directory, "admin: 127.0.0.1:0")) {
            Client admin = new Client(rig.gateway.adminPort());
            try (Socket keptAlive = rig.client.open()) {
                InputStream in = new BufferedInputStream(keptAlive.getInputStream());
                Client.write(keptAlive, Client.request("GET", "/x", "", "Upgrade: websocket", "Connection: Upgrade"));
                assertThat(Message.read(in, false).status()).isEqualTo(501);

                CompletableFuture<Message> first = rig.client.postAsync("/orders", "k", "{}");
                Rig.await("the service is asked", () -> rig.service.seen().size() == 1);
                CompletableFuture<Integer> left =
                        CompletableFuture.supplyAsync(rig.gateway::drain, task -> new Thread(task).start());
                Rig.await("it says so", () -> admin.get("/healthz").status() == 503);
                Rig.await("nobody is let in", () -> {
                    try (Socket refused = rig.client.open()) {
                        return false;
                    } catch (ConnectException e) {
                        return true;
                    } catch (java.io.IOException e) {
                        return false;
                    }
                });
                Client.write(keptAlive, Client.request("GET", "/x", "", "Upgrade: websocket", "Connection: Upgrade"));
                Message last = Message.read(in, false);
                assertThat(last.header("Connection")).isEqualTo("close");
                assertThat(in.read()).isEqualTo(-1);
                assertThat(left).isNotDone();
                gate.countDown();
                assertThat(first.join().status()).isEqualTo(201);
                assertThat(left.join()).isZero();
            }
            try (Rig next = Rig.with(rig.service, directory, "")) {
                assertThat(next.client.post("/orders", "k", "{}").header("Idempotent-Replayed"))
                        .isEqualTo("true");
            }
            assertThat(rig.service.seen()).hasSize(1);
        }
    }

    @Test
    void a_client_that_has_left_is_waited_for_too_since_its_answer_is_to_be_recorded() throws Exception {
        CountDownLatch gate = new CountDownLatch(1);
        try (Rig rig = Rig.with(Service.start().does(Behaviour.waits(gate)), directory, "admin: 127.0.0.1:0")) {
            try (Socket gone = rig.client.open()) {
                gone.setSoLinger(true, 0);
                Client.write(
                        gone,
                        Client.request(
                                "POST", "/orders", "{}", "Idempotency-Key: k", "Content-Type: application/json"));
                Rig.await("the service is asked", () -> rig.service.seen().size() == 1);
            }
            CompletableFuture<Integer> left =
                    CompletableFuture.supplyAsync(rig.gateway::drain, task -> new Thread(task).start());
            Rig.await(
                    "it drains",
                    () -> new Client(rig.gateway.adminPort()).get("/healthz").status() == 503);
            gate.countDown();
            assertThat(left.join()).isZero();
            try (Rig next = Rig.with(rig.service, directory, "")) {
                assertThat(next.client.post("/orders", "k", "{}").header("Idempotent-Replayed"))
                        .isEqualTo("true");
            }
        }
    }

    @Test
    void an_answer_that_breaks_off_meanwhile_is_seen_to_be_cut() throws Exception {
        CountDownLatch gate = new CountDownLatch(1);
        Service service = Service.start().does((request, socket, count) -> {
            try {
                gate.await();
            } catch (InterruptedException e) {
                return false;
            }
            Service.write(
                    socket,
                    "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n1\n\r\n");
            return false;
        });
        try (Rig rig = Rig.with(service, directory, "admin: 127.0.0.1:0");
                Socket socket = rig.client.open()) {
            Client.write(
                    socket,
                    Client.request("POST", "/events", "{}", "Idempotency-Key: k", "Content-Type: application/json"));
            Rig.await("the service is asked", () -> service.seen().size() == 1);
            CompletableFuture<Integer> left =
                    CompletableFuture.supplyAsync(rig.gateway::drain, task -> new Thread(task).start());
            Rig.await(
                    "it drains",
                    () -> new Client(rig.gateway.adminPort()).get("/healthz").status() == 503);
            gate.countDown();
            InputStream in = new BufferedInputStream(socket.getInputStream());
            Message head = Message.head(in);
            assertThat(head.header("Connection")).isEqualTo("close");
            assertThatThrownBy(() -> head.withBody(in)).isInstanceOfAny(EOFException.class, SocketException.class);
            assertThat(left.join()).isZero();
        }
    }

    @Test
    void patience_has_an_end() throws Exception {
        try (Rig rig = Rig.with(Service.start().does(Behaviour.hangs()), directory, "{timeout: 60s, drain: 50ms}")) {
            CompletableFuture<Message> lost = rig.client.postAsync("/orders", "k", "{}");
            Rig.await("the service is asked", () -> rig.service.seen().size() == 1);
            assertThat(rig.gateway.drain()).isEqualTo(1);
            assertThatThrownBy(lost::join).isNotNull();
        }
    }

    @Test
    void a_process_that_is_asked_to_stop_finishes_its_work_and_says_that_all_is_well() throws Exception {
        CountDownLatch gate = new CountDownLatch(1);
        Path file = directory.resolve("gateway.yaml");
        Files.writeString(file, "routes:\n- match: POST /orders\n  operation: order\n- pass: /open/**\n");
        try (Service service = Service.start().does(Behaviour.waits(gate));
                GatewayProcess process = GatewayProcess.start(
                        "--to", service.address(),
                        "--config", file.toString(),
                        "--store", "sqlite:" + directory.resolve("records.db"))) {
            CompletableFuture<Message> first = process.client.postAsync("/orders", SECRET, "{}");
            Rig.await("the service is asked", () -> service.seen().size() == 1);
            askWithKeysThatAreRefused(process.client);
            process.ask();
            gate.countDown();
            assertThat(first.join().status()).isEqualTo(201);
            assertThat(process.exitCode()).isZero();
            try (Rig next = Rig.with(service, directory, "routes: [{match: POST /orders, operation: order}]")) {
                assertThat(next.client.post("/orders", SECRET, "{}").header("Idempotent-Replayed"))
                        .as("the record is there")
                        .isEqualTo("true");
            }
            assertThat(service.seen()).hasSize(1);
            assertThat(process.restOfOutput())
                    .as("S6")
                    .doesNotContain(SECRET)
                    .contains(
                            "POST /orders (order): at most once; unknown is told, never repeated",
                            "/open/**: passes",
                            "WARNING: callers are not told apart",
                            "draining",
                            "stopped");
        }
    }

    /** Whatever becomes of them, nothing of them is to be seen in what a gateway says. */
    private static void askWithKeysThatAreRefused(Client client) {
        for (String key : List.of(
                SECRET + "," + SECRET,
                '"' + SECRET,
                SECRET.repeat(30),
                SECRET + "\\",
                SECRET + "\tforged",
                SECRET + " b")) {
            assertThat(client.post("/orders", key, "{}").problem()).as(key).isEqualTo("key-invalid");
        }
        assertThat(client.post("/orders", SECRET, "{\"other\":1}").problem()).isEqualTo("key-reused");
        assertThat(client.send("POST", "/orders", "{", "Idempotency-Key: " + SECRET, "Content-Encoding: gzip")
                        .problem())
                .isEqualTo("body-invalid");
        // the listener refuses these by itself
        assertThat(client.post("/orders", SECRET + "\u0001", "{}").status()).isEqualTo(400);
    }
}
