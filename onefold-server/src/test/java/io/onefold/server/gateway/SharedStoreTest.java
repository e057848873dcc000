package io.onefold.server.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.onefold.server.gateway.Service.Behaviour;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SharedStoreTest {
    @TempDir
    Path directory;

    @Test
    void gateways_that_share_a_store_are_one() throws Exception {
        Service service = Service.start();
        try (Rig one = Rig.with(service, directory, "");
                Rig other = Rig.with(service, directory, "")) {
            for (int round = 0; round < 10; round++) {
                String key = "k" + round;
                CountDownLatch gate = new CountDownLatch(1);
                service.does(Behaviour.waits(gate));
                int before = service.seen().size();
                List<CompletableFuture<Message>> all = new ArrayList<>();
                for (int i = 0; i < 3; i++) {
                    all.add(one.client.postAsync("/orders", key, "{}"));
                    all.add(other.client.postAsync("/orders", key, "{}"));
                }
                Rig.await("the service is asked", () -> service.seen().size() > before);
                gate.countDown();
                List<String> answers = all.stream()
                        .map(answer -> answer.join().text())
                        .distinct()
                        .toList();
                assertThat(answers).as("one answer").hasSize(1);
                assertThat(service.seen()).as("one effect").hasSize(before + 1);
            }
        }
    }

    @Test
    void a_token_is_issued_by_one_gateway_and_taken_by_the_other_once() throws Exception {
        Service service = Service.start();
        String yaml = """
                issue-tokens: true
                routes:
                  - match: POST /forms
                    operation: form
                    tokens: true
                    required: true
                """;
        try (Rig one = Rig.with(service, directory, yaml);
                Rig other = Rig.with(service, directory, yaml)) {
            Message issued = one.client.send("POST", "/onefold/tokens/form", "");
            assertThat(issued.status()).isEqualTo(201);
            String token = issued.text().replaceAll(".*\"token\":\"([^\"]+)\".*", "$1");
            assertThat(other.client.post("/forms", token, "{}").status()).isEqualTo(201);
            assertThat(one.client.post("/forms", token, "{}").header("Idempotent-Replayed"))
                    .isEqualTo("true");
            assertThat(one.client.post("/forms", "made-up", "{}").problem()).isEqualTo("token-missing");
            assertThat(service.seen()).hasSize(1);
        }
    }
}
