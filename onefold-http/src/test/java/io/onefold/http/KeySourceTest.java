package io.onefold.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KeySourceTest {
    private static final KeySyntax LENIENT = KeySyntax.lenient();
    private static final KeySource HEADER = KeySource.header("Idempotency-Key");
    private static final KeySource QUERY = KeySource.query("key");
    private static final KeySource FIELD = KeySource.form("key");
    private static final KeySource MEMBER = KeySource.json("$.order.id");

    private static final String PARTS = """
            --BOUNDARY
            Content-Disposition: form-data; name="file"; filename="a.txt"
            Content-Type: text/plain

            key=no
            --BOUNDARY
            Content-Disposition: form-data; name="key"

            k-1
            --BOUNDARY--
            """;

    private static @Nullable String in(KeySource source, Sent sent) throws ProblemException {
        return source.inBody() ? source.of(sent.spooled(), LENIENT) : source.of(sent, LENIENT);
    }

    private static Problem refused(KeySource source, Sent sent) {
        Problem problem = Sent.rejected(() -> in(source, sent));
        assertThat(problem.detail()).doesNotContain("s3cret");
        return problem;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"header:Idempotency-Key", "query:key", "query:a:b c", "form:key[]", "json:$.id", "json:$.a.b-c.é"
            })
    void a_source_is_read_as_it_is_written(String text) {
        KeySource source = KeySource.parse(text);
        assertThat(source).hasToString(text).isEqualTo(KeySource.parse(text)).hasSameHashCodeAs(KeySource.parse(text));
        assertThat(source.inBody()).isEqualTo(text.startsWith("form") || text.startsWith("json"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "key",
                ":",
                "Header:X",
                "cookie:key",
                "header:",
                "header:a b",
                "header:a:b",
                "header:é",
                "query:",
                "query: ",
                "form:",
                "form:a\nb",
                "json:",
                "json:id",
                "json:$",
                "json:$.",
                "json:$id",
                "json:$.a..b",
                "json:$.a.",
                "json:$.a[0]",
                "json:$.*",
                "json:$..id",
                "json:$['id']",
                "json:$.a b"
            })
    void what_is_no_source_is_refused(String text) {
        assertThatThrownBy(() -> KeySource.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageMatching("(?s).*(allowed|needs).*");
    }

    @Test
    void a_header_is_found_in_any_case_and_unquoted() throws ProblemException {
        assertThat(in(HEADER, Sent.nothing().header("idempotency-KEY", "\"k-1\"")))
                .isEqualTo("k-1");
        assertThat(in(HEADER, Sent.nothing())).isNull();
    }

    @Test
    void an_underscore_makes_another_header() throws ProblemException {
        assertThat(in(HEADER, Sent.nothing().header("Idempotency_Key", "k-1"))).isNull();
    }

    @Test
    void a_key_that_is_given_twice_is_refused_even_if_both_are_the_same() {
        assertThat(refused(
                        HEADER,
                        Sent.nothing().header("Idempotency-Key", "s3cret").header("idempotency-key", "s3cret")))
                .isEqualTo(Problem.of(
                        Problem.ProblemType.KEY_INVALID, "There are 2 of header:Idempotency-Key; one is allowed"));
        assertThat(refused(HEADER, Sent.nothing().header("Idempotency-Key", "s3cret, s3cret"))
                        .type())
                .isEqualTo(Problem.ProblemType.KEY_INVALID);
        assertThat(refused(QUERY, Sent.nothing().query("key=s3cret&a=1&key=s3cret"))
                        .type())
                .isEqualTo(Problem.ProblemType.KEY_INVALID);
        assertThat(refused(QUERY, Sent.nothing().query("key=s3cret&%6bey=s3cret"))
                        .type())
                .isEqualTo(Problem.ProblemType.KEY_INVALID);
        assertThat(refused(FIELD, Sent.form("key=s3cret&key=")).type()).isEqualTo(Problem.ProblemType.KEY_INVALID);
        assertThat(refused(MEMBER, Sent.json("{\"order\":{\"id\":\"s3cret\",\"id\":\"s3cret\"}}"))
                        .type())
                .isEqualTo(Problem.ProblemType.BODY_INVALID);
        String twice = PARTS.replace("name=\"file\"; filename=\"a.txt\"", "name=key");
        assertThat(refused(FIELD, Sent.multipart("x", twice)).detail()).contains("2 of form:key");
    }

    @Test
    void a_query_parameter_is_decoded_but_not_unquoted() throws ProblemException {
        assertThat(in(QUERY, Sent.nothing().query("a=1&key=k%2D1&b"))).isEqualTo("k-1");
        assertThat(in(QUERY, Sent.nothing().query("a=1&keys=2"))).isNull();
        assertThat(in(QUERY, Sent.nothing().query(""))).isNull();
        assertThat(in(QUERY, Sent.nothing())).isNull();
        assertThat(refused(QUERY, Sent.nothing().query("key=%22s3cret%22")).detail())
                .contains("index 0");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "key",
                "key=",
                "key=+",
                "key=a+b",
                "key=a%0Ab",
                "key=a%2Cb",
                "key=%C3%A9",
                "key=é",
                "key=%",
                "key=%g1",
                "a=%ff&key=1"
            })
    void a_parameter_that_cannot_be_a_key_is_refused(String query) {
        assertThat(refused(QUERY, Sent.nothing().query(query)).type()).isEqualTo(Problem.ProblemType.KEY_INVALID);
    }

    @Test
    void an_overlong_query_is_refused() {
        assertThat(refused(QUERY, Sent.nothing().query("a=1&".repeat(20_000))).detail())
                .contains("exceed");
    }

    @Test
    void a_field_is_found_in_both_kinds_of_forms() throws ProblemException {
        assertThat(in(FIELD, Sent.form("a=1&key=k-1"))).isEqualTo("k-1");
        assertThat(in(FIELD, Sent.multipart("x", PARTS))).isEqualTo("k-1");
        assertThat(in(FIELD, Sent.multipart("x", PARTS).gzipped())).isEqualTo("k-1");
        assertThat(in(FIELD, Sent.form("a=1"))).isNull();
        assertThat(in(FIELD, Sent.multipart("x", PARTS.replace("name=\"key\"", "name=\"other\""))))
                .isNull();
        assertThat(in(FIELD, Sent.multipart("x", PARTS.replace("; name=\"key\"", ""))))
                .isNull();
        assertThat(in(FIELD, Sent.json("{\"key\":\"k-1\"}"))).isNull();
        assertThat(in(FIELD, Sent.nothing())).isNull();
    }

    @Test
    void a_name_of_a_part_is_read_as_browsers_write_it() throws ProblemException {
        KeySource source = KeySource.form("schlüssel \"1\"");
        String parts = PARTS.replace("name=\"key\"", "name=\"schlüssel \\\"1\\\"\"");
        assertThat(in(source, Sent.multipart("x", parts))).isEqualTo("k-1");
    }

    @Test
    void a_part_that_cannot_be_a_key_is_refused() {
        assertThat(refused(FIELD, Sent.multipart("x", PARTS.replace("k-1", "s3cret s3cret")))
                        .detail())
                .contains("index 6");
        assertThat(refused(FIELD, Sent.multipart("x", PARTS.replace("k-1", ""))).detail())
                .contains("empty");
        assertThat(refused(FIELD, Sent.multipart("x", PARTS.replace("k-1", "k".repeat(100_000))))
                        .detail())
                .contains("1 to 255");
        assertThat(refused(FIELD, Sent.multipart("x", PARTS.replace("name=\"file\"", "name=\"key\"")))
                        .detail())
                .contains("file");
    }

    @Test
    void a_member_is_a_string_or_a_number() throws ProblemException {
        assertThat(in(MEMBER, Sent.json("{\"order\":{\"id\":\"k-1\"}}"))).isEqualTo("k-1");
        assertThat(in(MEMBER, Sent.json("{\"order\":{\"id\":12345678901234567890}}")))
                .isEqualTo("12345678901234567890");
        assertThat(in(MEMBER, Sent.json("{\"order\":{\"id\":\"\\u006b\"}}").gzipped()))
                .isEqualTo("k");
        for (String value : List.of("true", "[]", "{}", "[\"s3cret\"]")) {
            assertThat(refused(MEMBER, Sent.json("{\"order\":{\"id\":" + value + "}}")))
                    .isEqualTo(Problem.of(
                            Problem.ProblemType.KEY_INVALID, "json:$.order.id must be a string or a number"));
        }
        for (String value : List.of("\"\"", "\" \"", "\"\\u0000\"", "\"a,b\"", "\"\\\"s3cret\\\"\"", "\"é\"")) {
            assertThat(refused(MEMBER, Sent.json("{\"order\":{\"id\":" + value + "}}"))
                            .type())
                    .isEqualTo(Problem.ProblemType.KEY_INVALID);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "[]",
                "null",
                "1",
                "{\"order\":{}}",
                "{\"order\":{\"id\":null}}",
                "{\"order\":null}",
                "{\"order\":[{\"id\":1}]}",
                "{\"order\":\"id\"}",
                "{\"order.id\":1}"
            })
    void a_member_that_is_missing_or_null_is_no_key(String json) throws ProblemException {
        assertThat(in(MEMBER, Sent.json(json))).isNull();
    }

    @Test
    void json_is_looked_into_by_its_type_only() throws ProblemException {
        String json = "{\"order\":{\"id\":1}}";
        assertThat(in(
                        MEMBER,
                        Sent.nothing()
                                .header("Content-Type", "Application/Vnd.Shop+JSON; charset=utf-8")
                                .body(json)))
                .isEqualTo("1");
        assertThat(in(MEMBER, Sent.nothing().body(json))).isNull();
        assertThat(in(
                        MEMBER,
                        Sent.nothing().header("Content-Type", "text/plain").body(json)))
                .isNull();
    }

    @Test
    void a_body_that_cannot_be_searched_is_refused_with_the_reason() {
        assertThat(refused(MEMBER, Sent.json("{\"order\":"))).satisfies(problem -> {
            assertThat(problem.type()).isEqualTo(Problem.ProblemType.BODY_INVALID);
            assertThat(problem.detail()).contains("searched for the key", "offset 9");
        });
        assertThat(refused(MEMBER, Sent.json("")).type()).isEqualTo(Problem.ProblemType.BODY_INVALID);
        assertThat(refused(FIELD, Sent.form("a=%")).type()).isEqualTo(Problem.ProblemType.BODY_INVALID);
        assertThat(refused(FIELD, Sent.multipart("x", "--BOUNDARY\n")).type())
                .isEqualTo(Problem.ProblemType.BODY_INVALID);
        assertThat(refused(MEMBER, Sent.json("{}").header("Content-Encoding", "br"))
                        .detail())
                .contains("gzip and deflate");
        assertThat(refused(MEMBER, Sent.json("{}").header("Content-Encoding", "gzip"))
                        .type())
                .isEqualTo(Problem.ProblemType.BODY_INVALID);
        Sent large = Sent.json("{\"order\":{\"id\":\"s3cret\"}}" + " ".repeat(500));
        Problem problem = Sent.rejected(
                () -> MEMBER.of(large.gzipped().spooled(BodyRules.standard().memory(400)), LENIENT));
        assertThat(problem.detail()).contains("400 bytes or 100000 values");
    }
}
