package io.onefold.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class KeySyntaxTest {
    private static final KeySyntax LENIENT = KeySyntax.lenient();

    /** The secret in the values of these tests must not show up in any rejection. */
    private static Problem refused(KeySyntax syntax, String value) {
        Problem problem = Sent.rejected(() -> syntax.parse(value));
        assertThat(problem.type()).isEqualTo(Problem.ProblemType.KEY_INVALID);
        assertThat(problem.detail()).doesNotContain("s3cret");
        return problem;
    }

    @Test
    void a_key_in_quotes_and_the_same_without_are_one_key() throws ProblemException {
        assertThat(LENIENT.parse("order-1")).isEqualTo("order-1");
        assertThat(LENIENT.parse("\"order-1\"")).isEqualTo("order-1");
    }

    @Test
    void keys_are_the_same_in_every_bit_or_not_at_all() throws ProblemException {
        assertThat(LENIENT.parse("Order-1")).isEqualTo("Order-1");
        assertThat(LENIENT.parse("\"order-1 \"")).isEqualTo("order-1 ");
    }

    @Test
    void white_space_around_a_header_is_not_part_of_it() throws ProblemException {
        assertThat(LENIENT.parse(" \t order-1\t ")).isEqualTo("order-1");
        assertThat(LENIENT.parse("\t\"order-1\"; a ")).isEqualTo("order-1");
    }

    @Test
    void every_visible_character_makes_a_bare_key_but_quotes_backslashes_and_commas() throws ProblemException {
        for (char c = 0; c < 0x180; c++) {
            String value = "a" + c + "b";
            if (c > ' ' && c < 0x7F && "\"\\,".indexOf(c) < 0) {
                assertThat(LENIENT.parse(value)).isEqualTo(value);
            } else {
                assertThat(refused(LENIENT, value).detail()).contains("index 1");
            }
        }
    }

    @Test
    void every_printable_character_stands_in_a_quoted_key_some_of_them_escaped() throws ProblemException {
        for (char c = 0; c < 0x180; c++) {
            String value = c == '"' || c == '\\' ? "\"a\\" + c + "b\"" : "\"a" + c + "b\"";
            if (c >= ' ' && c < 0x7F) {
                assertThat(LENIENT.parse(value)).isEqualTo("a" + c + "b");
            } else {
                assertThat(refused(LENIENT, value).detail()).contains("index 2");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "\t", "\"\"", "\"\";a=1"})
    void an_empty_key_is_refused(String value) {
        assertThat(refused(LENIENT, "\"   \"").detail()).isEqualTo("The key is blank: it has nothing but spaces");
        assertThat(refused(LENIENT, value).detail()).isEqualTo("The key is empty");
        refused(KeySyntax.strict(), value);
        refused(KeySyntax.bare(), value);
        refused(KeySyntax.uuid(), value);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"k\"",
                "\"k\";a",
                "\"k\";a;b",
                "\"k\"; a",
                "\"k\";   a=1;b=2",
                "\"k\";a=-1",
                "\"k\";a=999999999999999",
                "\"k\";a=-0.5",
                "\"k\";a=123456789012.125",
                "\"k\";a=\"s\"",
                "\"k\";a=\"s\\\"t\\\\\"",
                "\"k\";a=\"x;b=\";c",
                "\"k\";a=token",
                "\"k\";a=*t/o:k!e#n",
                "\"k\";a=:aGVsbG8=:",
                "\"k\";a=:aGVsbG8:",
                "\"k\";a=::",
                "\"k\";a=?0",
                "\"k\";a=?1;b",
                "\"k\";a=@1659578233",
                "\"k\";a=@-62135596800",
                "\"k\";a=%\"plain\"",
                "\"k\";a=%\"%e2%82%ac %22\"",
                "\"k\";*a_b-c.d*1=1",
                "\"k\";a=1;a=2"
            })
    void parameters_of_every_type_are_read_and_ignored(String value) throws ProblemException {
        assertThat(LENIENT.parse(value)).isEqualTo("k");
        assertThat(KeySyntax.strict().parse(value)).isEqualTo("k");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '\'', textBlock = """
                    "s3cret           | 7
                    "                 | 1
                    "s3cret\\         | 8
                    "s3cret\\"        | 9
                    "s3\\cret"        | 4
                    "s3cret"x         | 8
                    "s3cret" x        | 8
                    "s3cret" ;a       | 8
                    "s3cret", "b"     | 8
                    "s3cret","b"      | 8
                    "s3cret""b"       | 8
                    "k";              | 4
                    "k";;             | 4
                    "k";A             | 4
                    "k";1a            | 4
                    "k";_a            | 4
                    "k";aB            | 5
                    "k";a=            | 6
                    "k";a= 1          | 6
                    "k";a=1x          | 7
                    "k";a=1 ;b        | 7
                    "k";a=-           | 7
                    "k";a=--1         | 7
                    "k";a=1000000000000000 | 6
                    "k";a=1234567890123.1  | 6
                    "k";a=1.          | 8
                    "k";a=1.1234      | 6
                    "k";a=.5          | 6
                    "k";a=1.2.3       | 9
                    "k";a="s          | 8
                    "k";a="\\x"       | 8
                    "k";a=:aGVsbG8    | 7
                    "k";a=:aGV%sbG8:  | 7
                    "k";a=:a:         | 7
                    "k";a=?           | 7
                    "k";a=?2          | 7
                    "k";a=?true       | 7
                    "k";a=@           | 7
                    "k";a=@1.5        | 7
                    "k";a=@x          | 7
                    "k";a=%           | 7
                    "k";a=%x          | 7
                    "k";a=%"x         | 9
                    "k";a=%"%E2"      | 9
                    "k";a=%"%e2"      | 8
                    "k";a=%"%e"       | 10
                    "k";a=%"%         | 9
                    "k";a=(1)         | 6
                    "k";a={           | 6
                    "k";a b           | 5
                    """)
    void what_is_not_an_item_as_a_whole_is_refused_with_the_place(String value, int index) {
        assertThat(refused(LENIENT, value).detail()).endsWith("at index " + index);
        refused(KeySyntax.strict(), value);
    }

    @Test
    void two_keys_in_one_header_are_refused() {
        assertThat(refused(LENIENT, "s3cret, other").detail()).contains("comma at index 6");
        refused(LENIENT, "\"a\", \"b\"");
        refused(LENIENT, "a,a");
    }

    @Test
    void a_folded_or_split_header_is_refused() {
        refused(LENIENT, "s3cret\r\n more");
        refused(LENIENT, "s3cret\r\nSet-Cookie:a=b");
        refused(LENIENT, "\"s3cret\r\n more\"");
        refused(LENIENT, "\rs3cret");
        refused(LENIENT, "s3cret\n");
        refused(LENIENT, "s3cret\u0000");
    }

    @Test
    void the_draft_wants_a_string() throws ProblemException {
        assertThat(KeySyntax.strict().parse("\"a b\"")).isEqualTo("a b");
        for (String value : new String[] {"a", "1", "?1", ":YQ==:", "%\"a\"", "@1", "(\"a\")"}) {
            refused(KeySyntax.strict(), value);
        }
    }

    @Test
    void a_bare_key_has_no_quotes() throws ProblemException {
        assertThat(KeySyntax.bare().parse("a;b=1")).isEqualTo("a;b=1");
        refused(KeySyntax.bare(), "\"a\"");
    }

    @Test
    void a_uuid_may_have_quotes_and_keeps_its_case() throws ProblemException {
        String uuid = "01890A5D-ac96-774b-bcce-b302099a8057";
        assertThat(KeySyntax.uuid().parse(uuid)).isEqualTo(uuid);
        assertThat(KeySyntax.uuid().parse('"' + uuid + '"')).isEqualTo(uuid);
        refused(KeySyntax.uuid(), "order-1");
        refused(KeySyntax.uuid(), uuid.replace("-", ""));
        refused(KeySyntax.uuid(), "{" + uuid + "}");
        refused(KeySyntax.uuid(), uuid.replace('5', 'g'));
        refused(KeySyntax.uuid(), uuid + "0");
    }

    @Test
    void a_length_counts_without_quotes_and_escapes() throws ProblemException {
        assertThat(LENIENT.parse("a".repeat(255))).hasSize(255);
        assertThat(LENIENT.parse('"' + "\\\\".repeat(255) + '"')).hasSize(255);
        assertThat(refused(LENIENT, "a".repeat(256)).detail()).contains("256", "1 to 255");
        refused(LENIENT, '"' + "a".repeat(256) + '"');
        KeySyntax narrow = LENIENT.length(3, 4);
        assertThat(narrow.parse("\"abc\"")).isEqualTo("abc");
        assertThat(refused(narrow, "ab").detail()).contains("2 characters", "3 to 4");
        refused(narrow, "abcde");
    }

    @Test
    void a_pattern_is_for_the_whole_key() throws ProblemException {
        KeySyntax syntax = LENIENT.pattern(Pattern.compile("[a-z]+-[0-9]+"));
        assertThat(syntax.parse("order-1")).isEqualTo("order-1");
        assertThat(refused(syntax, "s3cret").detail()).contains("[a-z]+-[0-9]+");
        refused(syntax, "order-1x");
    }

    @Test
    void an_impossible_length_is_refused() {
        for (int[] range : new int[][] {{0, 5}, {1, 256}, {6, 5}}) {
            assertThatThrownBy(() -> LENIENT.length(range[0], range[1]))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("255")
                    .hasMessageContaining("from " + range[0] + " to " + range[1]);
        }
    }

    @Test
    void whatever_comes_is_a_key_or_refused_and_a_key_says_itself() {
        String[] pieces = {
            "\"", "\"", "\\", "\\\"", ";", ";a=", ";b", "=", ",", " ", "\t", "a", "Z", "0", "1.5", "-", ":", "YQ==",
            "?1", "@", "%", "%\"", "%e2", "*", "(", ")", "\u0000", "\n", "\u007f", "\u00e9", "\u20ac", "\ud83d", "~",
            "!"
        };
        KeySyntax[] all = {LENIENT, KeySyntax.strict(), KeySyntax.bare(), KeySyntax.uuid(), LENIENT.length(2, 6)};
        int[] keys = new int[1];
        Seeded.rounds(300_000, random -> {
            String text = Seeded.text(random, 9, pieces);
            String value = random.nextBoolean() ? text : "\"" + text;
            KeySyntax syntax = Seeded.pick(random, all);
            try {
                String key = syntax.parse(value);
                String again = '"' + key.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
                if (!LENIENT.parse(again).equals(key)) {
                    throw new AssertionError("another key");
                }
                keys[0]++;
            } catch (ProblemException e) {
                if (e.problem().type() != Problem.ProblemType.KEY_INVALID) {
                    throw e;
                }
            }
        });
        assertThat(keys[0]).isGreaterThan(10_000);
    }
}
