package io.onefold.server.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.onefold.server.gateway.Service.Behaviour;
import java.io.BufferedInputStream;
import java.io.InputStream;
import java.net.Socket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GatewayTest {
    @TempDir
    Path directory;

    private Rig rig;

    @BeforeEach
    void start() throws Exception {
        rig = Rig.with(directory, """
                defaults:
                  response.max: 1KiB
                routes:
                  - match: POST /derived
                    forward: derived
                  - match: POST /stripped
                    forward: strip
                  - match: POST /needed
                    required: true
                  - pass: /open/**
                """);
    }

    @AfterEach
    void stop() {
        rig.close();
    }

    @Test
    void a_retry_gets_the_first_answer_and_the_service_sees_one_request() {
        Message first = rig.client.post("/orders?x=1", "k-1", "{\"cents\":100}");
        Message second = rig.client.post("/orders?x=1", "k-1", "{\"cents\":100}");
        assertThat(first.status()).isEqualTo(201);
        assertThat(first.header("Idempotent-Replayed")).isEmpty();
        assertThat(second.status()).isEqualTo(201);
        assertThat(second.header("Idempotent-Replayed")).isEqualTo("true");
        assertThat(second.header("Location")).isEqualTo(first.header("Location"));
        assertThat(second.text()).isEqualTo(first.text()).isEqualTo("{\"number\":1}");
        assertThat(rig.service.seen()).hasSize(1);
        assertThat(rig.service.seen().get(0).target()).isEqualTo("/orders?x=1");
        assertThat(rig.service.seen().get(0).text()).isEqualTo("{\"cents\":100}");
    }

    @Test
    void duplicates_at_once_are_one_request_for_the_service() throws Exception {
        CountDownLatch gate = new CountDownLatch(1);
        rig.service.does(Behaviour.waits(gate));
        List<CompletableFuture<Message>> all = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            all.add(rig.client.postAsync("/orders", "k-1", "{}"));
        }
        Rig.await("the service is asked", () -> rig.service.seen().size() == 1);
        gate.countDown();
        assertThat(all).allSatisfy(one -> assertThat(one.join().text()).isEqualTo("{\"number\":1}"));
        assertThat(rig.service.seen()).hasSize(1);
    }

    @Test
    void another_payload_under_the_same_key_is_refused() {
        rig.client.post("/orders", "k-1", "{\"cents\":100}");
        Message other = rig.client.post("/orders", "k-1", "{\"cents\":200}");
        assertThat(other.status()).isEqualTo(422);
        assertThat(other.problem()).isEqualTo("key-reused");
        assertThat(rig.service.seen()).hasSize(1);
    }

    @Test
    void what_is_not_covered_passes_each_time() {
        rig.service.does(Behaviour.ok());
        assertThat(rig.client.get("/things", "Idempotency-Key: k").text()).isEqualTo("{\"number\":1}");
        assertThat(rig.client.get("/things", "Idempotency-Key: k").text()).isEqualTo("{\"number\":2}");
        assertThat(rig.client.post("/open/door", "k", "{}").text()).isEqualTo("{\"number\":3}");
        assertThat(rig.client.post("/open/door", "k", "{}").text()).isEqualTo("{\"number\":4}");
        assertThat(rig.client.send("POST", "/orders", "{}").text())
                .as("without a key")
                .isEqualTo("{\"number\":5}");
    }

    @Test
    void a_path_that_is_only_spelled_otherwise_evades_no_route() {
        for (String path : List.of("/needed", "/%6eeeded", "/needed;x=1")) {
            assertThat(rig.client.send("POST", path, "{}").problem()).as(path).isEqualTo("key-missing");
        }
        assertThat(rig.service.seen()).isEmpty();
    }

    @Test
    void a_chunked_body_is_read_and_sent_on_whole() throws Exception {
        for (int i = 0; i < 2; i++) {
            try (Socket socket = rig.client.open()) {
                Client.write(
                        socket,
                        Client.head("POST /orders", "Idempotency-Key: k", "Transfer-Encoding: chunked")
                                + "3\r\nabc\r\n");
                Client.write(socket, "2\r\nde\r\n0\r\n\r\n");
                assertThat(Message.read(socket.getInputStream(), false).text()).isEqualTo("{\"number\":1}");
            }
        }
        assertThat(rig.service.seen().get(0).text()).isEqualTo("abcde");
        assertThat(rig.service.seen().get(0).header("Content-Length")).isEqualTo("5");
        assertThat(rig.service.seen().get(0).header("Transfer-Encoding")).isEmpty();
    }

    @Test
    void an_expected_continue_is_told_and_not_passed_on() throws Exception {
        try (Socket socket = rig.client.open()) {
            InputStream in = new BufferedInputStream(socket.getInputStream());
            Client.write(
                    socket,
                    Client.head("POST /orders", "Idempotency-Key: k", "Expect: 100-continue", "Content-Length: 2"));
            assertThat(Message.head(in).status()).isEqualTo(100);
            Client.write(socket, "{}");
            assertThat(Message.read(in, false).status()).isEqualTo(201);
        }
        assertThat(rig.service.seen().get(0).header("Expect")).isEmpty();
    }

    @Test
    void a_service_that_never_says_continue_is_not_waited_for() throws Exception {
        rig.service.does((request, socket, count) -> {
            Service.write(socket, "HTTP/1.0 200 OK\r\n\r\ntaken");
            return false;
        });
        try (Socket socket = rig.client.open()) {
            InputStream in = new BufferedInputStream(socket.getInputStream());
            Client.write(socket, Client.head("POST /open/door", "Expect: 100-continue", "Content-Length: 2"));
            assertThat(Message.head(in).status()).isEqualTo(100);
            Client.write(socket, "{}");
            assertThat(Message.read(in, false).text()).isEqualTo("taken");
        }
        assertThat(rig.service.seen().get(0).header("Expect")).isEmpty();
        assertThat(rig.service.seen().get(0).text()).isEqualTo("{}");
    }

    @Test
    void a_key_that_is_wrong_is_refused_before_the_body_is_asked_for() throws Exception {
        try (Socket socket = rig.client.open()) {
            Client.write(
                    socket,
                    Client.head(
                            "POST /orders",
                            "Idempotency-Key: a",
                            "Idempotency-Key: b",
                            "Expect: 100-continue",
                            "Content-Length: 2"));
            Message answer = Message.read(socket.getInputStream(), false);
            assertThat(answer.status()).isEqualTo(400);
            assertThat(answer.problem()).isEqualTo("key-invalid");
        }
        assertThat(rig.service.seen()).isEmpty();
    }

    @Test
    void the_key_that_is_sent_on_is_the_original_a_derived_one_or_none() {
        rig.client.post("/orders", "\"my key\"", "{}");
        rig.client.post("/derived", "my-key", "{}");
        rig.client.post("/stripped", "my-key", "{}");
        assertThat(rig.service.seen().get(0).headers("Idempotency-Key")).containsExactly("\"my key\"");
        assertThat(rig.service.seen().get(1).headers("Idempotency-Key"))
                .hasSize(1)
                .allSatisfy(key -> assertThat(key).isNotEmpty().doesNotContain("my-key"));
        assertThat(rig.service.seen().get(2).headers("Idempotency-Key")).isEmpty();
    }

    @Test
    void neither_clients_nor_the_service_speak_in_onefolds_name() {
        rig.service.does(
                Behaviour.answers(200, "ok", "Onefold-Stored: false", "Idempotent-Replayed: true", "X-Own: 1"));
        for (Message answer : List.of(
                rig.client.post("/orders", "k", "{}", "Onefold-Outcome: not-executed", "Idempotent-Replayed: true"),
                rig.client.get("/things", "Onefold-Anything: 1", "idempotent-replayed: true"))) {
            assertThat(answer.header("X-Own")).isEqualTo("1");
            assertThat(answer.lines())
                    .noneMatch(line -> line.toLowerCase(java.util.Locale.ROOT).startsWith("onefold-"));
            assertThat(answer.header("Idempotent-Replayed")).isEmpty();
        }
        assertThat(rig.service.seen()).hasSize(2).allSatisfy(request -> {
            assertThat(request.lines())
                    .noneMatch(line -> line.toLowerCase(java.util.Locale.ROOT).startsWith("onefold-"));
            assertThat(request.header("Idempotent-Replayed")).isEmpty();
        });
    }

    @Test
    void the_service_hears_where_a_request_comes_from_and_no_stories_about_it() {
        rig.client.get(
                "/", "X-Forwarded-For: 6.6.6.6", "Forwarded: for=6.6.6.6", "X-Forwarded-Host: evil", "X-Real-IP: 6");
        Message seen = rig.service.seen().get(0);
        assertThat(seen.headers("X-Forwarded-For")).containsExactly("127.0.0.1");
        assertThat(seen.headers("X-Forwarded-Host")).containsExactly("shop.example");
        assertThat(seen.headers("X-Forwarded-Proto")).containsExactly("http");
        assertThat(seen.headers("Forwarded")).containsExactly("for=127.0.0.1;host=\"shop.example\";proto=http");
        assertThat(seen.headers("X-Real-IP")).isEmpty();
        assertThat(seen.headers("Host")).containsExactly("127.0.0.1:" + rig.service.port());
    }

    @Test
    void a_name_with_underscores_is_taken_for_the_one_with_dashes() {
        rig.client.get(
                "/", "X_Forwarded_For: 6.6.6.6", "x_real-ip: 6", "Onefold_Outcome: not-executed", "X_Harmless: 1");
        Message seen = rig.service.seen().get(0);
        assertThat(seen.lines()).noneMatch(line -> line.contains("6.6.6.6") || line.contains("not-executed"));
        assertThat(seen.header("x_real-ip")).isEmpty();
        assertThat(seen.header("X_Harmless")).isEqualTo("1");
    }

    @Test
    void the_connection_between_client_and_gateway_is_nobody_elses_business() {
        rig.service.does(
                Behaviour.answers(200, "ok", "Connection: X-Hop", "X-Hop: 1", "Keep-Alive: timeout=5", "X-End: 1"));
        for (Message answer : List.of(
                rig.client.post("/orders", "k", "{}", "Connection: Keep-Alive", "Keep-Alive: timeout=5"),
                rig.client.get("/", "Connection: Upgrade, HTTP2-Settings", "HTTP2-Settings: a", "TE: trailers"))) {
            assertThat(answer.header("X-Hop")).isEmpty();
            assertThat(answer.header("Keep-Alive")).isEmpty();
            assertThat(answer.header("X-End")).isEqualTo("1");
        }
        assertThat(rig.service.seen()).hasSize(2).allSatisfy(seen -> {
            assertThat(seen.header("HTTP2-Settings")).isEmpty();
            assertThat(seen.header("Keep-Alive")).isEmpty();
            assertThat(seen.header("TE")).isEmpty();
        });
    }

    @Test
    void nothing_in_a_request_chooses_where_it_goes() {
        assertThat(rig.client.get("http://127.0.0.1:1/secret?q").status()).isEqualTo(400);
        assertThat(rig.client.get("http://shop.example/secret?q").status()).isEqualTo(201);
        assertThat(rig.service.seen().get(0).target()).isEqualTo("/secret?q");
        assertThat(rig.client.get("/x", "X-Forwarded-Host: 127.0.0.1:1").status())
                .isEqualTo(201);
        for (String target : List.of("127.0.0.1:1", "http://127.0.0.1:1/secret", "/secret")) {
            Message tunnel = rig.client.send("CONNECT", target, "");
            assertThat(tunnel.status()).as(target).isEqualTo(400);
            assertThat(tunnel.problem()).as(target).isEqualTo("request-invalid");
        }
        Message tunnel = rig.client.send("CONNECT", "shop.example:80", "");
        assertThat(tunnel.status()).isEqualTo(501);
        assertThat(tunnel.problem()).isEqualTo("not-supported");
        assertThat(rig.service.seen()).hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"TRACE", "QUERY"})
    void methods_that_change_nothing_reach_the_service_each_time_whatever_their_key(String method) {
        for (int i = 1; i <= 2; i++) {
            Message answer = rig.client.send(method, "/orders", "", "Idempotency-Key: k", "Idempotency-Key: k");
            assertThat(answer.status()).isEqualTo(201);
            assertThat(rig.service.seen()).hasSize(i);
            assertThat(rig.service.seen().get(i - 1).first()).startsWith(method + " /orders ");
        }
    }

    @Test
    void a_path_arrives_as_it_was_sent() {
        for (String path : List.of("/a%2Fb/%7Eme?x=a|b&y=%20", "/a%20b;v=1/c", "/caf%C3%A9?")) {
            rig.client.get(path);
        }
        assertThat(rig.service.seen())
                .extracting(Message::target)
                .containsExactly("/a%2Fb/%7Eme?x=a|b&y=%20", "/a%20b;v=1/c", "/caf%C3%A9?");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/a/../admin",
                "/a/%2e%2e/admin",
                "/./admin",
                "/admin/..;x",
                "//admin",
                "/a/%2E%2e",
                "/x/..%2fadmin",
                "/x%2F..%2Fadmin",
                "/x/%2e%2E%2fadmin",
                "/x%5c..%5cadmin",
                "/x%2f./admin"
            })
    void a_path_that_the_service_may_take_for_another_is_refused(String path) {
        assertThat(rig.client.get(path).status()).isEqualTo(400);
        assertThat(rig.service.seen()).isEmpty();
    }

    @Test
    void an_answer_that_is_too_long_to_keep_goes_out_whole_and_once() {
        String large = "x".repeat(100_000);
        rig.service.does(Behaviour.answers(200, large, "ETag: \"v1\""));
        assertThat(rig.client.post("/orders", "k", "{}").text()).isEqualTo(large);
        Message again = rig.client.post("/orders", "k", "{}");
        assertThat(again.status()).isEqualTo(409);
        assertThat(again.problem()).isEqualTo("result-not-replayable");
        assertThat(rig.service.seen()).hasSize(1);
    }

    @Test
    void a_long_answer_without_a_length_goes_out_whole_and_once() {
        String large = "y".repeat(3_000);
        rig.service.does((request, socket, count) -> {
            Service.write(socket, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
            for (int i = 0; i < 3; i++) {
                Service.write(socket, "3e8\r\n" + large.substring(0, 1_000) + "\r\n");
            }
            Service.write(socket, "0\r\n\r\n");
            return true;
        });
        assertThat(rig.client.post("/orders", "k", "{}").text()).isEqualTo(large);
        assertThat(rig.client.post("/orders", "k", "{}").problem()).isEqualTo("result-not-replayable");
    }

    @Test
    void events_are_passed_as_they_come_with_a_key_and_without() throws Exception {
        CountDownLatch gate = new CountDownLatch(2);
        rig.service.does((request, socket, count) -> {
            Service.write(
                    socket, "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n");
            Service.write(socket, "9\r\ndata: 1\n\n\r\n");
            try {
                gate.await();
            } catch (InterruptedException e) {
                return false;
            }
            Service.write(socket, "9\r\ndata: 2\n\n\r\n0\r\n\r\n");
            return true;
        });
        try (Socket plain = rig.client.open();
                Socket keyed = rig.client.open()) {
            Client.write(plain, Client.request("GET", "/events", "", "Connection: close"));
            Client.write(keyed, Client.request("POST", "/events", "{}", "Connection: close", "Idempotency-Key: k"));
            for (Socket socket : List.of(plain, keyed)) {
                InputStream in = new BufferedInputStream(socket.getInputStream());
                assertThat(Message.head(in).status()).isEqualTo(200);
                StringBuilder soFar = new StringBuilder();
                while (!soFar.toString().contains("data: 1")) {
                    soFar.append((char) in.read());
                }
                gate.countDown();
                if (gate.getCount() == 0) {
                    assertThat(new String(in.readAllBytes(), java.nio.charset.StandardCharsets.UTF_8))
                            .contains("data: 2");
                }
            }
        }
    }

    @Test
    void a_web_socket_is_refused_with_a_word_on_what_to_do() {
        Message answer = rig.client.get(
                "/socket",
                "Upgrade: websocket",
                "Connection: Upgrade",
                "Sec-WebSocket-Version: 13",
                "Sec-WebSocket-Key: eA==");
        assertThat(answer.status()).isEqualTo(501);
        assertThat(answer.text()).contains("WebSockets are not passed on");
        assertThat(rig.service.seen()).isEmpty();
    }

    @Test
    void a_head_request_has_no_body_and_its_length() {
        rig.service.does((request, socket, count) -> {
            Service.write(socket, "HTTP/1.1 200 OK\r\nContent-Length: 42\r\n\r\n");
            return true;
        });
        Message answer = rig.client.send("HEAD", "/x", "");
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.header("Content-Length")).isEqualTo("42");
    }

    @Test
    void a_client_that_leaves_in_mid_body_has_claimed_nothing() throws Exception {
        try (Socket socket = rig.client.open()) {
            Client.write(socket, Client.head("POST /orders", "Idempotency-Key: k", "Content-Length: 9") + "{\"a");
        }
        assertThat(rig.client.post("/orders", "k", "{\"a\":1234}").text()).isEqualTo("{\"number\":1}");
    }

    @Test
    void a_client_that_leaves_before_the_answer_finds_it_when_it_comes_back() throws Exception {
        CountDownLatch gate = new CountDownLatch(1);
        rig.service.does(Behaviour.waits(gate));
        try (Socket socket = rig.client.open()) {
            socket.setSoLinger(true, 0);
            Client.write(
                    socket,
                    Client.request("POST", "/orders", "{}", "Idempotency-Key: k", "Content-Type: application/json"));
            Rig.await("the service is asked", () -> rig.service.seen().size() == 1);
        }
        gate.countDown();
        Message again = rig.client.post("/orders", "k", "{}");
        assertThat(again.status()).isEqualTo(201);
        assertThat(again.header("Idempotent-Replayed")).isEqualTo("true");
        assertThat(rig.service.seen()).hasSize(1);
    }

    @Test
    void requests_that_follow_each_other_on_one_connection_are_told_apart() throws Exception {
        try (Socket socket = rig.client.open()) {
            InputStream in = new BufferedInputStream(socket.getInputStream());
            String one = Client.request("POST", "/orders", "{}", "Idempotency-Key: k1");
            String two = Client.request("POST", "/orders", "{}", "Idempotency-Key: k2");
            Client.write(socket, one + two + one);
            assertThat(Message.read(in, false).text()).isEqualTo("{\"number\":1}");
            assertThat(Message.read(in, false).text()).isEqualTo("{\"number\":2}");
            assertThat(Message.read(in, false).text()).isEqualTo("{\"number\":1}");
        }
    }
}
