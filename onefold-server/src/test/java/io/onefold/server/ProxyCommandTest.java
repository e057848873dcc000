package io.onefold.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProxyCommandTest {
    @TempDir
    Path directory;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private String refused(String... arguments) {
        int code = Main.run(List.of(arguments), new PrintStream(out, true, UTF_8), new PrintStream(err, true, UTF_8));
        assertThat(code).isEqualTo(Main.MISUSED);
        return err.toString(UTF_8);
    }

    private String store() {
        return "sqlite:" + directory.resolve("records.db");
    }

    @Test
    void what_is_missing_or_wrong_is_named() {
        assertThat(refused("proxy")).contains("--to http://HOST:PORT");
        assertThat(refused("proxy", "--to")).contains("--to");
        assertThat(refused("proxy", "--too", "x")).contains("\"--too\"", "--to", "--listen", "--store");
        assertThat(refused("proxy", "--to", "localhost:9000")).contains("--to: \"localhost:9000\" is not an address");
        assertThat(refused("proxy", "--to", "http://a", "--listen", "0.0.0.0:0"))
                .contains("--principal");
    }

    @Test
    void a_port_that_is_taken_is_named_with_the_option_to_choose_another() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String address = "127.0.0.1:" + taken.getLocalPort();
            assertThat(refused("proxy", "--to", "http://a", "--store", store(), "--listen", address, "--admin", "off"))
                    .contains("--listen: port " + taken.getLocalPort(), "choose another HOST:PORT");
            assertThat(refused(
                            "proxy",
                            "--to",
                            "http://a",
                            "--store",
                            store(),
                            "--listen",
                            "127.0.0.1:0",
                            "--admin",
                            address))
                    .contains("--admin: port " + taken.getLocalPort(), "choose another HOST:PORT");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "192.0.2.1:0, 127.0.0.1:0, --listen: 192.0.2.1:0 cannot be listened on: Cannot assign",
        "127.0.0.1:0, 192.0.2.1:0, --admin: 192.0.2.1:0 cannot be listened on: Cannot assign",
        "nowhere.invalid:0, 127.0.0.1:0, --listen: nowhere.invalid:0 cannot be listened on: there is no host",
        "127.0.0.1:0, nowhere.invalid:0, --admin: nowhere.invalid:0 cannot be listened on: there is no host"
    })
    void an_address_that_is_not_of_this_machine_is_named_with_the_reason(String listen, String admin, String reason) {
        String[] arguments = {
            "proxy",
            "--to",
            "http://a",
            "--store",
            store(),
            "--principal",
            "anonymous",
            "--listen",
            listen,
            "--admin",
            admin
        };
        assertThat(refused(arguments)).contains(reason).doesNotContain("somebody has it");
    }

    @Test
    void a_store_that_cannot_be_opened_is_named_without_its_password() {
        assertThat(refused("proxy", "--to", "http://a", "--store", "sqlite:/no/such/directory/x.db"))
                .contains("store", "/no/such/directory");
        assertThat(refused("proxy", "--to", "http://a", "--store", "jdbc:oracle:x?password=secret"))
                .contains("no driver takes", "jdbc:postgresql:", "jdbc:mariadb:");
        assertThat(refused(
                        "proxy",
                        "--to",
                        "http://a",
                        "--store",
                        "jdbc:postgresql://127.0.0.1:1/x?user=u&password=secret"))
                .contains("store");
        assertThat(refused("proxy", "--to", "http://a", "--store", "redis://:secret@127.0.0.1:1"))
                .contains("store");
        assertThat(err.toString(UTF_8)).doesNotContain("secret");
    }

    @ParameterizedTest
    @CsvSource({
        "'store: sqlite:/no/such/directory/x.db', store: there is no directory /no/such/directory",
        "'store: jdbc:oracle:x', store: no driver takes the address jdbc:oracle:x; there are jdbc:postgresql:",
        "'store: jdbc:postgresql://127.0.0.1:1/x', store: ",
        "'store: redis://127.0.0.1:1', store: Redis could not be reached",
        "'listen: 192.0.2.1:0', listen: 192.0.2.1:0 cannot be listened on",
        "'admin: nowhere.invalid:0', admin: nowhere.invalid:0 cannot be listened on: there is no host"
    })
    void what_turns_out_to_be_wrong_when_it_is_tried_is_named_with_its_line(String line, String reason)
            throws Exception {
        Path file = directory.resolve("gateway.yaml");
        Files.writeString(file, "to: http://a\nprincipal: anonymous\n\n" + line + "\n");
        List<String> arguments = new ArrayList<>(List.of("proxy", "--config", file.toString()));
        if (!line.startsWith("store")) {
            arguments.addAll(List.of("--store", store()));
        }
        if (!line.startsWith("listen")) {
            arguments.addAll(List.of("--listen", "127.0.0.1:0"));
        }
        assertThat(refused(arguments.toArray(String[]::new))).contains("gateway.yaml:4: " + reason);
    }

    @Test
    void a_file_that_cannot_be_read_is_named_with_the_reason() throws Exception {
        assertThat(refused("proxy", "--config", directory.toString()))
                .contains("--config: " + directory + " cannot be read: it is a directory");
        Path other = directory.resolve("latin.yaml");
        Files.write(other, new byte[] {'t', 'o', ':', ' ', (byte) 0xe9, '\n'});
        assertThat(refused("proxy", "--config", other.toString()))
                .contains("latin.yaml cannot be read: it is not UTF-8");
        Files.writeString(other, "to: http://a\nlisten: \u0007\n");
        assertThat(refused("proxy", "--config", other.toString())).contains("latin.yaml:2: this is not YAML");
    }

    @Test
    void a_key_set_that_cannot_be_read_is_named() {
        String[] jwt = {
            "proxy",
            "--to",
            "http://a",
            "--store",
            store(),
            "--listen",
            "127.0.0.1:0",
            "--admin",
            "off",
            "--principal",
            "jwt:sub",
            "--jwks",
            directory.resolve("none.json").toString()
        };
        assertThat(refused(jwt)).contains("jwks", "none.json");
    }

    @Test
    void help_tells_all_options() {
        Main.run(List.of("proxy", "--help"), new PrintStream(out, true, UTF_8), new PrintStream(err, true, UTF_8));
        assertThat(out.toString(UTF_8))
                .contains("--to", "--listen", "--store", "--principal", "--config", "--jwks", "--authorize");
    }
}
