package io.onefold.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class MetadataTest {
    @Test
    void every_property_has_a_description() throws Exception {
        Set<String> names = new TreeSet<>();
        Set<String> silent = new TreeSet<>();
        try (InputStream in = Objects.requireNonNull(
                OnefoldProperties.class.getResourceAsStream("/META-INF/spring-configuration-metadata.json"))) {
            for (JsonNode property : new JsonMapper().readTree(in).get("properties")) {
                String name = property.get("name").asString();
                names.add(name);
                if (!property.has("description")) {
                    silent.add(name);
                }
            }
        }
        assertThat(silent).isEmpty();
        assertThat(names)
                .contains(
                        "onefold.enabled",
                        "onefold.mode",
                        "onefold.store",
                        "onefold.jdbc.initialize-schema",
                        "onefold.redis.url",
                        "onefold.defaults.keep",
                        "onefold.defaults.safe-to-repeat",
                        "onefold.http.principal",
                        "onefold.http.cors.origins",
                        "onefold.upkeep.reconcile-every",
                        "idempotent.return-cached-result");
    }
}
