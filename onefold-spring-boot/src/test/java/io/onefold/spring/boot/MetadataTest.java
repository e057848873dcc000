package io.onefold.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Parameter;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.context.properties.bind.Name;
import org.springframework.boot.context.properties.bind.handler.NoUnboundElementsBindHandler;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.core.ResolvableType;
import org.springframework.util.ClassUtils;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What editors of properties know is what can be bound: a property that nobody described, or gave no default to, is found here. */
class MetadataTest {
    /** Where null is bound and means that nobody chose: what then holds depends on others, and the description says on what. */
    private static final List<String> DEPENDING = List.of(
            "onefold.defaults.message",
            "onefold.defaults.refuse-late",
            "onefold.defaults.wait-for",
            "onefold.jdbc.batching",
            "onefold.listeners.parking-routing-key",
            "onefold.upkeep.probe-pause",
            "onefold.redis.url",
            "onefold.redis.timeout",
            "onefold.http.key-header",
            "onefold.http.principal",
            "onefold.http.filter-order",
            "onefold.http.error-page");

    private static final BindHandler NOTHING_ELSE =
            new NoUnboundElementsBindHandler(BindHandler.DEFAULT, source -> true);

    private final JsonNode metadata = metadata();
    private final Map<String, JsonNode> properties = new TreeMap<>();
    private final Map<String, Parameter> bound = new TreeMap<>();

    MetadataTest() throws IOException {
        metadata.get("properties")
                .forEach(property -> properties.put(property.get("name").asString(), property));
        collect("onefold", OnefoldProperties.class);
        collect("idempotent", LegacyProperties.class);
    }

    private static JsonNode metadata() throws IOException {
        try (InputStream in = Objects.requireNonNull(
                OnefoldProperties.class.getResourceAsStream("/META-INF/spring-configuration-metadata.json"))) {
            return new JsonMapper().readTree(in);
        }
    }

    /** What is in a map or a list is collected under the name of one that could be there, beside the map or list itself. */
    private void collect(String prefix, Class<?> type) {
        for (Parameter parameter : type.getDeclaredConstructors()[0].getParameters()) {
            Name said = parameter.getAnnotation(Name.class);
            String name = prefix + "."
                    + (said == null ? DataObjectPropertyName.toDashedForm(parameter.getName()) : said.value());
            if (parameter.getType().isRecord()) {
                collect(name, parameter.getType());
                continue;
            }
            bound.put(name, parameter);
            Class<?> member = member(parameter);
            if (member.isRecord()) {
                collect(name + (parameter.getType() == Map.class ? "[name]" : "[0]"), member);
            }
        }
    }

    /** The last type in its brackets; itself if it has none. */
    private static Class<?> member(Parameter parameter) {
        if (parameter.getParameterizedType() instanceof ParameterizedType generic) {
            Type[] arguments = generic.getActualTypeArguments();
            return ResolvableType.forType(arguments[arguments.length - 1]).toClass();
        }
        return parameter.getType();
    }

    @Test
    void every_property_is_known_with_type_and_description_and_nothing_else_is() {
        Map<String, String> types = new TreeMap<>();
        bound.forEach((name, parameter) -> types.put(name, written(parameter)));
        types.put("management.endpoint.onefold.access", "org.springframework.boot.actuate.endpoint.Access");
        types.put("management.endpoint.onefold.cache.time-to-live", Duration.class.getName());
        types.put("management.health.onefold.enabled", Boolean.class.getName());
        Map<String, String> told = new TreeMap<>();
        properties.forEach((name, property) -> {
            assertThat(property.path("description").asString()).as(name).endsWith(".");
            told.put(name, property.get("type").asString());
        });
        assertThat(told).containsExactlyInAnyOrderEntriesOf(types);
    }

    private static String written(Parameter parameter) {
        Class<?> type = ClassUtils.resolvePrimitiveIfNecessary(parameter.getType());
        return type == parameter.getType() && parameter.getParameterizedType() instanceof ParameterizedType generic
                ? generic.getTypeName().replace(", ", ",")
                : type.getName();
    }

    @Test
    void what_holds_where_nobody_chooses_is_told() {
        bound.forEach((name, parameter) -> {
            DefaultValue chosen = parameter.getAnnotation(DefaultValue.class);
            if (chosen != null && chosen.value().length > 0) {
                assertThat(told(name)).as(name).isEqualTo(List.of(chosen.value()));
            } else if (!member(parameter).isRecord() && !name.contains("[") && !DEPENDING.contains(name)) {
                assertThat(properties.get(name)).as(name).isNotNull();
                assertThat(chosen != null || told(name) != null)
                        .as("%s is told what holds", name)
                        .isTrue();
            }
        });
    }

    @Test
    void what_depends_on_others_is_told_in_words_and_not_as_a_value() {
        DEPENDING.forEach(name -> assertThat(told(name)).as(name).isNull());
        assertThat(Objects.requireNonNull(properties.get("onefold.defaults.wait-for"))
                        .get("description")
                        .asString())
                .contains("0s for jobs, else 2s");
    }

    /** Null if nothing is told. */
    private @Nullable List<String> told(String name) {
        JsonNode value = Objects.requireNonNull(properties.get(name)).get("defaultValue");
        if (value == null) {
            return null;
        }
        return value.isArray() ? value.valueStream().map(JsonNode::asString).toList() : List.of(value.asString());
    }

    @Test
    void what_is_told_can_be_written_as_it_is() {
        Map<String, Object> said = new HashMap<>();
        properties.forEach((name, property) -> {
            Parameter parameter = bound.get(name);
            if (parameter != null && !member(parameter).isRecord()) {
                List<String> value = told(name);
                String one = parameter.getType() == Map.class ? name + ".some" : name;
                said.put(one, value == null ? some(member(parameter)) : String.join(",", value));
            }
        });
        Binder binder = new Binder(new MapConfigurationPropertySource(said));
        OnefoldProperties all = binder.bind("onefold", Bindable.of(OnefoldProperties.class), NOTHING_ELSE)
                .get();
        binder.bind("idempotent", Bindable.of(LegacyProperties.class), NOTHING_ELSE);
        assertThat(all.operations()).containsOnlyKeys("name");
        assertThat(all.http().routes()).hasSize(1).first().hasNoNullFieldsOrProperties();
        assertThat(all.operations().get("name")).hasNoNullFieldsOrProperties();
    }

    private static String some(Class<?> type) {
        if (type == Duration.class) {
            return "1h";
        }
        if (type == Boolean.class) {
            return "true";
        }
        if (type == Integer.class) {
            return "500";
        }
        if (type == Class.class) {
            return "java.lang.IllegalStateException";
        }
        return type.isEnum() ? type.getEnumConstants()[0].toString() : "/x";
    }

    @Test
    void hints_are_for_properties_that_are_there() {
        assertThat(metadata.get("hints")).isNotEmpty();
        metadata.get("hints")
                .forEach(hint ->
                        assertThat(properties).containsKey(hint.get("name").asString()));
    }
}
