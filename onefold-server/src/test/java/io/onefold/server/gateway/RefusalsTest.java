package io.onefold.server.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.Socket;
import java.nio.file.Path;
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

    private static void refused(Rig rig, int status, String request) throws Exception {
        try (Socket socket = rig.client.open()) {
            Client.write(socket, request);
            Message answer = Message.read(socket.getInputStream(), false);
            assertThat(answer.status()).as(request).isEqualTo(status);
            assertThat(answer.header("Content-Type")).as(request).isEqualTo("application/problem+json");
            assertThat(answer.problem()).as(request).isEqualTo("not-supported");
            assertThat(answer.text())
                    .as(request)
                    .contains("\"status\":" + status)
                    .doesNotContain("mark");
        }
    }
}
