package io.onefold.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.springframework.cloud.context.environment.EnvironmentChangeEvent;
import org.springframework.core.env.MapPropertySource;

/** Spring Cloud itself tells of changes: it is not needed to compile against. */
class SpringCloudTest {
    private static final String PAYMENT = "{\"id\":\"p\",\"amount\":1}";
    private static final String CHANGED = "onefold.defaults.duplicates";

    @Test
    void a_changed_environment_changes_policies() throws Exception {
        try (Running shop = Running.start(Shop.class)) {
            shop.post("/pay", "k", PAYMENT);
            shop.post("/orders", "k", PAYMENT);
            set(shop, "reject");
            assertThat(shop.post("/pay", "k", PAYMENT).statusCode()).isEqualTo(201);
            shop.context().publishEvent(new EnvironmentChangeEvent(shop.context(), Set.of(CHANGED)));
            for (String path : List.of("/pay", "/orders")) {
                assertThat(shop.post(path, "k", PAYMENT).statusCode()).as(path).isEqualTo(409);
            }
        }
    }

    @Test
    void what_cannot_be_changes_nothing_and_stops_nobody() throws Exception {
        try (Running shop = Running.start(Shop.class)) {
            shop.post("/pay", "k", PAYMENT);
            set(shop, "perhaps");
            shop.context().publishEvent(new EnvironmentChangeEvent(shop.context(), Set.of(CHANGED)));
            assertThat(shop.post("/pay", "k", PAYMENT).statusCode()).isEqualTo(201);
        }
    }

    private static void set(Running shop, String value) {
        shop.context()
                .getEnvironment()
                .getPropertySources()
                .addFirst(new MapPropertySource("changed", Map.of(CHANGED, value)));
    }
}
