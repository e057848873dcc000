package io.onefold.server.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RefusalsTest {
    @TempDir
    Path directory;

    @Test
    void what_the_listener_refuses_is_told_as_a_problem_without_an_echo() throws Exception {
        try (Rig rig = Rig.with(directory, "header-size: 2KiB")) {
            refused(rig, 400, "GET /mark;x/%2e%2e/a HTTP/1.1\r\nHost: h\r\n\r\n");
            refused(rig, 400, "GET /mark/%zz HTTP/1.1\r\nHost: h\r\n\r\n");
            refused(rig, 400, "GET /mark HTTP/1.1\r\nHost: a b@mark\r\n\r\n");
            refused(rig, 400, "GET /mark HTTP/1.1\r\n\r\n");
            refused(rig, 400, "POST /mark HTTP/1.1\r\nHost: h\r\nContent-Length: mark\r\n\r\n");
            refused(rig, 400, "mark\r\n\r\n");
            refused(rig, 431, "GET /mark HTTP/1.1\r\nHost: h\r\nX: " + "mark".repeat(800) + "\r\n\r\n");
            refused(rig, 414, "GET /" + "mark".repeat(800) + " HTTP/1.1\r\nHost: h\r\n\r\n");
            refused(rig, 505, "GET /mark HTTP/7.3\r\nHost: h\r\n\r\n");
            assertThat(rig.service.seen()).isEmpty();
        }
    }

    @Test
    void a_body_that_is_framed_wrongly_is_told_as_such_and_has_claimed_nothing() throws Exception {
        try (Rig rig = Rig.with(directory, "")) {
            for (String body : new String[] {"zz\r\n", "2\r\n{}x\r\n0\r\n\r\n"}) {
                try (Socket socket = rig.client.open()) {
                    Client.write(
                            socket,
                            Client.head("POST /orders", "Idempotency-Key: k", "Transfer-Encoding: chunked") + body);
                    Message answer = Message.read(socket.getInputStream(), false);
                    assertThat(answer.status()).as(body).isEqualTo(400);
                    assertThat(answer.problem()).as(body).isEqualTo("body-invalid");
                    assertThat(answer.text()).as(body).contains("nothing was carried out");
                    assertThat(answer.header("Connection")).as(body).isEqualTo("close");
                }
            }
            assertThat(rig.client.post("/orders", "k", "{}").status()).isEqualTo(201);
        }
    }

    @Test
    void a_body_that_passes_and_is_broken_is_the_fault_of_who_sent_it() throws Exception {
        try (Rig rig = Rig.with(directory, "idle-timeout: 1s")) {
            for (String body : new String[] {"zz\r\n", "2\r\n{}x\r\n0\r\n\r\n", "2\r\n{"}) {
                try (Socket socket = rig.client.open()) {
                    Client.write(socket, Client.head("PUT /orders/1", "Transfer-Encoding: chunked") + body);
                    socket.shutdownOutput();
                    assertBlamed(Message.read(socket.getInputStream(), false), 400, body);
                }
            }
            try (Socket slow = rig.client.open()) {
                Client.write(slow, Client.head("PUT /orders/1", "Content-Length: 9") + "{");
                assertBlamed(Message.read(slow.getInputStream(), false), 408, "slow");
            }
            assertThat(rig.service.seen()).as("whole").isEmpty();
        }
    }

    private static void assertBlamed(Message answer, int status, String why) {
        assertThat(answer.status()).as(why).isEqualTo(status);
        assertThat(answer.problem()).as(why).isEqualTo("body-invalid");
        assertThat(answer.header("Connection")).as(why).isEqualTo("close");
    }

    @Test
    void what_fails_before_anything_is_claimed_was_not_carried_out() throws Exception {
        GatewayCallerResolver broken = request -> {
            throw new IllegalStateException("as the test wants it");
        };
        try (Service service = Service.start();
                OpenStore store =
                        OpenStore.at("sqlite:" + directory.resolve("records.db"), "--store", Duration.ofMinutes(1));
                Gateway gateway = Gateway.start(
                        Rig.config(service.address(), directory, ""), store, choices -> choices, broken)) {
            Message answer = new Client(gateway.port()).post("/orders", "k", "{}");
            assertThat(answer.status()).isEqualTo(503);
            assertThat(answer.text()).contains("nothing was carried out").doesNotContain("nobody knows");
            assertThat(service.seen()).isEmpty();
        }
    }

    private static void refused(Rig rig, int status, String request) throws Exception {
        try (Socket socket = rig.client.open()) {
            Client.write(socket, request);
            Message answer = Message.read(socket.getInputStream(), false);
            assertThat(answer.status()).as(request).isEqualTo(status);
            assertThat(answer.header("Content-Type")).as(request).isEqualTo("application/problem+json");
            assertThat(answer.problem()).as(request).isEqualTo("request-invalid");
            assertThat(answer.text())
                    .as(request)
                    .contains("\"status\":" + status)
                    .doesNotContain("mark");
        }
    }
}
