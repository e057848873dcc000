package io.onefold.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import org.junit.jupiter.api.Test;

/** Health and endpoint over HTTP. */
class ActuatorTest {
    @Test
    void operations_records_and_health_are_shown() throws Exception {
        try (Running shop = Running.start(
                Shop.class,
                "--management.endpoints.web.exposure.include=onefold,health",
                "--management.endpoint.health.show-details=always")) {
            shop.post("/pay", "k1", "{\"id\":\"p\",\"amount\":1}");
            assertThat(shop.get("/actuator/onefold").body()).contains("\"name\":\"pay\"", "leased (at most once)");
            HttpResponse<String> stuck = shop.get("/actuator/onefold/pay");
            assertThat(stuck.statusCode()).isEqualTo(200);
            assertThat(stuck.body()).isEqualTo("[]");
            assertThat(shop.get("/actuator/onefold/pay?key=k1").body()).contains("\"status\":\"success\"");
            assertThat(shop.get("/actuator/health").body())
                    .contains("\"onefold\":{\"status\":\"UP\"", "\"stuck\":\"0\"");
        }
    }
}
