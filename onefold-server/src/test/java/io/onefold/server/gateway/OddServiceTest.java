package io.onefold.server.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onefold.http.Caller;
import io.onefold.http.RequestHead;
import io.onefold.server.gateway.Service.Behaviour;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Services and clients that do what few do. */
class OddServiceTest {
    @TempDir
    Path directory;

    @Test
    void a_method_in_lower_case_does_not_slip_past_its_route() throws Exception {
        try (Rig rig = Rig.with(directory, "routes: [{match: POST /charges, required: true}]")) {
            Message answer = rig.client.send("post", "/charges", "{}", "Idempotency-Key: k");
            assertThat(answer.status()).isEqualTo(501);
            assertThat(rig.service.seen()).isEmpty();
        }
    }

    @Test
    void a_request_that_lost_its_lease_in_the_queue_is_not_sent() throws Exception {
        CountDownLatch gate = new CountDownLatch(1);
        try (Rig rig = Rig.with(directory, """
                upstream-connections: 1
                timeout: 20s
                defaults: {lease: 200ms, max-run: 400ms, wait: 0}
                routes: [{match: POST /**}]
                """)) {
            rig.service.does((request, socket, count) -> {
                await(gate);
                return Behaviour.ok().onRequest(request, socket, count);
            });
            CompletableFuture<Message> busy =
                    CompletableFuture.supplyAsync(() -> rig.client.get("/slow"), task -> new Thread(task).start());
            Rig.await("the only connection is busy", () -> rig.service.seen().size() == 1);
            // one of them is claimed and waits for the connection, the other hears so
            CompletableFuture<Message> one = rig.client.postAsync("/charges", "k", "{}");
            CompletableFuture<Message> other = rig.client.postAsync("/charges", "k", "{}");
            CompletableFuture.anyOf(one, other).get(20, TimeUnit.SECONDS);
            Rig.await(
                    "the queued one has lost its lease",
                    () -> rig.client.post("/charges", "k", "{}").problem().equals("outcome-unknown"));
            gate.countDown();
            assertThat(List.of(
                            one.get(20, TimeUnit.SECONDS).problem(),
                            other.get(20, TimeUnit.SECONDS).problem()))
                    .contains("upstream-unreachable");
            busy.get(20, TimeUnit.SECONDS);
            assertThat(rig.service.seen()).hasSize(1);
        }
    }

    @Test
    void an_interim_answer_that_nobody_knows_is_not_the_answer() throws Exception {
        try (Rig rig = Rig.with(directory, "timeout: 5s")) {
            rig.service.does((request, socket, count) -> {
                Service.write(socket, "HTTP/1.1 104 Upload Resumption Supported\r\n\r\n");
                return Behaviour.ok().onRequest(request, socket, count);
            });
            assertThat(rig.client.post("/charges", "k", "{}").status()).isEqualTo(201);
            assertThat(rig.client.post("/charges", "k", "{}").header("Idempotent-Replayed"))
                    .isEqualTo("true");
            assertThat(rig.service.seen()).hasSize(1);
        }
    }

    @Test
    void a_change_of_protocol_that_nobody_asked_for_is_no_result() throws Exception {
        try (Rig rig = Rig.with(directory, "timeout: 1s\ndefaults.wait: 0")) {
            rig.service.does((request, socket, count) -> {
                Service.write(socket, "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n");
                return true;
            });
            assertThat(rig.client.post("/charges", "k", "{}").status()).isIn(502, 504);
            assertThat(rig.client.post("/charges", "k", "{}").problem()).isEqualTo("outcome-unknown");
            assertThat(rig.service.seen()).hasSize(1);
        }
    }

    @Test
    void a_long_answer_that_broke_off_before_its_first_byte_leaves_nothing_of_its_headers() throws Exception {
        try (Rig rig = Rig.with(directory, "defaults: {response.max: 1KiB, wait: 0}")) {
            rig.service.does((request, socket, count) -> {
                Service.write(
                        socket,
                        "HTTP/1.1 200 OK\r\nContent-Type: video/mp4\r\nContent-Encoding: gzip\r\nSet-Cookie: a=b\r\nContent-Length: 100000\r\n\r\n");
                return false;
            });
            Message answer = rig.client.post("/charges", "k", "{}");
            assertThat(answer.status()).isEqualTo(502);
            assertThat(answer.lines())
                    .noneMatch(line -> line.startsWith("Set-Cookie") || line.startsWith("Content-Encoding"));
            assertThat(answer.lines().stream().filter(line -> line.startsWith("Content-Type")))
                    .hasSize(1);
        }
    }

    @Test
    void a_client_that_does_not_read_is_left_behind_and_its_answer_counts() throws Exception {
        int size = 30_000_000;
        try (Rig rig = Rig.with(directory, "timeout: 1s\ndefaults.wait: 20s")) {
            rig.service.does((request, socket, count) -> {
                Service.write(socket, "HTTP/1.1 201 Created\r\nContent-Length: " + size + "\r\n\r\n");
                byte[] block = new byte[100_000];
                for (int sent = 0; sent < size; sent += block.length) {
                    socket.getOutputStream().write(block);
                }
                return true;
            });
            try (Socket socket = rig.client.open()) {
                Client.write(socket, Client.request("POST", "/charges", "{}", "Idempotency-Key: k"));
                InputStream in = socket.getInputStream();
                assertThat(Message.head(in).status()).isEqualTo(201);
                Message second = rig.client.send("POST", "/charges", "{}", "Idempotency-Key: k");
                assertThat(second.problem()).isEqualTo("result-not-replayable");
            }
            assertThat(rig.service.seen()).hasSize(1);
        }
    }

    @Test
    void a_client_cannot_take_the_key_away_from_the_service() throws Exception {
        try (Rig rig = Rig.with(directory, "")) {
            Message refused =
                    rig.client.send("POST", "/charges", "{}", "Idempotency-Key: k", "Connection: Idempotency-Key");
            assertThat(refused.status()).isEqualTo(400);
            assertThat(refused.problem()).isEqualTo("request-invalid");
            assertThat(rig.service.seen()).isEmpty();
        }
    }

    @Test
    void who_is_asked_for_rights_may_not_take_for_ever() throws Exception {
        try (Service rights = Service.start()) {
            rights.does((request, socket, count) -> {
                Service.write(socket, "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc");
                return true;
            });
            ReplayAuthorizer authorizer =
                    new ReplayAuthorizer(URI.create(rights.address() + "/may"), List.of(), Duration.ofMillis(300));
            assertThatThrownBy(() -> authorizer
                            .mayRead(new Anybody())
                            .toCompletableFuture()
                            .get(20, TimeUnit.SECONDS))
                    .isInstanceOf(ExecutionException.class)
                    .hasCauseInstanceOf(TimeoutException.class);
        }
    }

    private static void await(CountDownLatch gate) {
        try {
            assertThat(gate.await(20, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private record Anybody() implements RequestHead {
        @Override
        public String method() {
            return "POST";
        }

        @Override
        public String path() {
            return "/charges";
        }

        @Override
        public @Nullable String query() {
            return null;
        }

        @Override
        public List<String> headers(String name) {
            return List.of();
        }

        @Override
        public Caller caller() {
            return Caller.ANONYMOUS;
        }
    }
}
