package io.onefold.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onefold.payload.Fingerprint;
import io.onefold.payload.Fingerprinter;
import io.onefold.server.config.GatewayConfig.Secrets;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.yaml.snakeyaml.Yaml;

class SecretReaderTest {
    private static final Fingerprint PRINT = Fingerprinter.standard().json("{}");
    private static final Map<String, String> ENVIRONMENT =
            Map.of("GOOD", "MDEyMzQ1Njc4OWFiY2RlZg==", "SHORT", "c2VjcmV0", "ODD", "secret: not Base64");

    @TempDir
    Path directory;

    private static Secrets read(String yaml) {
        ConfigSection top = ConfigSection.of("gateway.yaml", new Yaml().compose(new StringReader(yaml)));
        Secrets secrets = new SecretReader(top, ENVIRONMENT::get).read();
        top.done();
        return secrets;
    }

    @Test
    void a_secret_in_a_file_is_the_one_in_the_environment() throws Exception {
        Path file = Files.writeString(directory.resolve("x"), "MDEyMzQ1Njc4OWFiY2RlZg==\n\n");
        byte[] stored = read("fingerprint-keys: a=env:GOOD").fingerprints().stored(PRINT);
        byte[] other = read("fingerprint-keys: a=file:" + file).fingerprints().stored(PRINT);
        assertThat(stored).isEqualTo(other);
        assertThat(read("{}").fingerprints().stored(PRINT)).isNotEqualTo(stored);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            `fingerprint-keys: secret`               | gateway.yaml:1: fingerprint-keys: a secret does not stand in the file | ID=env:NAME or ID=file:PATH
            `seal.keys: [a=secret]`                  | gateway.yaml:1: seal.keys: a secret does not stand in the file | ID=env:NAME or ID=file:PATH
            `seal.keys: []`                          | gateway.yaml:1: seal.keys: name at least one | ID=env:NAME or ID=file:PATH
            `seal.keys: a=env:NONE`                  | gateway.yaml:1: seal.keys: the environment has no variable NONE | NONE
            `seal.keys: a=file:/no/such/file`        | gateway.yaml:1: seal.keys: the file /no/such/file cannot be read | /no
            `seal.keys: a=env:ODD`                   | gateway.yaml:1: seal.keys: what is in env:ODD is not Base64 | openssl rand -base64 32
            `seal.keys: a=env:SHORT`                 | gateway.yaml:1: seal.keys: Key "a" has 6 bytes | 16 or 32
            `fingerprint-keys: a=env:SHORT`          | gateway.yaml:1: fingerprint-keys: Key "a" has 6 bytes | 16 or more
            `seal.keys: [a=env:GOOD, a=env:GOOD]`    | gateway.yaml:1: seal.keys: two secrets are called a | a
            `seal.keys: [a b=env:GOOD]`              | gateway.yaml:1: seal.keys: Key id "a b" must be | letters
            `seal.kind: mac`                         | gateway.yaml:1: nothing is sealed without seal.keys | ID=env:NAME
            `seal.unsealed: accept`                  | gateway.yaml:1: nothing is sealed without seal.keys | ID=env:NAME
            `seal: {kind: rot13, keys: a=env:GOOD}`  | gateway.yaml:1: seal.kind: "rot13" is not one of | aes, mac
            """)
    void an_error_names_its_line_and_what_is_allowed_and_no_secret(String yaml, String where, String allowed) {
        assertThatThrownBy(() -> read(yaml))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(where)
                .hasMessageContaining(allowed)
                .message()
                .doesNotContain("secret:", "=secret", "c2VjcmV0", "MDEy");
    }
}
