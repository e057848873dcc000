package io.onefold.payload;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonReaderTest {

    private static final int DEPTH = 64;
    private static final int BYTES = 1 << 20;

    private static @Nullable Object read(String text) {
        return JsonReader.read(text.getBytes(UTF_8), DEPTH, BYTES);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "null",
                "true",
                " false ",
                "0",
                "-0",
                "-0.0",
                "1e5",
                "1E+5",
                "1e-5",
                "12.50",
                "\"\"",
                "[]",
                "{}",
                "[ ]",
                "{ }",
                "\t\r\n [1 , 2]",
                "{\"a\" : 1 , \"b\":[{}]}",
                "\"\\u00e9\\n\\/\\\"\\\\\\b\\f\\r\\t\"",
                "\"\\ud83d\\ude00\"",
                "\"\u007f\u2028\"",
                "{\"\":1}",
                "1e1000000000",
                "-1e-999999999999999999",
                "[[[[[[[[]]]]]]]]"
            })
    void well_formed_text_is_read_and_written_back_as_the_same_tree(String text) {
        Object tree = read(text);
        assertThat(JsonReader.read(JsonWriter.write(tree, DEPTH), DEPTH, BYTES)).isEqualTo(tree);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "nul",
                "nulll",
                "True",
                "+1",
                "01",
                "-",
                "1.",
                ".5",
                "1e",
                "1e+",
                "0x1",
                "NaN",
                "Infinity",
                "-a",
                "--1",
                "1 2",
                "[1,]",
                "[,1]",
                "[1 2]",
                "[",
                "]",
                "[1",
                "{",
                "{\"a\"}",
                "{\"a\":}",
                "{\"a\":1,}",
                "{a:1}",
                "{'a':1}",
                "{\"a\":1 \"b\":2}",
                "{1:2}",
                "\"",
                "\"\\\"",
                "\"\\x\"",
                "\"\\u12g4\"",
                "\"\\u12\"",
                "\"\n\"",
                "\"\t\"",
                "\"\u0000\"",
                "'a'",
                "// c\n1",
                "/**/1",
                "\uFEFF1",
                "\u00a01",
                "1\u0000",
                "{\"a\":1,\"a\":2}",
                "{\"a\":1,\"\\u0061\":2}",
                "\"\\ud800\"",
                "\"\\udc00\"",
                "\"\\ud800\\ud800\"",
                "\"\\udc00\\ud800\"",
                "\"\\ud800x\"",
                "1e1000000000000000000",
                "\"\\u٠٠٤١\"",
                "١"
            })
    void anything_else_is_refused(String text) {
        assertThatThrownBy(() -> read(text)).isExactlyInstanceOf(MalformedPayloadException.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"\u0080\"",
                "\"\u00c0\u00af\"",
                "\"\u00ed\u00a0\u0080\"",
                "\"\u00f5\u0080\u0080\u0080\"",
                "\"\u00e2\u0082\"",
                "\u00ff\u00fe"
            })
    void malformed_utf8_is_refused(String latin1) {
        assertThatThrownBy(() -> JsonReader.read(latin1.getBytes(ISO_8859_1), DEPTH, BYTES))
                .isInstanceOf(MalformedPayloadException.class)
                .hasMessageStartingWith("malformed UTF-8");
    }

    @Test
    void depth_and_size_and_number_length_have_limits() {
        assertThat(read("[".repeat(64) + "]".repeat(64))).isNotNull();
        assertThatThrownBy(() -> read("[".repeat(65) + "]".repeat(65))).hasMessageContaining("deeper than 64 levels");
        assertThatThrownBy(() -> read("{\"a\":".repeat(100_000))).hasMessageContaining("deeper than 64 levels");
        assertThatThrownBy(() -> read(" ".repeat(BYTES) + "1")).hasMessageContaining("exceed the limit of 1048576");
        assertThat(read("1".repeat(1_000))).isNotNull();
        assertThatThrownBy(() -> read("1".repeat(1_001))).hasMessageContaining("more than 1000 characters");
    }

    @Test
    void an_error_tells_the_offset_but_not_the_content() {
        assertThatThrownBy(() -> read("{\"secret\":\"pan4111\",\"secret\":2}"))
                .isInstanceOfSatisfying(
                        MalformedPayloadException.class,
                        e -> assertThat(e.offset()).isEqualTo(20))
                .hasMessage("duplicate member name at offset 20");
    }

    @Test
    void members_keep_their_order_and_null_is_kept() {
        assertThat(read("{\"b\":null,\"a\":[null]}")).hasToString("{b=null, a=[null]}");
    }

    @Test
    void random_mutations_are_read_or_refused_and_nothing_else() {
        byte[] seed = "{\"id\":\"o-\\u00e91\",\"n\":[1,-2.50e+3,true,null,{}],\"é€\":{\"x\":\"\\ud83d\\ude00\"}}"
                .getBytes(UTF_8);
        List<String> tokens =
                List.of("\"", "\\", "{", "}", "[", "]", ",", ":", "e", "-", "0", "\\ud800", "\u0001", " ");
        Seeded.rounds(6_000, random -> {
            byte[] text = seed.clone();
            for (int i = random.nextInt(4); i >= 0; i--) {
                int at = random.nextInt(text.length);
                switch (random.nextInt(4)) {
                    case 0 -> text[at] = (byte) random.nextInt(256);
                    case 1 -> text = Arrays.copyOf(text, Math.max(1, at));
                    default -> {
                        byte[] token = Seeded.pick(random, tokens).getBytes(UTF_8);
                        System.arraycopy(token, 0, text, at, Math.min(token.length, text.length - at));
                    }
                }
            }
            try {
                Object tree = JsonReader.read(text, DEPTH, BYTES);
                assertThat(JsonReader.read(JsonWriter.write(tree, DEPTH), DEPTH, BYTES))
                        .isEqualTo(tree);
            } catch (MalformedPayloadException e) {
                assertThat(e.offset()).isBetween(0, text.length);
            }
        });
    }
}
