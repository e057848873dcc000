package io.onefold.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.RecordComponent;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.boot.context.properties.bind.Name;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What editors of properties know. */
class MetadataTest {
    private final JsonNode metadata = metadata();
    private final Map<String, JsonNode> properties = new HashMap<>();

    MetadataTest() throws IOException {
        metadata.get("properties")
                .forEach(property -> properties.put(property.get("name").asString(), property));
    }

    private static JsonNode metadata() throws IOException {
        try (InputStream in = Objects.requireNonNull(
                OnefoldProperties.class.getResourceAsStream("/META-INF/spring-configuration-metadata.json"))) {
            return new JsonMapper().readTree(in);
        }
    }

    /** Those in a list or a map are told by their types alone: metadata has no names for them. */
    private static Set<String> names(String prefix, Class<?> type) {
        Set<String> names = new TreeSet<>();
        for (RecordComponent component : type.getRecordComponents()) {
            Name said = component.getAccessor().getAnnotation(Name.class);
            String name = prefix + "."
                    + (said == null ? DataObjectPropertyName.toDashedForm(component.getName()) : said.value());
            if (component.getType().isRecord()) {
                names.addAll(names(name, component.getType()));
            } else {
                names.add(name);
            }
        }
        return names;
    }

    @Test
    void every_property_is_known_with_its_description_and_nothing_else_is() {
        Set<String> all = names("onefold", OnefoldProperties.class);
        all.addAll(names("idempotent", LegacyProperties.class));
        Set<String> described = new TreeSet<>();
        properties.forEach((name, property) -> {
            if (!name.startsWith("management.")) {
                assertThat(property.has("description")).as(name).isTrue();
                described.add(name);
            }
        });
        assertThat(described).isEqualTo(all);
    }

    /** Null there means that nobody chose, which no editor could show. */
    @Test
    void what_holds_where_nobody_chooses_is_told() {
        for (String name : names("onefold.defaults", OperationProperties.class)) {
            if (!name.endsWith(".message")) {
                assertThat(Objects.requireNonNull(properties.get(name)).has("defaultValue"))
                        .as(name)
                        .isTrue();
            }
        }
    }

    @Test
    void hints_are_for_properties_that_are_there() {
        assertThat(metadata.get("hints")).isNotEmpty();
        metadata.get("hints")
                .forEach(hint ->
                        assertThat(properties).containsKey(hint.get("name").asString()));
    }
}
