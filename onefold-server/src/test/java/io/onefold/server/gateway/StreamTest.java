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
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StreamTest {
    private static final String[] KEYED = {"Idempotency-Key: k", "Content-Type: application/json"};

    @TempDir
    Path directory;

    @Test
    void a_stream_whose_client_has_left_is_taken_to_its_end_and_was_carried_out() throws Exception {
        CountDownLatch gate = new CountDownLatch(1);
        Service service = Service.start().does((request, socket, count) -> {
            Service.write(
                    socket,
                    "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n1\n\r\n");
            try {
                gate.await();
            } catch (InterruptedException e) {
                return false;
            }
            // more than buffers on the way can hold: somebody must take it
            String large = "x".repeat(1 << 16);
            for (int i = 0; i < 200; i++) {
                Service.write(socket, "10000\r\n" + large + "\r\n");
            }
            Service.write(socket, "0\r\n\r\n");
            return true;
        });
        try (Rig rig = Rig.with(service, directory, "defaults.wait: 20s")) {
            try (Socket socket = rig.client.open()) {
                socket.setSoLinger(true, 0);
                Client.write(socket, Client.request("POST", "/events", "{}", KEYED));
                InputStream in = new BufferedInputStream(socket.getInputStream());
                assertThat(Message.head(in).status()).isEqualTo(200);
            }
            gate.countDown();
            Message again = rig.client.post("/events", "k", "{}");
            assertThat(again.status()).isEqualTo(409);
            assertThat(again.problem()).isEqualTo("result-not-replayable");
            assertThat(service.seen()).hasSize(1);
        }
    }

    @Test
    void a_stream_on_which_events_still_come_is_not_given_up_when_its_lease_is_over() throws Exception {
        CountDownLatch gate = new CountDownLatch(1);
        Service service = Service.start().does((request, socket, count) -> {
            Service.write(
                    socket, "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n");
            try {
                while (!gate.await(100, TimeUnit.MILLISECONDS)) {
                    Service.write(socket, "8\r\ndata: 1\n\r\n");
                }
            } catch (InterruptedException e) {
                return false;
            }
            Service.write(socket, "8\r\ndata: 2\n\r\n0\r\n\r\n");
            return true;
        });
        try (Rig rig = Rig.with(service, directory, "{timeout: 1s, defaults: {lease: 1s, max-run: 1s, wait: 1s}}")) {
            try (Socket socket = rig.client.open()) {
                Client.write(socket, Client.request("POST", "/events", "{}", KEYED));
                InputStream in = new BufferedInputStream(socket.getInputStream());
                assertThat(Message.head(in).status()).isEqualTo(200);
                // events of three seconds: the lease, and as long again as the service may be silent, are over
                for (int event = 0; event < 30; event++) {
                    assertThat(in.readNBytes("8\r\ndata: 1\n\r\n".length())).isNotEmpty();
                }
                gate.countDown();
                StringBuilder rest = new StringBuilder();
                while (!rest.toString().endsWith("0\r\n\r\n")) {
                    int next = in.read();
                    assertThat(next).as("cut after %s", rest).isNotNegative();
                    rest.append((char) next);
                }
                assertThat(rest.toString()).contains("data: 2");
            }
        }
    }

    @Test
    void when_too_many_wait_for_a_connection_the_rest_hear_it_and_have_done_nothing() throws Exception {
        CountDownLatch gate = new CountDownLatch(1);
        Service service = Service.start().does(Behaviour.waits(gate));
        try (Rig rig = Rig.with(service, directory, "{upstream-connections: 1, defaults: {wait: 0}}")) {
            List<CompletableFuture<Message>> all = new ArrayList<>();
            for (int i = 0; i < 12; i++) {
                all.add(rig.client.postAsync("/orders", "k" + i, "{}"));
            }
            Rig.await("some are turned away", () -> all.stream().anyMatch(CompletableFuture::isDone));
            gate.countDown();
            int turnedAway = 0;
            for (int i = 0; i < all.size(); i++) {
                Message answer = all.get(i).join();
                if (answer.status() == 503) {
                    turnedAway++;
                    assertThat(answer.problem()).isEqualTo("overloaded");
                    assertThat(rig.client.post("/orders", "k" + i, "{}").header("Idempotent-Replayed"))
                            .as("free, and runs now")
                            .isEmpty();
                } else {
                    assertThat(answer.status()).isEqualTo(201);
                }
            }
            assertThat(turnedAway).isPositive();
            assertThat(service.seen()).as("each once").hasSize(all.size());
        }
    }
}
