package io.onefold.jackson2;

import static io.onefold.payload.contract.ResultRow.ExpectedOutcome.ALIKE;
import static io.onefold.payload.contract.ResultRow.ExpectedOutcome.NOT_KEPT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectMapper.DefaultTyping;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import com.fasterxml.jackson.databind.annotation.JsonSerialize;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.jsontype.BasicPolymorphicTypeValidator;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.StdSerializer;
import com.fasterxml.jackson.databind.ser.std.ToStringSerializer;
import io.onefold.payload.Codec;
import io.onefold.payload.Fingerprinter;
import io.onefold.payload.ResultSerializer;
import io.onefold.payload.contract.CodecContract;
import io.onefold.payload.contract.ResultRow;
import io.onefold.store.ResultPayload;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class JacksonCodecTest extends CodecContract {

    private static final Jackson2Codec CODEC = Jackson2Codec.standard();

    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME)
    @JsonSubTypes({
        @JsonSubTypes.Type(value = Card.class, name = "card"),
        @JsonSubTypes.Type(value = Cash.class, name = "cash")
    })
    sealed interface Payment permits Card, Cash {}

    record Card(String last4) implements Payment {}

    record Cash(int notes) implements Payment {}

    record Bill(List<Payment> payments) {}

    @JsonTypeInfo(use = JsonTypeInfo.Id.CLASS)
    interface Open {}

    record Holder(List<Open> things) {}

    record Sneaky(
            @JsonTypeInfo(use = JsonTypeInfo.Id.MINIMAL_CLASS)
            Object thing) {}

    interface Unknown {}

    record Vague(Unknown unknown) {}

    static class Bean {
        public @Nullable String name;
        public long amount = 4200;
    }

    @Override
    protected Codec codec() {
        return CODEC;
    }

    @Override
    protected boolean mapsClasses() {
        return true;
    }

    @Test
    void a_sealed_type_with_names_comes_back() {
        Bill bill = new Bill(List.of(new Card("4242"), new Cash(3)));
        assertThat(roundTrip(bill, Bill.class)).isEqualTo(bill);
    }

    @Test
    void types_that_let_the_bytes_name_a_class_are_refused() {
        assertRefused(Open.class, "CLASS");
        assertRefused(Holder.class, "Open (at things)");
        assertRefused(Open[].class, "Open");
        assertRefused(Sneaky.class, "MINIMAL_CLASS");
        assertRefused(Vague.class, "Unknown (at unknown)");
    }

    private static void assertRefused(Class<?> type, String part) {
        assertThatIllegalArgumentException().isThrownBy(() -> CODEC.check(type)).withMessageContaining(part);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CODEC.decode(new byte[0], type, 1))
                .withMessageContaining(part);
    }

    @Test
    void a_mapper_with_default_typing_is_refused() {
        JsonMapper typing = JsonMapper.builder()
                .activateDefaultTyping(
                        BasicPolymorphicTypeValidator.builder()
                                .allowIfBaseType(Object.class)
                                .build(),
                        DefaultTyping.NON_FINAL)
                .build();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Jackson2Codec.with(typing))
                .withMessageContaining("default typing");
        assertThat(Jackson2Codec.with(new JsonMapper()).id()).isEqualTo("jackson");
    }

    @Test
    void an_object_without_properties_is_not_taken_for_an_empty_one() {
        assertThatIllegalArgumentException().isThrownBy(() -> CODEC.encode(new Object(), Object.class));
    }

    @Test
    void a_bean_has_the_fingerprint_of_its_json() {
        Fingerprinter standard = Fingerprinter.standard();
        assertThat(CODEC.fingerprint(standard, new Bean()))
                .isEqualTo(standard.json("{\"amount\":4.2e3,\"name\":null}"));
        assertThat(CODEC.fingerprint(standard, new BeforeUpgrade("a", 3)))
                .isEqualTo(standard.value(new BeforeUpgrade("a", 3)));
    }

    static final class Shouting extends StdSerializer<String> {
        private static final long serialVersionUID = 1;

        Shouting() {
            super(String.class);
        }

        @Override
        public void serialize(String value, JsonGenerator json, SerializerProvider provider) throws IOException {
            json.writeString(value + "!");
        }
    }

    /** Mappers as applications have them. */
    static List<JsonMapper> mappers() {
        return List.of(
                new JsonMapper(),
                JsonMapper.builder()
                        .findAndAddModules()
                        .disable(MapperFeature.DEFAULT_VIEW_INCLUSION)
                        .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                        .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
                        .build(),
                JsonMapper.builder()
                        .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                        .defaultPropertyInclusion(JsonInclude.Value.construct(
                                JsonInclude.Include.NON_EMPTY, JsonInclude.Include.NON_EMPTY))
                        .build(),
                JsonMapper.builder()
                        .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
                        .defaultPropertyInclusion(
                                JsonInclude.Value.construct(JsonInclude.Include.NON_NULL, JsonInclude.Include.NON_NULL))
                        .build(),
                JsonMapper.builder()
                        .addModule(new SimpleModule().addSerializer(Long.class, ToStringSerializer.instance))
                        .addMixIn(Bean.class, BeanMixin.class)
                        .build());
    }

    @ParameterizedTest
    @MethodSource("mappers")
    void with_any_mapper_a_row_replays_alike_or_is_refused_or_is_not_kept(JsonMapper mapper) {
        Jackson2Codec codec = Jackson2Codec.with(mapper);
        for (ResultRow row : rows()) {
            ResultRow.ExpectedOutcome fate = fate(row, codec);
            if (row.feature().startsWith("READ_ONLY") || row.fate() == ResultRow.ExpectedOutcome.REFUSED) {
                assertThat(fate).as("%s", row).isEqualTo(row.fate());
            }
        }
    }

    @Test
    void the_mapper_of_the_application_is_left_as_it_is() throws Exception {
        JsonMapper mapper = JsonMapper.builder()
                .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                .build();
        Jackson2Codec.with(mapper);
        assertThat(mapper.isEnabled(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES))
                .isTrue();
        assertThat(mapper.readValue("{\"id\":5}", ClosedToClients.class).id).isZero();
    }

    static class ClosedToClients {
        @JsonProperty(access = JsonProperty.Access.READ_ONLY)
        public long id;
    }

    interface BeanMixin {
        @JsonProperty("renamed")
        String name();
    }

    record Snowflake(
            @JsonSerialize(using = ToStringSerializer.class) Long id,
            @JsonSerialize(using = ToStringSerializer.class) BigDecimal amount) {}

    record Shouted(@JsonSerialize(using = Shouting.class) String name) {}

    @JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
    record SnakeCase(String fullName) {}

    record Tree(JsonNode node) {}

    @JsonDeserialize(builder = Built.Builder.class)
    static final class Built {
        private final String name;

        private Built(String name) {
            this.name = name;
        }

        public String getName() {
            return name;
        }

        static final class Builder {
            private String name = "";

            Builder withName(String value) {
                name = value;
                return this;
            }

            Built build() {
                return new Built(name);
            }
        }
    }

    static List<ResultRow> rowsOfDatabind() {
        return List.of(
                row("@JsonSerialize(ToStringSerializer)", new Snowflake(17L, new BigDecimal("1.50")), ALIKE),
                row("serializer without a deserializer", new Shouted("a"), NOT_KEPT),
                row("@JsonNaming", new SnakeCase("a"), ALIKE),
                row("@JsonDeserialize(builder)", new Built("a"), ALIKE),
                row(
                        "JsonNode",
                        new Tree(new ObjectMapper().valueToTree(Map.of("a", 5L, "b", 1.5, "c", List.of()))),
                        ALIKE));
    }

    private static ResultRow row(String feature, Object value, ResultRow.ExpectedOutcome fate) {
        return new ResultRow(feature, "class", value, value.getClass(), fate);
    }

    @ParameterizedTest
    @MethodSource("rowsOfDatabind")
    void a_row_of_databind_replays_alike_or_is_not_kept(ResultRow row) {
        ResultSerializer results = ResultSerializer.with(CODEC);
        ResultPayload payload = results.value(row.value(), row.type(), 10_000, new byte[0]);
        assertThat(payload.kind() == ResultPayload.Kind.NOT_KEPT).as("%s", row).isEqualTo(row.fate() == NOT_KEPT);
        if (row.fate() == ALIKE) {
            Object replayed = results.read(payload, row.type(), new byte[0]);
            assertThat(CODEC.encode(replayed, row.type())).isEqualTo(CODEC.encode(row.value(), row.type()));
        }
    }

    static class Noted {
        @JsonIgnore
        public @Nullable String note;

        public int count = 1;

        @SuppressWarnings("unused")
        private transient int cached;
    }

    record Order(String id, @JsonIgnore String note, List<Line> lines) {}

    static class Line {
        public int count;

        @JsonProperty(access = JsonProperty.Access.WRITE_ONLY)
        public @Nullable String secret;

        public @Nullable Object extra;

        @JsonIgnore
        public boolean isEmpty() {
            return count == 0;
        }
    }

    @Test
    void what_the_type_shows_to_be_lost_is_known_before_there_is_a_result() {
        assertThat(CODEC.losses(Order.class))
                .hasSize(3)
                .anyMatch(loss -> loss.startsWith("\"note\" of ") && loss.endsWith("Order is not written"))
                .anyMatch(loss -> loss.startsWith("\"lines.secret\" of ") && loss.endsWith("Line is not written"))
                .anyMatch(loss -> loss.startsWith("\"lines.extra\" is declared with Object"));
        assertThat(CODEC.losses(Noted.class)).hasSize(2);
        assertThat(CODEC.losses(BeforeUpgrade.class)).isEmpty();
    }

    @Test
    void what_cannot_be_read_is_named_by_its_property() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> decode("{\"id\":\"a\",\"lines\":[{\"count\":\"secret\"}]}", Order.class))
                .withMessageEndingWith("(at lines[].count)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> decode("{\"prices\":{\"secret\":\"x\"}}", Prices.class))
                .withMessageEndingWith("(at prices.*)");
    }

    record Prices(Map<String, Integer> prices) {}
}
