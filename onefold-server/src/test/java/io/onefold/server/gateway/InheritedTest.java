package io.onefold.server.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.onefold.server.gateway.Service.Behaviour;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A route that says one thing keeps what the defaults and the profile say of all others. */
class InheritedTest {
    @TempDir
    Path directory;

    @ParameterizedTest
    @ValueSource(
            strings = {"defaults.duplicates: reject", "profile: legacy\ndefaults.key.sources: header:Idempotency-Key"})
    void a_route_may_replay_where_all_others_reject(String others) throws Exception {
        String yaml = others + "\nroutes:\n  - match: POST /replayed\n    duplicates: replay\n";
        try (Rig rig = Rig.with(directory, yaml)) {
            for (String path : new String[] {"/replayed", "/rejected"}) {
                assertThat(rig.client.post(path, "k", "{}").status()).isEqualTo(201);
            }
            assertThat(rig.client.post("/replayed", "k", "{}").text()).isEqualTo("{\"number\":1}");
            assertThat(rig.client.post("/rejected", "k", "{}").status()).isEqualTo(409);
        }
    }

    @Test
    void a_route_that_rejects_does_so_with_the_message_of_all() throws Exception {
        String yaml = "defaults.duplicates.message: once\nroutes:\n  - match: POST /a\n    duplicates: reject\n";
        try (Rig rig = Rig.with(directory, yaml)) {
            rig.client.post("/a", "k", "{}");
            assertThat(rig.client.post("/a", "k", "{}").text()).contains("once");
        }
    }

    @Test
    void a_route_that_rejects_does_so_with_the_message_of_the_profile() throws Exception {
        String yaml = """
                profile: legacy
                defaults: {key.sources: 'header:Idempotency-Key', duplicates: replay}
                routes:
                  - match: POST /a
                    duplicates: reject
                """;
        try (Rig rig = Rig.with(directory, yaml)) {
            rig.client.post("/a", "k", "{}");
            assertThat(rig.client.post("/a", "k", "{}").text()).contains("请勿重复提交");
        }
    }

    @Test
    void each_limit_of_a_key_is_inherited_by_itself() throws Exception {
        try (Rig rig = Rig.with(directory, """
                defaults.key: {max-length: 5, pattern: '[a-z]+'}
                routes:
                  - match: POST /a
                    key.min-length: 3
                  - match: POST /b
                    key.syntax: bare
                """)) {
            for (String path : new String[] {"/a", "/b"}) {
                assertThat(rig.client.post(path, "abcd", "{}").status()).isEqualTo(201);
                assertThat(rig.client.post(path, "abcdef", "{}").problem()).isEqualTo("key-invalid");
                assertThat(rig.client.post(path, "ABCD", "{}").problem()).isEqualTo("key-invalid");
            }
            assertThat(rig.client.post("/a", "ab", "{}").problem()).isEqualTo("key-invalid");
        }
    }

    @Test
    void the_syntax_of_a_profile_stays_when_a_length_is_given() throws Exception {
        try (Rig rig = Rig.with(directory, "{profile: azure, defaults: {key.max-length: 40}}")) {
            String now =
                    DateTimeFormatter.RFC_1123_DATE_TIME.format(Instant.now().atOffset(ZoneOffset.UTC));
            String sent = "Repeatability-First-Sent: " + now;
            String uuid = "Repeatability-Request-ID: 01890a5d-ac96-774b-bcce-b302099a8057";
            assertThat(rig.client.send("POST", "/a", "{}", sent, uuid).status()).isEqualTo(201);
            assertThat(rig.client
                            .send("POST", "/a", "{}", sent, "Repeatability-Request-ID: any")
                            .status())
                    .isEqualTo(400);
        }
    }

    @Test
    void lease_and_longest_run_are_inherited_each_by_itself() throws Exception {
        CountDownLatch gate = new CountDownLatch(1);
        try (Rig rig = Rig.with(directory, """
                defaults: {lease: 200ms, max-run: 300ms, wait: 0}
                routes:
                  - match: POST /lease
                    lease: 250ms
                  - match: POST /run
                    max-run: 350ms
                """)) {
            rig.service.does(Behaviour.waits(gate));
            for (String path : new String[] {"/lease", "/run"}) {
                int before = rig.service.seen().size();
                var unused = rig.client.postAsync(path, "k", "{}");
                Rig.await("it is sent on", () -> rig.service.seen().size() > before);
                Rig.await(
                        "the lease is over",
                        () -> rig.client.post(path, "k", "{}").problem().equals("outcome-unknown"));
            }
            gate.countDown();
        }
    }
}
