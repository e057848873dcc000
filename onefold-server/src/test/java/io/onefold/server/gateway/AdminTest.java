package io.onefold.server.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onefold.server.config.ConfigReader;
import io.onefold.server.config.GatewayConfig;
import io.onefold.server.config.PortInUseException;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AdminTest {
    @TempDir
    Path directory;

    @Test
    void on_loopback_health_and_metrics_are_where_clients_come() throws Exception {
        try (Rig rig = Rig.with(directory, "")) {
            assertThat(rig.gateway.adminPort()).isEqualTo(rig.gateway.port());
            assertThat(rig.client.get("/healthz?x").text()).contains("up");
            assertThat(rig.client.send("HEAD", "/healthz", "").status()).isEqualTo(200);
            assertThat(rig.client.get("/metrics").text()).contains("onefold_in_flight 0");
            assertThat(rig.service.seen()).isEmpty();
            for (String path : List.of("/healthz/", "/metrics/x", "/healthzz")) {
                assertThat(rig.client.get(path).status()).as(path).isEqualTo(201);
            }
            assertThat(rig.client.send("POST", "/metrics", "{}").status())
                    .as("they are read only")
                    .isEqualTo(201);
        }
    }

    @Test
    void where_they_are_said_to_be_elsewhere_or_nowhere_the_services_own_are_not_hidden() throws Exception {
        for (String admin : List.of("admin: 127.0.0.1:0", "admin: off")) {
            try (Rig rig = Rig.with(directory, admin)) {
                assertThat(rig.client.get("/healthz").status()).as(admin).isEqualTo(201);
                assertThat(rig.client.get("/metrics").status()).as(admin).isEqualTo(201);
                assertThat(rig.gateway.adminPort()).as(admin).isNotEqualTo(rig.gateway.port());
            }
        }
    }

    @Test
    void a_listener_of_their_own_tells_nothing_else() throws Exception {
        try (Rig rig = Rig.with(directory, "admin: 127.0.0.1:0")) {
            Client admin = new Client(rig.gateway.adminPort());
            assertThat(admin.get("/healthz").text()).contains("up");
            assertThat(admin.get("/metrics").text()).contains("onefold_in_flight 0");
            assertThat(admin.get("/metricsx").status()).isEqualTo(404);
        }
    }

    @Test
    void off_loopback_they_are_on_it_and_take_another_port_if_the_next_one_is_taken() throws Exception {
        try (ServerSocket next = afterAFreeOne();
                Gateway gateway = Gateway.start(listening("0.0.0.0:" + (next.getLocalPort() - 1), Map.of()))) {
            assertThat(gateway.adminPort()).isNotIn(gateway.port(), next.getLocalPort());
            assertThat(new Client(gateway.adminPort()).get("/healthz").text()).contains("up");
        }
    }

    @Test
    void where_they_are_said_to_be_they_are_or_nothing_starts() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Map<String, String> there = Map.of("admin", "127.0.0.1:" + taken.getLocalPort());
            assertThatThrownBy(() -> Gateway.start(listening("127.0.0.1:0", there)))
                    .isInstanceOf(PortInUseException.class)
                    .hasMessageContaining("--admin: port " + taken.getLocalPort());
        }
    }

    /** Listens on a port whose neighbour below is free. */
    private static ServerSocket afterAFreeOne() throws IOException {
        while (true) {
            try (ServerSocket free = new ServerSocket(0)) {
                return new ServerSocket(free.getLocalPort() + 1, 1, InetAddress.getLoopbackAddress());
            } catch (BindException | IllegalArgumentException e) {
                // somebody has it, or there is none
            }
        }
    }

    private GatewayConfig listening(String address, Map<String, String> more) {
        Map<String, String> options = new HashMap<>(more);
        options.putAll(Map.of(
                "to",
                "http://127.0.0.1:1",
                "principal",
                "anonymous",
                "listen",
                address,
                "store",
                "sqlite:" + directory.resolve("records.db")));
        return ConfigReader.read(null, options);
    }
}
