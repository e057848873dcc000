package io.onefold.server.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.onefold.server.gateway.Service.Behaviour;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rows F1 to F8: what is left of a request when the gateway is killed or the store is lost. */
class CrashTest {
    private static final String YAML = "defaults: {wait: 0, lease: 1s}";

    @TempDir
    Path directory;

    private String[] options(Service service) throws IOException {
        Path file = directory.resolve("gateway.yaml");
        Files.writeString(file, YAML);
        return new String[] {
            "--to",
            service.address(),
            "--config",
            file.toString(),
            "--store",
            "sqlite:" + directory.resolve("records.db"),
            "--admin",
            "off"
        };
    }

    @Test
    void a_gateway_that_is_killed_loses_no_answer_and_repeats_nothing() throws Exception {
        try (Service service = Service.start();
                GatewayProcess killed = GatewayProcess.start(options(service));
                Rig survivor = Rig.with(service, directory, YAML)) {
            Message answered = killed.client.post("/orders", "F5", "{}");
            assertThat(answered.status()).isEqualTo(201);

            Socket unread = killed.client.open();
            Client.write(
                    unread,
                    Client.request("POST", "/orders", "{}", "Idempotency-Key: F6", "Content-Type: application/json"));
            Rig.await("the answer is there", () -> available(unread));
            Socket half = killed.client.open();
            Client.write(half, "POST /orders HTTP/1.1\r\nHost: h\r\nIdempotency-Key: F1\r\nContent-Length: 9\r\n\r\n{");

            // the service has done its work and the gateway is dead before it hears of it
            service.does((request, socket, count) -> {
                try {
                    killed.kill();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
                return false;
            });
            CompletableFuture<Message> lost = killed.client.postAsync("/orders", "F4", "{}");
            assertThat(killed.exitCode()).isNotZero();
            assertThat(lost).failsWithin(java.time.Duration.ofSeconds(30));
            assertThat(service.seen()).hasSize(3);
            service.does(Behaviour.ok());

            for (String kept : List.of("F5", "F6")) {
                Message replayed = survivor.client.post("/orders", kept, "{}");
                assertThat(replayed.status()).isEqualTo(201);
                assertThat(replayed.header("Idempotent-Replayed")).isEqualTo("true");
            }
            Rig.await("the lease is over", () -> {
                Message told = survivor.client.post("/orders", "F4", "{}");
                assertThat(told.status()).isEqualTo(409);
                return told.problem().equals("outcome-unknown");
            });
            assertThat(service.seen()).as("nothing was repeated").hasSize(3);
            assertThat(survivor.client.post("/orders", "F1", "{\"a\":1234}").status())
                    .isEqualTo(201);
            assertThat(service.seen()).as("what was never claimed runs").hasSize(4);
            unread.close();
            half.close();
        }
    }

    private static boolean available(Socket socket) {
        try {
            return socket.getInputStream().available() > 0;
        } catch (IOException e) {
            return false;
        }
    }

    @Test
    void without_its_store_a_gateway_lets_nothing_through_unless_told_to() throws Exception {
        try (Rig rig = Rig.with(directory, """
                defaults: {wait: 0, lease: 1s}
                routes:
                  - match: POST /open
                    on-store-failure: open
                """)) {
            assertThat(rig.client.post("/orders", "before", "{}").status()).isEqualTo(201);
            store("alter table idempotent_record rename to away");
            Message refused = rig.client.post("/orders", "F7", "{}");
            assertThat(refused.status()).isEqualTo(503);
            assertThat(refused.problem()).isEqualTo("store-unavailable");
            assertThat(Integer.parseInt(refused.header("Retry-After"))).isPositive();
            assertThat(rig.client.post("/orders", "before", "{}").status()).isEqualTo(503);
            assertThat(rig.service.seen()).hasSize(1);
            assertThat(rig.client.post("/open", "F7", "{}").status()).isEqualTo(201);
            assertThat(rig.client.get("/things").status())
                    .as("what passes does not care")
                    .isEqualTo(201);
            assertThat(new Client(rig.gateway.adminPort()).get("/healthz").status())
                    .isEqualTo(503);
            assertThat(new Client(rig.gateway.adminPort()).get("/metrics").text())
                    .contains("onefold_store_failures_total 3\n");
            store("alter table away rename to idempotent_record");
            assertThat(rig.client.post("/orders", "F7", "{}").status()).isEqualTo(201);
            assertThat(new Client(rig.gateway.adminPort()).get("/healthz").status())
                    .isEqualTo(200);
        }
    }

    @Test
    void an_answer_that_cannot_be_recorded_is_true_all_the_same_and_unknown_to_the_next() throws Exception {
        CountDownLatch gate = new CountDownLatch(1);
        try (Rig rig = Rig.with(Service.start().does(Behaviour.waits(gate)), directory, YAML)) {
            CompletableFuture<Message> first = rig.client.postAsync("/orders", "F8", "{}");
            Rig.await("the service is asked", () -> rig.service.seen().size() == 1);
            store("alter table idempotent_record rename to away");
            gate.countDown();
            Message told = first.join();
            assertThat(told.status()).isEqualTo(201);
            assertThat(told.header("Onefold-Stored")).isEqualTo("false");
            store("alter table away rename to idempotent_record");
            assertThat(rig.client.post("/orders", "F8", "{}").problem()).isEqualTo("outcome-unknown");
            assertThat(rig.service.seen()).hasSize(1);
        }
    }

    private void store(String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + directory.resolve("records.db"));
                Statement statement = connection.createStatement()) {
            statement.execute("pragma busy_timeout = 10000");
            statement.execute(sql);
        }
    }
}
