package io.onefold.server.gateway;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.onefold.server.gateway.Service.Behaviour;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is stored, seen by who can read and write the store. */
class SecretsTest {
    private static final String CARD = "4111111111111111";

    @TempDir
    Path directory;

    private final Service service = Service.start();

    @AfterEach
    void close() {
        service.close();
    }

    /** A gateway with these lines in its file for as long as it takes to ask it once. */
    private Message ask(String yaml, String key) throws Exception {
        service.does(Behaviour.answers(201, "{\"card\":\"" + CARD + "\"}", "Location: /cards/" + CARD));
        try (Gateway gateway = Gateway.start(Rig.config(service.address(), directory, yaml))) {
            return new Client(gateway.port()).post("/cards", key, "{\"pay\":1}");
        }
    }

    private String secret(String name, int fill) throws IOException {
        byte[] bytes = new byte[32];
        Arrays.fill(bytes, (byte) fill);
        Path file = directory.resolve(name + ".key");
        Files.writeString(file, Base64.getEncoder().encodeToString(bytes) + "\n");
        return name + "=file:" + file;
    }

    private boolean storeShows(String text) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file : files.filter(it -> it.getFileName().toString().startsWith("records.db"))
                    .toList()) {
                if (Files.readString(file, ISO_8859_1).contains(text)) {
                    return true;
                }
            }
            return false;
        }
    }

    @Test
    void s04_a_sealed_answer_is_replayed_and_cannot_be_read_in_the_store() throws Exception {
        String yaml = "seal.keys: [" + secret("a", 1) + "]\n";
        Message first = ask(yaml, "k");
        Message again = ask(yaml, "k");
        assertThat(again.header("Idempotent-Replayed")).isEqualTo("true");
        assertThat(again.text()).isEqualTo(first.text()).contains(CARD);
        assertThat(again.header("Location")).isEqualTo("/cards/" + CARD);
        assertThat(storeShows(CARD)).isFalse();
        ask("seal.unsealed: accept\n" + yaml + "seal.kind: mac\n", "other");
        assertThat(storeShows(CARD)).as("a mac leaves it readable").isTrue();
    }

    @Test
    void s05_a_hashed_key_stands_nowhere_in_the_store() throws Exception {
        String key = "jane.doe@example.com";
        ask("defaults:\n  hash-keys: true\n", key);
        assertThat(ask("defaults:\n  hash-keys: true\n", key).header("Idempotent-Replayed"))
                .isEqualTo("true");
        byte[] bytes = key.getBytes(ISO_8859_1);
        assertThat(storeShows(key)).isFalse();
        assertThat(storeShows(HexFormat.of().formatHex(bytes))).isFalse();
        assertThat(storeShows(Base64.getEncoder().withoutPadding().encodeToString(bytes)))
                .isFalse();
        ask("", "john.doe@example.com");
        assertThat(storeShows("john.doe@example.com"))
                .as("one that is not hashed")
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"seal.keys", "fingerprint-keys"})
    void s03_s04_older_keys_still_read_and_without_them_nothing_is_repeated(String name) throws Exception {
        String older = secret("a", 1);
        String newer = secret("b", 2);
        ask(name + ": [" + older + "]", "k1");
        Message rotated = ask(name + ": [" + newer + ", " + older + "]", "k1");
        assertThat(rotated.header("Idempotent-Replayed")).isEqualTo("true");
        ask(name + ": [" + newer + ", " + older + "]", "k2");
        assertThat(ask(name + ": [" + newer + "]", "k2").header("Idempotent-Replayed"))
                .isEqualTo("true");
        assertThat(ask(name + ": [" + newer + "]", "k1").problem()).isEqualTo("result-not-replayable");
        assertThat(service.seen()).hasSize(2);
    }

    @Test
    void s03_fingerprints_from_before_there_were_keys_still_compare() throws Exception {
        ask("", "k");
        String yaml = "fingerprint-keys: " + secret("a", 1);
        assertThat(ask(yaml, "k").header("Idempotent-Replayed")).isEqualTo("true");
        assertThat(service.seen()).hasSize(1);
    }

    @Test
    void s04_answers_from_before_there_was_a_seal_are_taken_if_so_chosen() throws Exception {
        ask("", "k");
        String yaml = "seal.keys: " + secret("a", 1) + "\n";
        assertThat(ask(yaml, "k").problem()).isEqualTo("result-not-replayable");
        assertThat(ask(yaml + "seal.unsealed: accept", "k").header("Idempotent-Replayed"))
                .isEqualTo("true");
        assertThat(service.seen()).hasSize(1);
    }
}
