package io.onefold.http.contract;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.onefold.http.BodyRules;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URLDecoder;
import java.util.Arrays;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Cases for the comparison of two bodies. */
abstract class BodyCases extends AdapterCases {
    BodyCases(AdapterContract contract) {
        super(contract);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"a\":1,\"b\":[1,2]} | { \"b\" : [1, 2], \"a\" : 1 }",
                "{\"a\":1}             | {\"a\":1.0}",
                "{\"a\":100}           | {\"a\":1e2}",
                "{\"a\":\"\\u0041\"}   | {\"a\":\"A\"}",
                "{\"a\":\"\\/\"}       | {\"a\":\"/\"}",
                "[]                    | [ ]"
            })
    void h10_json_that_means_the_same_is_the_same(String one, String other) throws Exception {
        open();
        RawRequest request = RawRequest.post(key());
        replays(request.json(one), request.json(other));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"a\":1}              | {\"a\":2}",
                "{\"a\":1}              | {\"a\":\"1\"}",
                "{\"a\":1}              | {\"a\":1,\"b\":null}",
                "{\"a\":[1,2]}          | {\"a\":[2,1]}",
                "{\"a\":0.1}            | {\"a\":0.1000000000000000055511151231257827}",
                "{\"a\":9007199254740993} | {\"a\":9007199254740992}",
                "{\"a\":\"x\"}          | {\"a\":\"X\"}",
                "{\"a\":1,\"a\":2}      | {\"a\":2,\"a\":1}",
                "{\"a\":1,\"a\":2}      | {\"a\":2}",
                "[]                     | {}",
                "{\"a\":{\"b\":1}}      | {\"a.b\":1}"
            })
    void h10_json_that_means_something_else_is_something_else(String one, String other) throws Exception {
        open();
        RawRequest request = RawRequest.post(key());
        conflicts(request.json(one), request.json(other));
    }

    @Test
    void h10_json_that_is_broken_is_compared_byte_by_byte() throws Exception {
        open();
        RawRequest request = RawRequest.post(key());
        runsOnce(request.json("{\"a\":1"));
        ask(request.json("{ \"a\":1")).problem(422, "key-reused");
    }

    @Test
    void h10_forms_are_compared_by_name() throws Exception {
        open();
        RawRequest request = RawRequest.post(key());
        replays(request.form("b=2&a=1&b=3"), request.form("a=%31&b=2&b=3"));
        ask(request.form("a=1&b=3&b=2")).problem(422, "key-reused");
    }

    @Test
    void h10_anything_else_is_compared_byte_by_byte() throws Exception {
        open();
        RawRequest request = RawRequest.post(key());
        runsOnce(request.body("text/plain", "{\"a\":1}"));
        ask(request.body("text/plain", "{\"a\": 1}")).problem(422, "key-reused");
    }

    @Test
    void h10_no_body_and_an_empty_one_are_the_same() throws Exception {
        open();
        RawRequest request = RawRequest.of("POST", "/orders").key(key());
        replays(request, request.with("Content-Length", "0"));
    }

    @Test
    void h10_a_route_may_compare_some_of_a_body_or_none() throws Exception {
        open(AdapterSetup.plain().policy(policy -> policy.body(rules().ignoring("sentAt"))));
        RawRequest request = RawRequest.post(key());
        replays(request.json("{\"a\":1,\"sentAt\":1}"), request.json("{\"a\":1,\"sentAt\":2}"));
        ask(request.json("{\"a\":2,\"sentAt\":1}")).problem(422, "key-reused");
        open(AdapterSetup.plain().policy(policy -> policy.body(rules().compare(BodyRules.BodyComparison.NONE))));
        RawRequest free = RawRequest.post(key());
        replays(free.json("{\"a\":1}"), free.json("{\"a\":2}"));
        open(AdapterSetup.plain().policy(policy -> policy.body(rules().compare(BodyRules.BodyComparison.RAW))));
        RawRequest raw = RawRequest.post(key());
        conflicts(raw.json("{\"a\":1}"), raw.json("{\"a\": 1}"));
    }

    @Test
    void h10_the_business_gets_the_body_as_it_was_sent() throws Exception {
        open();
        String body = "{ \"b\" : 1.0, \"a\":\"\\u0041\" }";
        ask(RawRequest.post(key()).json(body)).first(201);
        assertThat(business.calls().get(0).text()).isEqualTo(body);
    }

    @Test
    void h10_the_business_gets_the_fields_of_a_form() throws Exception {
        open();
        ask(RawRequest.post(key()).form("a=1&b=%20x&a=2")).first(201);
        String fields = URLDecoder.decode(business.calls().get(0).text(), UTF_8);
        assertThat(fields.split("&")).hasSize(3).contains("b= x").containsSubsequence("a=1", "a=2");
    }

    @Test
    void h11_the_boundary_of_a_multipart_body_does_not_count() throws Exception {
        open();
        RawRequest request = RawRequest.post(key());
        replays(multipart(request, "aaa", "content"), multipart(request, "zzzzzz", "content"));
        ask(multipart(request, "aaa", "Content")).problem(422, "key-reused");
        assertThat(business.calls().get(0).text()).contains("--aaa").contains("content");
    }

    @Test
    void h11_a_route_may_refuse_multipart_bodies_or_compare_their_bytes() throws Exception {
        open(AdapterSetup.plain().policy(policy -> policy.body(rules().multipart(BodyRules.MultipartHandling.REJECT))));
        RawRequest refused = RawRequest.post(key());
        ask(multipart(refused, "aaa", "content")).problem(415, "not-supported");
        leavesFree(refused);
        open(AdapterSetup.plain().policy(policy -> policy.body(rules().multipart(BodyRules.MultipartHandling.RAW))));
        RawRequest request = RawRequest.post(key());
        conflicts(multipart(request, "aaa", "content"), multipart(request, "bbb", "content"));
    }

    @Test
    void h15_an_encoded_body_is_compared_by_what_it_says() throws Exception {
        open();
        RawRequest plain = RawRequest.post(key()).json("{\"a\":\"" + "x".repeat(1000) + "\"}");
        ReceivedResponse again = replays(plain, zipped(plain, Deflater.BEST_SPEED));
        ask(zipped(plain, Deflater.BEST_COMPRESSION)).replays(again);
        executed(1);
        ask(zipped(plain.json("{\"a\":1}"), Deflater.BEST_SPEED)).problem(422, "key-reused");
    }

    @Test
    void h15_the_business_gets_an_encoded_body_as_it_was_sent() throws Exception {
        open();
        RawRequest request = zipped(RawRequest.post(key()), Deflater.BEST_SPEED);
        ask(request).first(201);
        assertThat(business.calls().get(0).body()).isEqualTo(request.body());
        assertThat(business.calls().get(0).header("Content-Encoding")).isEqualTo("gzip");
    }

    @Test
    void h15_a_route_may_compare_bodies_as_they_are_encoded() throws Exception {
        open(AdapterSetup.plain().policy(policy -> policy.body(rules().wireBytes(true))));
        RawRequest plain = RawRequest.post(key());
        conflicts(plain, zipped(plain, Deflater.BEST_SPEED));
    }

    @Test
    void h15_an_encoded_body_that_is_broken_is_refused() throws Exception {
        open();
        RawRequest request = RawRequest.post(key());
        ask(request.with("Content-Encoding", "gzip")).problem(400, "body-invalid");
        RawRequest cut = zipped(request, Deflater.BEST_SPEED);
        byte[] half = Arrays.copyOf(cut.content(), cut.content().length / 2);
        ask(cut.body("application/json", half)).problem(400, "body-invalid");
        leavesFree(request);
    }

    @Test
    void s13_h15_a_body_that_swells_is_refused() throws Exception {
        open();
        RawRequest request = RawRequest.post(key());
        RawRequest bomb = zipped(request.body("text/plain", new byte[20 << 20]), Deflater.BEST_COMPRESSION);
        assertThat(bomb.content().length).isLessThan(100_000);
        ask(bomb).problem(413, "body-too-large");
        leavesFree(request);
    }

    @Test
    void s13_h11_a_body_of_too_many_parts_is_refused() throws Exception {
        open();
        StringBuilder body = new StringBuilder();
        for (int i = 0; i < 10_000; i++) {
            body.append("--b\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n\r\n");
        }
        RawRequest request = RawRequest.post(key());
        ReceivedResponse answer = ask(request.body("multipart/form-data; boundary=b", body + "--b--\r\n"));
        assertThat(answer.status()).as("%s", answer).isIn(400, 413);
        leavesFree(request);
    }

    static BodyRules rules() {
        return BodyRules.standard();
    }

    private static RawRequest multipart(RawRequest request, String boundary, String content) {
        String body = "--" + boundary + "\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.txt\"\r\n"
                + "Content-Type: text/plain\r\n\r\n" + content + "\r\n--" + boundary + "--\r\n";
        return request.body("multipart/form-data; boundary=" + boundary, body.getBytes(UTF_8));
    }

    private static RawRequest zipped(RawRequest request, int level) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream zip = new GZIPOutputStream(bytes) {
            {
                def.setLevel(level);
            }
        }) {
            zip.write(request.content());
        }
        String type = request.lines().stream()
                .filter(line -> line.startsWith("Content-Type: "))
                .findFirst()
                .orElseThrow()
                .substring("Content-Type: ".length());
        return request.with("Content-Encoding", "gzip").body(type, bytes.toByteArray());
    }
}
