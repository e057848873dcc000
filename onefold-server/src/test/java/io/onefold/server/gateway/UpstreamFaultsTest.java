package io.onefold.server.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.onefold.server.gateway.Service.Behaviour;
import java.io.EOFException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the service did, and what may be said of it. */
class UpstreamFaultsTest {
    @TempDir
    Path directory;

    private Rig rig;

    @BeforeEach
    void start() throws Exception {
        rig = Rig.with(directory, """
                timeout: 300ms
                defaults: {response.max: 1KiB, wait: 0}
                routes:
                  - match: POST /retried
                    on-5xx: retry
                  - match: POST /doubted
                    on-5xx: unknown
                """);
    }

    @AfterEach
    void stop() {
        rig.close();
    }

    @Test
    void a_service_that_cannot_be_reached_has_done_nothing_and_the_key_is_free() throws Exception {
        try (Nobody nobody = Nobody.somewhere();
                Rig alone = Rig.with(nobody.address(), directory.resolve("."), "defaults.wait: 0")) {
            for (String method : List.of("GET", "POST")) {
                Message refused = alone.client.send(method, "/orders", "", "Idempotency-Key: k");
                assertThat(refused.status()).isEqualTo(502);
                assertThat(refused.problem()).isEqualTo("upstream-unreachable");
            }
            try (Service back = nobody.becomes()) {
                Message answer = alone.client.send("POST", "/orders", "", "Idempotency-Key: k");
                assertThat(answer.status()).isEqualTo(201);
                assertThat(back.seen()).hasSize(1);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"closes", "resets", "closes at head", "cuts"})
    void a_service_that_took_the_request_and_broke_off_leaves_it_unknown(String how) {
        rig.service.does(
                switch (how) {
                    case "closes" -> Behaviour.closes();
                    case "resets" -> Behaviour.resets();
                    case "closes at head" -> Behaviour.closesAtHead();
                    default -> Behaviour.cuts();
                });
        Message first = rig.client.post("/orders", "k", "{}");
        assertThat(first.status()).isEqualTo(502);
        assertThat(first.problem()).isEqualTo("upstream-silent");
        int asked = rig.service.seen().size();
        rig.service.does(Behaviour.ok());
        Message second = rig.client.post("/orders", "k", "{}");
        assertThat(second.status()).isEqualTo(409);
        assertThat(second.problem()).isEqualTo("outcome-unknown");
        assertThat(rig.service.seen()).as("never repeated").hasSize(asked);
    }

    @Test
    void a_service_that_is_silent_for_too_long_leaves_it_unknown() {
        rig.service.does(Behaviour.hangs());
        Message first = rig.client.post("/orders", "k", "{}");
        assertThat(first.status()).isEqualTo(504);
        assertThat(first.problem()).isEqualTo("upstream-silent");
        rig.service.does(Behaviour.ok());
        assertThat(rig.client.post("/orders", "k", "{}").problem()).isEqualTo("outcome-unknown");
        assertThat(rig.service.seen()).hasSize(1);
    }

    @Test
    void an_answer_that_breaks_off_after_a_part_went_out_is_cut_for_the_client_and_unknown() throws Exception {
        rig.service.does((request, socket, count) -> {
            Service.write(socket, "HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n" + "x".repeat(5_000));
            return false;
        });
        try (Socket socket = rig.client.open()) {
            Client.write(
                    socket,
                    Client.request("POST", "/orders", "{}", "Idempotency-Key: k", "Content-Type: application/json"));
            InputStream in = socket.getInputStream();
            Message head = Message.head(in);
            assertThat(head.status()).isEqualTo(200);
            org.assertj.core.api.Assertions.assertThatThrownBy(() -> head.withBody(in))
                    .isInstanceOfAny(EOFException.class, java.net.SocketException.class);
        }
        assertThat(rig.client.post("/orders", "k", "{}").problem()).isEqualTo("outcome-unknown");
        assertThat(rig.service.seen()).hasSize(1);
    }

    @Test
    void an_error_of_the_service_is_its_answer_unless_the_route_says_otherwise() {
        rig.service.does(Behaviour.answers(500, "broken"));
        assertThat(rig.client.post("/orders", "k", "{}").status()).isEqualTo(500);
        Message replayed = rig.client.post("/orders", "k", "{}");
        assertThat(replayed.status()).isEqualTo(500);
        assertThat(replayed.header("Idempotent-Replayed")).isEqualTo("true");
        assertThat(rig.service.seen()).hasSize(1);

        assertThat(rig.client.post("/retried", "k", "{}").status()).isEqualTo(500);
        assertThat(rig.client.post("/retried", "k", "{}").status()).isEqualTo(500);
        assertThat(rig.service.seen()).hasSize(3);

        assertThat(rig.client.post("/doubted", "k", "{}").status()).isEqualTo(500);
        assertThat(rig.client.post("/doubted", "k", "{}").problem()).isEqualTo("outcome-unknown");
        assertThat(rig.service.seen()).hasSize(4);
    }

    @Test
    void a_service_that_says_it_did_nothing_is_believed_and_the_client_does_not_see_it() {
        rig.service.does(Behaviour.answers(503, "later", "Onefold-Outcome: not-executed", "Retry-After: 1"));
        Message first = rig.client.post("/orders", "k", "{}");
        assertThat(first.status()).isEqualTo(503);
        assertThat(first.header("Onefold-Outcome")).isEmpty();
        rig.service.does(Behaviour.ok());
        Message second = rig.client.post("/orders", "k", "{}");
        assertThat(second.status()).isEqualTo(201);
        assertThat(second.header("Idempotent-Replayed")).isEmpty();
    }

    @Test
    void an_answer_that_came_before_the_service_took_the_whole_request_counts() {
        rig.service.does(new Behaviour() {
            @Override
            public boolean onHead(Message head, Socket socket) throws java.io.IOException {
                Service.write(socket, Service.answer(413, "too much", "Connection: close"));
                socket.shutdownOutput();
                socket.getInputStream().readAllBytes();
                return false;
            }

            @Override
            public boolean onRequest(Message request, Socket socket, int count) {
                return false;
            }
        });
        String large = "{\"x\":\"" + "z".repeat(500_000) + "\"}";
        assertThat(rig.client.post("/orders", "k", large).status()).isEqualTo(413);
        Message again = rig.client.post("/orders", "k", large);
        assertThat(again.status()).isEqualTo(413);
        assertThat(again.header("Idempotent-Replayed")).isEqualTo("true");
    }
}
