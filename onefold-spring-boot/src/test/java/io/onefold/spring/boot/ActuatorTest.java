package io.onefold.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.onefold.servers.TcpProxy;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.UUID;
import org.h2.tools.Server;
import org.junit.jupiter.api.Test;

/** Health and endpoint over HTTP. */
class ActuatorTest {
    private static final String PAYMENT = "{\"id\":\"p\",\"amount\":1}";
    private static final String EXPOSED = "--management.endpoints.web.exposure.include=onefold,health";

    @Test
    void operations_records_and_health_are_shown() throws Exception {
        try (Running shop = Running.start(
                Shop.class,
                EXPOSED,
                "--onefold.http.cover=all",
                "--onefold.operations.pay.hash-keys=true",
                "--management.endpoint.health.show-details=always")) {
            shop.post("/pay", "k1", PAYMENT);
            shop.post("/notes", "k2", PAYMENT);
            assertThat(shop.get("/actuator/onefold").body())
                    .contains("\"name\":\"pay\"", "leased (at most once)", "\"name\":\"POST /notes\"");
            HttpResponse<String> stuck = shop.get("/actuator/onefold?operation=pay");
            assertThat(stuck.statusCode()).isEqualTo(200);
            assertThat(stuck.body()).isEqualTo("[]");
            assertThat(shop.get("/actuator/onefold?operation=pay&key=k1").body())
                    .contains("\"status\":\"success\"");
            assertThat(shop.get("/actuator/onefold?operation=POST%20/notes&key=k2")
                            .body())
                    .contains("\"status\":\"success\"")
                    .doesNotContain("k2");
            assertThat(shop.get("/actuator/onefold?operation=POST%20%2Fnotes&key=k2&user=alice")
                            .body())
                    .isEqualTo("[]");
            assertThat(shop.get("/actuator/onefold?operation=*&key=k2").statusCode())
                    .isEqualTo(400);
            assertThat(shop.get("/actuator/health").body())
                    .contains("\"stuck\":\"0\"")
                    .containsPattern(onefold("UP"));
        }
    }

    /** Who asks is known by a filter here; the endpoint is asked by the same name. */
    @Test
    void the_record_of_a_user_is_found_by_the_name_of_the_user() throws Exception {
        try (Running shop = Running.start(
                NamedShop.class, EXPOSED, "--onefold.http.cover=all", "--onefold.http.principal=security")) {
            HttpRequest request =
                    shop.request("/notes", "k", PAYMENT).header("User", "alice").build();
            assertThat(shop.client()
                            .send(request, HttpResponse.BodyHandlers.ofString())
                            .statusCode())
                    .isEqualTo(200);
            String record = "/actuator/onefold?operation=POST%20/notes&key=k";
            assertThat(shop.get(record + "&user=alice").body()).contains("\"status\":\"success\"");
            assertThat(shop.get(record + "&scope=user,alice").body()).contains("\"status\":\"success\"");
            assertThat(shop.get(record + "&user=bob").body()).isEqualTo("[]");
            assertThat(shop.get(record).body()).isEqualTo("[]");
        }
    }

    @Test
    void the_endpoint_shows_and_changes_nothing() throws Exception {
        try (Running shop = Running.start(Shop.class, "--management.endpoints.web.exposure.include=*")) {
            shop.post("/pay", "k", PAYMENT);
            String record = "/actuator/onefold?operation=pay&key=k";
            String shown = shop.get(record).body();
            for (String method : List.of("POST", "PUT", "PATCH", "DELETE")) {
                HttpRequest request = shop.request(record, "", "{}")
                        .method(method, HttpRequest.BodyPublishers.noBody())
                        .build();
                assertThat(shop.client()
                                .send(request, HttpResponse.BodyHandlers.ofString())
                                .statusCode())
                        .as(method)
                        .isEqualTo(405);
            }
            assertThat(shop.get(record).body()).isEqualTo(shown).contains("\"status\":\"success\"");
        }
    }

    @Test
    void a_database_that_is_gone_is_down() throws Exception {
        Server database =
                Server.createTcpServer("-tcpPort", "0", "-ifNotExists").start();
        try (TcpProxy way = TcpProxy.to(database.getPort());
                Running shop = Running.start(
                        Shop.class,
                        EXPOSED,
                        "--management.endpoint.health.show-details=always",
                        "--spring.datasource.url=jdbc:h2:tcp://127.0.0.1:" + way.port() + "/mem:" + UUID.randomUUID()
                                + ";DB_CLOSE_DELAY=-1",
                        "--spring.datasource.username=sa",
                        "--spring.datasource.hikari.connection-timeout=2000",
                        "--onefold.jdbc.initialize-schema=always")) {
            assertThat(shop.post("/pay", "k", PAYMENT).statusCode()).isEqualTo(201);
            assertThat(shop.get("/actuator/health").body()).containsPattern(onefold("UP"));

            way.refuse();
            way.cut();
            HttpResponse<String> down = shop.get("/actuator/health");
            assertThat(down.statusCode()).isEqualTo(503);
            assertThat(down.body()).containsPattern(onefold("DOWN"));
        } finally {
            database.stop();
        }
    }

    /** In which order, is up to Jackson. */
    private static String onefold(String status) {
        return "\"onefold\":\\{(\"details\":\\{[^}]*},)?\"status\":\"" + status + "\"";
    }
}
