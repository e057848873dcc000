package io.onefold.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.onefold.http.BodyRules.BodyComparison;
import io.onefold.http.BodyRules.MultipartHandling;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which bodies are the same. */
class BodyPrintTest {
    private static final BodyRules RULES = BodyRules.standard();

    private static final String PARTS = """
            --BOUNDARY
            Content-Disposition: form-data; name="note"

            hello
            --BOUNDARY
            Content-Disposition: form-data; name="file"; filename="a.txt"
            Content-Type: text/plain

            content
            --BOUNDARY--
            """;

    private static boolean same(BodyRules rules, Sent one, Sent other) throws ProblemException {
        return one.print(rules).equals(other.print(rules));
    }

    private static boolean same(Sent one, Sent other) throws ProblemException {
        return same(RULES, one, other);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    {"a":1,"b":2}   | {"b":2,"a":1}       | true
                    {"a":1}         | ` { "a" : 1.0 } `   | true
                    {"a":1e2}       | {"a":100}           | true
                    {"a":"é"}       | {"\\u0061":"\\u00e9"} | true
                    [1,2]           | [2,1]               | false
                    {"a":1}         | {"a":"1"}           | false
                    {"a":null}      | {}                  | false
                    {"a":0.1}       | {"a":0.10000000000000001} | false
                    {"a":{"b":1}}   | {"a.b":1}           | false
                    null            | false               | false
                    {"a":1,"a":2}   | {"a":2}             | false
                    {"a":1,"a":2}   | {"a":1}             | false
                    {"a":1,}        | {"a":1}             | false
                    {"a":1}x        | {"a":1} x           | false
                    """)
    void json_is_compared_by_what_it_says(String one, String other, boolean same) throws ProblemException {
        assertThat(same(Sent.json(one), Sent.json(other))).isEqualTo(same);
        assertThat(same(
                        Sent.json(one),
                        Sent.json(one)
                                .header("Content-Length", "" + Sent.json(one).body().length)))
                .isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "a=1&b=2, b=2&a=1, true",
        "a=1&a=2, a=2&a=1, false",
        "a=%41+b, a=A%20b, true",
        "a=1&&b=2&, a=1&b=2, true",
        "a, a=, true",
        "a=1, a=1&a=1, false",
        "a=%, a=%25, false",
        "a=%ff, a=%fe, false"
    })
    void forms_are_compared_by_what_they_say(String one, String other, boolean same) throws ProblemException {
        assertThat(same(Sent.form(one), Sent.form(other))).isEqualTo(same);
    }

    @Test
    void multipart_bodies_are_the_same_if_their_parts_are() throws ProblemException {
        Sent sent = Sent.multipart("one", PARTS);
        assertThat(same(sent, Sent.multipart("two", PARTS))).isTrue();
        assertThat(same(
                        sent,
                        Sent.multipart("two", "before\n" + PARTS + "after").gzipped()))
                .isTrue();
        assertThat(same(sent, Sent.multipart("one", PARTS.replace("Content-Type: ", "content-type:"))))
                .isTrue();
        assertThat(same(sent, Sent.multipart("one", PARTS.replace("name=\"note\"", "Name=note"))))
                .isTrue();
        for (String[] change : List.of(
                new String[] {"content\n", "contents\n"},
                new String[] {"hello", ""},
                new String[] {"note", "notes"},
                new String[] {"a.txt", "b.txt"},
                new String[] {"; filename=\"a.txt\"", ""},
                new String[] {"; filename=\"a.txt\"", "; filename=\"a.txt\"; filename*=utf-8''b.txt"},
                new String[] {"form-data; name=\"note\"", "attachment; name=\"note\""},
                new String[] {"text/plain", "text/html"},
                new String[] {"Content-Type: text/plain", "Content-Type: text/plain\nContent-Transfer-Encoding: base64"
                })) {
            assertThat(same(sent, Sent.multipart("one", PARTS.replace(change[0], change[1]))))
                    .as(change[1])
                    .isFalse();
        }
    }

    @Test
    void the_order_and_the_number_of_parts_matter() throws ProblemException {
        String one = "--BOUNDARY\nContent-Disposition: form-data; name=a\n\n1\n";
        String two = "--BOUNDARY\nContent-Disposition: form-data; name=a\n\n2\n";
        Sent sent = Sent.multipart("x", one + two + "--BOUNDARY--");
        assertThat(same(sent, Sent.multipart("x", two + one + "--BOUNDARY--"))).isFalse();
        assertThat(same(sent, Sent.multipart("x", one + two + two + "--BOUNDARY--")))
                .isFalse();
        assertThat(same(sent, Sent.multipart("x", one + "--BOUNDARY--"))).isFalse();
    }

    @Test
    void names_in_any_charset_are_told_apart() throws ProblemException {
        Sent sent = Sent.multipart("x", PARTS);
        String text = new String(sent.body(), ISO_8859_1);
        Sent one = sent.body(text.replace("note", "n\u00e9").getBytes(ISO_8859_1));
        Sent other = sent.body(text.replace("note", "n\u00e8").getBytes(ISO_8859_1));
        assertThat(same(one, other)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x", "--BOUNDARY", "--BOUNDARY\nA: b\n\n", "--other--"})
    void a_multipart_body_that_is_broken_is_refused(String body) {
        Sent sent = Sent.multipart("x", body);
        assertThat(Sent.rejected(() -> sent.spooled().print()).type()).isEqualTo(Problem.ProblemType.BODY_INVALID);
        assertThat(Sent.rejected(() -> sent.spooled().print()).type()).isEqualTo(Problem.ProblemType.BODY_INVALID);
    }

    @Test
    void multipart_bodies_may_be_compared_byte_by_byte() throws ProblemException {
        BodyRules raw = RULES.multipart(MultipartHandling.RAW);
        assertThat(same(raw, Sent.multipart("x", PARTS), Sent.multipart("x", PARTS)))
                .isTrue();
        assertThat(same(raw, Sent.multipart("x", PARTS), Sent.multipart("y", PARTS)))
                .isFalse();
        assertThat(Sent.multipart("x", "broken").spooled(raw).kind()).isEqualTo("raw");
    }

    @Test
    void kinds_are_never_taken_for_each_other() throws IOException, ProblemException {
        Sent plain = Sent.nothing().header("Content-Type", "text/plain").body("x");
        SpooledBody raw = plain.spooled();
        String digest = raw.sentSha256();
        assertThat(raw.print()).isEqualTo(Map.of("sha256", digest));
        assertThat(same(plain, Sent.json("{\"sha256\":\"" + digest + "\"}"))).isFalse();
        assertThat(same(Sent.form("a=1"), Sent.json("{\"a\":[\"1\"]}"))).isFalse();
        assertThat(same(Sent.multipart("x", "--BOUNDARY--"), Sent.json("[]"))).isFalse();
        assertThat(same(Sent.form(""), Sent.json("{}"))).isFalse();
        assertThat(same(RULES.compare(BodyComparison.NONE), Sent.json("null"), Sent.json("1")))
                .isTrue();
    }

    @Test
    void members_of_json_keep_their_names() throws ProblemException {
        assertThat(Sent.json("{\"amount\":1}").print().fields()).containsKeys("body.amount", "kind");
        assertThat(Sent.form("amount=1").print().fields()).containsKeys("body.amount", "kind");
    }

    @Test
    void what_is_not_read_is_compared_byte_by_byte() throws ProblemException {
        String deep = "[".repeat(61) + "]".repeat(61);
        assertThat(Sent.json(deep).spooled().kind()).isEqualTo("raw");
        assertThat(Sent.json(deep.substring(1, 121)).spooled().kind()).isEqualTo("json");
        assertThat(Sent.json(deep.substring(1, 121)).print()).isNotNull();
        assertThat(Sent.json("").spooled().kind()).isEqualTo("raw");
        assertThat(Sent.nothing().spooled().kind()).isEqualTo("raw");
        assertThat(same(Sent.json("{").header("X", "y"), Sent.json("{"))).isTrue();
        String many = "[" + "1,".repeat(99_998) + "1]";
        assertThat(Sent.json(many).spooled().kind()).isEqualTo("json");
        assertThat(Sent.json(many.replaceFirst("1", "1,1")).spooled().kind()).isEqualTo("raw");
        assertThat(Sent.json("{\"a\\\"\":\"" + ",".repeat(100_000) + "\"}")
                        .spooled()
                        .kind())
                .isEqualTo("json");
        assertThat(Sent.form("a&".repeat(100_000)).spooled().kind()).isEqualTo("raw");
        BodyRules small = RULES.memory(500);
        Sent large = Sent.json("{\"a\":1}" + " ".repeat(494)).gzipped();
        assertThat(large.spooled(small).kind()).isEqualTo("raw");
        assertThat(Sent.json("{\"a\":1}" + " ".repeat(493)).spooled(small).kind())
                .isEqualTo("json");
    }

    @Test
    void bytes_are_compared_if_the_rules_say_so() throws ProblemException {
        BodyRules raw = RULES.compare(BodyComparison.RAW);
        assertThat(same(raw, Sent.json("{}"), Sent.json("{ }"))).isFalse();
        assertThat(same(raw, Sent.json("{}"), Sent.json("{}").gzipped())).isTrue();
        assertThat(same(RULES.compare(BodyComparison.NONE), Sent.json("{}"), Sent.multipart("x", "broken")))
                .isTrue();
    }

    @Test
    void a_print_can_be_taken_again_after_handling_began() throws Exception {
        SpooledBody body = Sent.json("{\"a\":1}").spooled();
        Object print = body.print();
        assertThat(body.open().readAllBytes()).hasSize(7);
        assertThat(body.print()).isEqualTo(print);
        assertThat(body.kind()).isEqualTo("json");
    }

    @Test
    void members_that_do_not_count_make_no_difference() throws ProblemException {
        BodyRules rules = RULES.ignoring("sentAt", "items.note");
        String one = "{\"sentAt\":1,\"items\":[{\"sku\":1,\"note\":2},{\"sku\":2}]}";
        assertThat(same(
                        rules,
                        Sent.json(one),
                        Sent.json(one.replace("\"sentAt\":1,", "").replace(",\"note\":2", ""))))
                .isTrue();
        assertThat(same(rules, Sent.json(one), Sent.json(one.replace("\"sku\":2", "\"sku\":3"))))
                .isFalse();
        assertThat(same(rules, Sent.json(one), Sent.json(one.replace("},{\"sku\":2", ",\"x\":1"))))
                .isFalse();
        assertThat(same(rules, Sent.form("a=1&sentAt=1"), Sent.form("sentAt=2&a=1")))
                .isTrue();
        BodyRules parts = RULES.ignoring("note");
        assertThat(same(parts, Sent.multipart("x", PARTS), Sent.multipart("x", PARTS.replace("hello", "bye"))))
                .isTrue();
        assertThat(same(parts, Sent.multipart("x", PARTS), Sent.multipart("x", PARTS.replace("content\n", "other\n"))))
                .isFalse();
    }

    @Test
    void only_members_that_count_make_a_difference() throws ProblemException {
        BodyRules rules = RULES.only("amount", "items.sku");
        String one = "{\"amount\":1,\"x\":1,\"items\":[{\"sku\":1,\"note\":2},{\"sku\":2}]}";
        assertThat(same(
                        rules,
                        Sent.json(one),
                        Sent.json(one.replace("\"x\":1,", "").replace(":2}]", ":2,\"y\":1}]"))))
                .isTrue();
        assertThat(same(rules, Sent.json(one), Sent.json(one.replace("\"sku\":2", "\"sku\":3"))))
                .isFalse();
        assertThat(same(rules, Sent.json(one), Sent.json(one.replace("\"amount\":1", "\"amount\":2"))))
                .isFalse();
        assertThat(same(
                        RULES.only("file"),
                        Sent.multipart("x", PARTS),
                        Sent.multipart("y", PARTS.replace("hello", ""))))
                .isTrue();
    }

    @Test
    void a_body_without_any_member_that_counts_is_refused() {
        BodyRules rules = RULES.only("amount", "items.sku");
        for (Sent sent : List.of(
                Sent.json("{}"),
                Sent.json("[]"),
                Sent.json("{\"x\":1,\"items\":[{\"note\":1}]}"),
                Sent.form("x=1"),
                Sent.form(""),
                Sent.multipart("x", PARTS),
                Sent.multipart("x", "--BOUNDARY--"))) {
            assertThat(Sent.rejected(() -> sent.spooled(rules).print()))
                    .isEqualTo(Problem.of(Problem.ProblemType.BODY_INVALID, "The body has none of amount, items.sku"));
            assertThat(Sent.rejected(() -> sent.spooled(rules).print()).detail())
                    .doesNotContain("x=1");
        }
    }
}
