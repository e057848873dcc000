package io.onefold.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.onefold.server.config.ConfigReader;
import io.onefold.server.config.GatewayConfig;
import io.onefold.server.gateway.Gateway;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GreetingTest {
    @TempDir
    Path directory;

    private GatewayConfig read(String yaml, String... more) throws IOException {
        Path file = Files.writeString(directory.resolve("gateway.yaml"), yaml);
        Map<String, String> options = new HashMap<>(Map.of(
                "to", "http://127.0.0.1:1", "listen", "127.0.0.1:0", "store", "sqlite:" + directory.resolve("r.db")));
        for (int i = 0; i < more.length; i += 2) {
            options.put(more[i], more[i + 1]);
        }
        return ConfigReader.read(file, options);
    }

    private static String greeting(GatewayConfig config, Gateway gateway) {
        StringWriter out = new StringWriter();
        Greeting.print(config, gateway, new PrintWriter(out));
        return out.toString();
    }

    @Test
    void it_says_where_health_is_and_what_that_hides() throws Exception {
        GatewayConfig config = read("");
        try (Gateway gateway = Gateway.start(config)) {
            assertThat(greeting(config, gateway))
                    .contains(
                            "listens on http://127.0.0.1:" + gateway.port() + " and",
                            "http://127.0.0.1:" + gateway.port()
                                    + "/healthz and /metrics; the service's own are hidden");
            assertThat(greeting(read("", "listen", "[::1]:0"), gateway)).contains("http://[::1]:" + gateway.port());
            assertThat(greeting(read("admin: off"), gateway))
                    .contains("admin      off")
                    .doesNotContain("hidden");
        }
    }

    @Test
    void it_shows_nothing_of_the_environment() throws Exception {
        GatewayConfig config = read("""
                routes:
                  - match: POST /orders
                    probe: http://127.0.0.1:1/by-key?key={key}&token=${HOME}
                """);
        try (Gateway gateway = Gateway.start(config)) {
            assertThat(greeting(config, gateway))
                    .contains("asked for at http://127.0.0.1:1/by-key?key={key}&token=${HOME}")
                    .doesNotContain("token=" + System.getenv("HOME"));
        }
    }
}
