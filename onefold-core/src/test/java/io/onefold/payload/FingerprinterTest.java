package io.onefold.payload;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.nio.CharBuffer;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Currency;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FingerprinterTest {

    private static final Fingerprinter STANDARD = Fingerprinter.standard();

    record Order(String id, BigDecimal amount) {}

    record Line(@Nullable String sku, int quantity) {}

    record Cart(Optional<String> note, List<Line> lines, Map<DayOfWeek, Line> byDay) {}

    private static Fingerprint json(String text) {
        return STANDARD.json(text);
    }

    @Nested
    class Json {

        @ParameterizedTest
        @CsvSource(
                delimiter = '|',
                value = {
                    "{\"a\":1,\"b\":2} | {  \"b\" : 2, \"a\": 1 }",
                    "1 | 1.0",
                    "1 | 1.00",
                    "1 | 1e0",
                    "100 | 1E2",
                    "0.01 | 1e-2",
                    "0 | -0.000e5",
                    "1e1000000000 | 10e999999999",
                    "\"é\" | \"\\u00e9\"",
                    "\"/\" | \"\\/\""
                })
        void notation_does_not_matter(String one, String other) {
            assertThat(json(one)).isEqualTo(json(other)).hasSameHashCodeAs(json(other));
        }

        @ParameterizedTest
        @CsvSource(
                delimiter = '|',
                quoteCharacter = '`',
                value = {
                    "9007199254740993 | 9007199254740992",
                    "0.1 | 0.10000000000000000001",
                    "1 | -1",
                    "1 | 10",
                    "1e1000000000 | 1e1000000001",
                    "1 | \"1\"",
                    "null | \"null\"",
                    "false | 0",
                    "{} | {\"a\":null}",
                    "{} | []",
                    "[] | null",
                    "[[]] | []",
                    "[[1],2] | [1,[2]]",
                    "[1,2] | [2,1]",
                    "[12] | [1,2]",
                    "[\"a,b\"] | [\"a\",\"b\"]",
                    "{\"a\":\"b\",\"c\":\"d\"} | {\"a\":\"b\\\",\\\"c\\\":\\\"d\"}",
                    "{\"ab\":\"c\"} | {\"a\":\"bc\"}",
                    "{\"a\":{\"b\":1}} | {\"a.b\":1}",
                    "\"a\" | \"A\"",
                    "\"é\" | \"e\\u0301\""
                })
        void different_payloads_differ(String one, String other) {
            assertThat(json(one)).isNotEqualTo(json(other));
        }

        @Test
        void the_whole_body_counts_not_a_prefix() {
            String body = "[\"" + "x".repeat(100_000);
            assertThat(json(body + "a\"]")).isNotEqualTo(json(body + "b\"]"));
        }

        @Test
        void a_string_and_its_utf8_bytes_are_the_same_text() {
            assertThat(STANDARD.json("\"é\uD83D\uDE00\"".getBytes(UTF_8))).isEqualTo(json("\"é\uD83D\uDE00\""));
            assertThatThrownBy(() -> json("\"\uD800\"")).isInstanceOf(MalformedPayloadException.class);
        }

        @Test
        void limits_can_be_set() {
            assertThatThrownBy(() -> STANDARD.maxDepth(1).json("[[]]")).hasMessageContaining("deeper than 1 levels");
            assertThatThrownBy(() -> STANDARD.maxBytes(3).json("1234")).hasMessageContaining("limit of 3");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> STANDARD.maxDepth(0))
                    .withMessageContaining("0");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> STANDARD.maxBytes(-1))
                    .withMessageContaining("-1");
        }
    }

    @Nested
    class Values {

        @Test
        void a_record_has_the_fingerprint_of_its_json() {
            assertThat(STANDARD.value(new Order("a", new BigDecimal("10.50"))))
                    .isEqualTo(json("{\"amount\":10.50,\"id\":\"a\"}"));
        }

        @Test
        void a_nested_value_has_the_fingerprint_of_its_json() {
            Cart cart =
                    new Cart(Optional.empty(), List.of(new Line(null, 2)), Map.of(DayOfWeek.FRIDAY, new Line("x", 1)));
            assertThat(STANDARD.value(cart))
                    .isEqualTo(json("{\"note\":null,\"lines\":[{\"sku\":null,\"quantity\":2}],"
                            + "\"byDay\":{\"FRIDAY\":{\"sku\":\"x\",\"quantity\":1}}}"));
        }

        @Test
        void all_numbers_of_one_amount_are_equal() {
            List<Number> ones = List.of(
                    (byte) 1, (short) 1, 1, 1L, 1f, 1d, BigInteger.ONE, new BigDecimal("1.00"), new AtomicLong(1));
            assertThat(ones).allSatisfy(one -> assertThat(STANDARD.value(one)).isEqualTo(json("1")));
            assertThat(STANDARD.value(0.1d)).isEqualTo(json("0.1"));
            assertThat(STANDARD.value(0.1f)).isEqualTo(json("0.1"));
            assertThat(STANDARD.value(-0d)).isEqualTo(json("0"));
            assertThat(STANDARD.value(Long.MIN_VALUE)).isEqualTo(json("-9223372036854775808"));
            assertThat(STANDARD.value(4200L)).isEqualTo(json("4.2e3"));
        }

        @ParameterizedTest
        @ValueSource(
                strings = {"2e-44", "4.9e-324", "1.7976931348623157e308", "5.684341886080802E-14", "2e23", "1e23", "0.3"
                })
        void a_double_is_its_shortest_decimal_on_every_jdk(String text) {
            double value = Double.parseDouble(text);
            assertThat(new BigDecimal(JsonNumber.textOf(value))).isEqualByComparingTo(text);
        }

        @Test
        void text_like_values_are_their_text() {
            assertThat(STANDARD.value(CharBuffer.wrap("a"))).isEqualTo(json("\"a\""));
            assertThat(STANDARD.value('a')).isEqualTo(json("\"a\""));
            assertThat(STANDARD.value(DayOfWeek.MONDAY)).isEqualTo(json("\"MONDAY\""));
            assertThat(STANDARD.value(new byte[] {1, 2})).isEqualTo(json("\"AQI=\""));
            assertThat(STANDARD.value(new UUID(0, 1))).isEqualTo(json("\"00000000-0000-0000-0000-000000000001\""));
            assertThat(STANDARD.value(Instant.EPOCH)).isEqualTo(json("\"1970-01-01T00:00:00Z\""));
            assertThat(STANDARD.value(LocalDate.EPOCH)).isEqualTo(json("\"1970-01-01\""));
            assertThat(STANDARD.value(Duration.ofSeconds(90))).isEqualTo(json("\"PT1M30S\""));
            assertThat(STANDARD.value(ZoneId.of("Europe/Paris"))).isEqualTo(json("\"Europe/Paris\""));
            assertThat(STANDARD.value(URI.create("urn:x"))).isEqualTo(json("\"urn:x\""));
            assertThat(STANDARD.value(Locale.GERMANY)).isEqualTo(json("\"de-DE\""));
            assertThat(STANDARD.value(Currency.getInstance("EUR"))).isEqualTo(json("\"EUR\""));
        }

        @Test
        void arrays_and_lists_have_order_and_sets_have_none() {
            assertThat(STANDARD.value(new int[] {1, 2})).isEqualTo(json("[1,2]"));
            assertThat(STANDARD.value(Arrays.asList(1, null))).isEqualTo(json("[1,null]"));
            assertThat(STANDARD.value(new LinkedHashSet<>(List.of("b", "a", "c"))))
                    .isEqualTo(STANDARD.value(new LinkedHashSet<>(List.of("c", "b", "a"))))
                    .isNotEqualTo(STANDARD.value(new LinkedHashSet<>(List.of("c", "b"))))
                    .isNotEqualTo(json("[\"a\",\"b\",\"c\"]"));
        }

        @Test
        void keys_are_names() {
            assertThat(STANDARD.value(Map.of(100, "a"))).isEqualTo(json("{\"100\":\"a\"}"));
            assertThatThrownBy(() -> STANDARD.value(Map.of(1, "a", "1", "b")))
                    .hasMessageContaining("written alike (at 1)");
            assertThatThrownBy(() -> STANDARD.value(Collections.singletonMap(null, 1)))
                    .hasMessageContaining("null key");
        }

        @Test
        void lone_surrogates_are_told_apart() {
            assertThat(STANDARD.value("\uD800"))
                    .isNotEqualTo(STANDARD.value("?"))
                    .isNotEqualTo(STANDARD.value("\uD801"));
        }

        @Test
        void other_types_are_refused_by_name_and_path() {
            record Box(List<Object> things) {}
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> STANDARD.value(Map.of("box", new Box(List.of(new Object())))))
                    .withMessageContaining("java.lang.Object")
                    .withMessageContaining("(at box.things[])")
                    .withMessageContaining("Fingerprinter.json")
                    .withMessageContaining("onefold-jackson");
        }

        @ParameterizedTest
        @ValueSource(doubles = {Double.NaN, Double.POSITIVE_INFINITY})
        void what_is_not_a_number_is_refused(double value) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> STANDARD.value(value))
                    .withMessageContaining("finite");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> STANDARD.value((float) value))
                    .withMessageContaining("finite");
        }

        @Test
        void a_cyclic_structure_ends_at_the_depth_limit() {
            List<Object> cycle = new ArrayList<>();
            cycle.add(cycle);
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> STANDARD.value(cycle))
                    .withMessageContaining("cyclic");
            Map<String, Object> map = new LinkedHashMap<>();
            map.put("self", map);
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> STANDARD.value(map))
                    .withMessageContaining("self.self");
        }

        @Test
        void a_structure_that_explodes_ends_at_the_size_limit() {
            List<Object> shared = List.of(1);
            for (int i = 0; i < 60; i++) {
                shared = List.of(shared, shared);
            }
            List<Object> bomb = shared;
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> STANDARD.value(bomb))
                    .withMessageContaining("limit of 1048576");
        }

        @Test
        void a_later_change_of_the_value_changes_neither_digest_nor_fields() {
            Map<String, Object> request = new LinkedHashMap<>(Map.of("a", 1));
            Fingerprint fingerprint = STANDARD.value(request);
            request.put("a", 2);
            assertThat(fingerprint.fields().get("a"))
                    .isEqualTo(json("{\"a\":1}").fields().get("a"));
        }
    }

    @Nested
    class Forms {

        @Test
        void the_order_of_names_does_not_matter_but_that_of_values_does() {
            assertThat(STANDARD.form("a=1&b=2"))
                    .isEqualTo(STANDARD.form("b=2&a=1"))
                    .isNotEqualTo(STANDARD.form("a=2&b=1"));
            assertThat(STANDARD.form("a=1&a=2")).isNotEqualTo(STANDARD.form("a=2&a=1"));
        }

        @Test
        void escapes_are_decoded() {
            assertThat(STANDARD.form("a+b=%C3%A9%20x")).isEqualTo(STANDARD.form(Map.of("a b", List.of("é x"))));
            assertThat(STANDARD.form("a=1%26b%3D2")).isNotEqualTo(STANDARD.form("a=1&b=2"));
            assertThat(STANDARD.form("&a&&b=&"))
                    .isEqualTo(STANDARD.form(Map.of("a", List.of(""), "b", List.of(""), "c", List.of())));
        }

        @ParameterizedTest
        @ValueSource(strings = {"a=%", "a=%1", "a=%zz", "a=%C3", "a=%ED%A0%80", "%=1", "a=é"})
        void malformed_forms_are_refused(String form) {
            assertThatThrownBy(() -> STANDARD.form(form)).isInstanceOf(MalformedPayloadException.class);
        }

        @Test
        void a_form_is_no_json() {
            assertThat(STANDARD.form("a=1")).isNotEqualTo(json("{\"a\":[\"1\"]}"));
        }
    }

    @Nested
    class Raw {

        @Test
        void bytes_and_their_digest_are_the_same() {
            byte[] body = "body".getBytes(UTF_8);
            assertThat(STANDARD.bytes(body))
                    .isEqualTo(STANDARD.digest(HashFunctions.sha256(body)))
                    .isNotEqualTo(STANDARD.bytes("bodx".getBytes(UTF_8)))
                    .isNotEqualTo(STANDARD.value(body));
        }

        @Test
        void a_digest_has_32_bytes() {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> STANDARD.digest(new byte[31]))
                    .withMessageContaining("31");
        }
    }

    @Nested
    class Selections {

        @Test
        void only_the_named_paths_count() {
            Fingerprinter print = STANDARD.only("amount", "items.sku");
            Fingerprint first =
                    print.json("{\"amount\":1,\"at\":5,\"items\":[{\"sku\":\"a\",\"n\":1},{\"sku\":\"b\"}]}");
            assertThat(first)
                    .isEqualTo(print.json("{\"items\":[{\"sku\":\"a\"},{\"n\":7,\"sku\":\"b\"}],\"amount\":1.0}"))
                    .isNotEqualTo(print.json("{\"amount\":1,\"items\":[{\"sku\":\"a\"}]}"))
                    .isNotEqualTo(print.json("{\"amount\":2,\"items\":[{\"sku\":\"a\"},{\"sku\":\"b\"}]}"));
        }

        @Test
        void ignored_paths_do_not_count() {
            Fingerprinter print = STANDARD.ignoring("timestamp", "meta.traceId");
            assertThat(print.json("{\"a\":1,\"timestamp\":2,\"meta\":{\"traceId\":3,\"x\":4}}"))
                    .isEqualTo(print.json("{\"a\":1,\"meta\":{\"x\":4,\"traceId\":9}}"))
                    .isNotEqualTo(print.json("{\"a\":1,\"meta\":{\"x\":5}}"));
            assertThat(print.value(Map.of("a", 1, "timestamp", 5))).isEqualTo(json("{\"a\":1}"));
            assertThat(print.form("a=1&timestamp=2")).isEqualTo(STANDARD.form("a=1"));
        }

        @Test
        void ignoring_may_narrow_only() {
            Fingerprinter print = STANDARD.only("a").ignoring("a.b");
            assertThat(print.json("{\"a\":{\"b\":1,\"c\":2},\"x\":1}")).isEqualTo(json("{\"a\":{\"c\":2}}"));
        }

        @Test
        void a_scalar_where_a_selected_path_goes_on_counts() {
            Fingerprinter print = STANDARD.only("a.b");
            assertThat(print.json("{\"a\":1}")).isNotEqualTo(print.json("{\"a\":2}"));
        }

        @Test
        void a_payload_without_any_selected_path_is_refused() {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> STANDARD.only("ammount", "x.y").json("{\"amount\":1,\"x\":{}}"))
                    .withMessageContaining("none of the selected paths");
        }

        @Test
        void impossible_selections_are_refused_by_both_names() {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> STANDARD.only("a", "b.c").ignoring("b"))
                    .withMessage("only(\"b.c\") and ignoring(\"b\") contradict each other");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> STANDARD.ignoring("a").only("a"));
            assertThat(STANDARD.ignoring("a").only("ab")).isNotNull();
        }

        @ParameterizedTest
        @ValueSource(strings = {"", ".", "a.", ".a", "a..b"})
        void empty_steps_are_refused(String path) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> STANDARD.only(path))
                    .withMessageContaining("only(\"" + path);
            assertThatIllegalArgumentException().isThrownBy(() -> STANDARD.ignoring(path));
            assertThatIllegalArgumentException().isThrownBy(STANDARD::only);
        }
    }

    @Test
    void the_digest_of_version_1_never_changes() {
        assertThat(json("{\"a\":[1.50,null,true,\"é\"]}").digest())
                .isEqualTo(HashFunctions.sha256(
                        "\u0001T{\"\0\0\0\u0001a[#15e-1".getBytes(UTF_8),
                        new byte[] {-1, 'n', 't', '"', 0, 0, 0, 2, (byte) 0xC3, (byte) 0xA9, -1, -1}));
    }

    @Test
    void its_text_tells_nothing() {
        assertThat(json("1")).hasToString("Fingerprint[v1]");
    }
}
