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
import java.util.List;
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
        StartupText.print(config, gateway, new PrintWriter(out));
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

    @Test
    void it_promises_of_each_route_what_its_settings_leave() throws Exception {
        GatewayConfig config = read("""
                routes:
                  - match: POST /plain
                  - match: POST /repeated
                    safe-to-repeat: true
                  - match: POST /retried
                    on-5xx: retry
                  - match: POST /successful
                    store-only-success: true
                  - match: POST /unstored
                    never-store: [503, 418, 429]
                  - match: POST /open
                    on-store-failure: open
                  - match: POST /streams
                    streaming: bypass
                  - match: POST /both
                    on-5xx: retry
                    store-only-success: true
                    on-store-failure: open
                  - pass: /passing
                """);
        try (Gateway gateway = Gateway.start(config)) {
            assertThat(routes(greeting(config, gateway)))
                    .containsExactly(
                            "POST /plain: at most once; unknown is told, never repeated",
                            "POST /repeated: at least once; one effect only if the callee recognises a repetition",
                            "POST /retried: at most once; again after an answer of 5xx; unknown is told, never repeated",
                            "POST /successful: at most once; again after an answer of 3xx or 4xx; unknown is told, never repeated",
                            "POST /unstored: at most once; again after an answer of 418 or an answer of 503; unknown is told, never repeated",
                            "POST /open: at most once; unprotected while the store cannot be reached",
                            "POST /streams: at most once; streams of events pass unprotected; unknown is told, never repeated",
                            "POST /both: at most once; again after an answer of 5xx or an answer of 3xx or 4xx;"
                                    + " unprotected while the store cannot be reached",
                            "/passing: passes",
                            "PATCH,POST /**: at most once; unknown is told, never repeated");
        }
    }

    @Test
    void it_promises_of_routes_what_the_profile_and_the_defaults_leave() throws Exception {
        GatewayConfig azure = read("profile: azure");
        GatewayConfig open = read("""
                defaults:
                  on-store-failure: open
                routes:
                  - match: POST /closed
                    on-store-failure: closed
                """);
        try (Gateway gateway = Gateway.start(azure)) {
            assertThat(routes(greeting(azure, gateway)))
                    .containsExactly(
                            "PATCH,POST /**: at most once; again after an answer of 5xx; unknown is told, never repeated");
            assertThat(routes(greeting(open, gateway)))
                    .containsExactly(
                            "POST /closed: at most once; unknown is told, never repeated",
                            "PATCH,POST /**: at most once; unprotected while the store cannot be reached");
        }
    }

    private static List<String> routes(String greeting) {
        return greeting.lines()
                .filter(line -> line.startsWith("  route"))
                .map(line -> line.substring("  route".length()).strip())
                .toList();
    }
}
