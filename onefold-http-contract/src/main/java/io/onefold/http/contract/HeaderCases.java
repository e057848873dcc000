package io.onefold.http.contract;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onefold.Onefold;
import io.onefold.http.HttpContract;
import io.onefold.http.HttpPolicy;
import io.onefold.http.Route;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Cases for the headers of a response and of its replay. */
abstract class HeaderCases extends AdapterCases {
    private static final String OTHER_MARKER = "Idempotency-Replayed";

    HeaderCases(AdapterContract contract) {
        super(contract);
    }

    @Test
    void h24_a_replay_says_so_and_echoes_the_key() throws Exception {
        open();
        String key = key();
        ReceivedResponse again = runsOnce(RawRequest.post(key));
        assertThat(again.header("Idempotent-Replayed")).isEqualTo("true");
        assertThat(again.header("Idempotency-Key")).isEqualTo(key);
        assertThat(again.header("Cache-Control")).isEqualTo("no-store");
    }

    @Test
    void h24_the_key_is_echoed_bare_where_it_needs_no_quotes() throws Exception {
        open();
        String key = key();
        assertThat(runsOnce(RawRequest.post("\"" + key + "\"")).header("Idempotency-Key"))
                .isEqualTo(key);
        assertThat(runsOnce(RawRequest.post("\"" + key + " \\\"x\\\\\"")).header("Idempotency-Key"))
                .isEqualTo("\"" + key + " \\\"x\\\\\"");
    }

    @Test
    void h24_the_first_answer_is_not_marked() throws Exception {
        open();
        String key = key();
        ReceivedResponse first = ask(RawRequest.post(key)).first(201);
        assertThat(first.header("Idempotency-Key")).isEqualTo(key);
        assertThat(first.has("Idempotent-Replayed")).isFalse();
    }

    @Test
    void h24_a_replay_is_marked_once_whatever_the_application_says() throws Exception {
        open();
        business.does((call, number) -> ServiceResponse.of(200).with("Idempotent-Replayed", "false"));
        RawRequest request = RawRequest.post(key());
        ask(request);
        assertThat(ask(request).all("Idempotent-Replayed")).containsExactly("true");
    }

    @Test
    void h24_h43_the_marker_may_have_another_name() throws Exception {
        open(AdapterSetup.plain()
                .choosing(builder -> builder.replayMarker(OTHER_MARKER).cors(Set.of("https://shop.example"), false)));
        business.does((call, number) ->
                ServiceResponse.json(201, "{}").with(OTHER_MARKER, "false").with("Idempotent-Replayed", "false"));
        RawRequest request = RawRequest.post(key()).with("Origin", "https://shop.example");
        ReceivedResponse first = ask(request);
        ReceivedResponse again = ask(request);
        executed(1);
        assertThat(first.has(OTHER_MARKER)).as("%s", first).isFalse();
        assertThat(again.all(OTHER_MARKER)).as("%s", again).containsExactly("true");
        for (ReceivedResponse answer : new ReceivedResponse[] {first, again}) {
            assertThat(answer.has("Idempotent-Replayed")).as("%s", answer).isFalse();
            assertThat(answer.header("Access-Control-Expose-Headers"))
                    .contains(OTHER_MARKER)
                    .doesNotContain("Idempotent-Replayed");
        }
    }

    @Test
    void h24_h28_no_answer_that_goes_out_as_it_comes_brings_a_marker_of_its_own() throws Exception {
        open(AdapterSetup.plain()
                .choosing(builder -> builder.replayMarker(OTHER_MARKER))
                .policy(policy -> policy.maxAnswerBytes(10)));
        business.does((call, number) -> ServiceResponse.of(200)
                .with(OTHER_MARKER, "true")
                .with("Idempotent-Replayed", "true")
                .piece("longer than is kept"));
        ReceivedResponse first = ask(RawRequest.post(key()));
        assertThat(first.status()).as("%s", first).isEqualTo(200);
        assertThat(first.has(OTHER_MARKER)).as("%s", first).isFalse();
        assertThat(first.has("Idempotent-Replayed")).as("%s", first).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "Replayed It",
                "Replayed:",
                "Replayed\r\nX",
                "R\u00e9played",
                "Idempotent_Replayed",
                "Connection",
                "Transfer-Encoding",
                "Trailer",
                "Proxy-Authenticate",
                "Content-Length",
                "content-type",
                "Set-Cookie",
                "Cookie",
                "Authorization",
                "Date",
                "Location",
                "Retry-After",
                "Cache-Control",
                "Vary",
                "Accept",
                "Origin",
                "If-Match",
                "Access-Control-Allow-Origin",
                "X-Forwarded-For",
                "Onefold-Stored",
                "Onefold-Outcome",
                "Idempotency-Key-Expires",
                "Repeatability-Result"
            })
    void h24_no_header_that_means_something_else_marks_a_replay(String name) {
        assertThatThrownBy(() -> contract(builder -> builder.replayMarker(name)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("replay marker")
                .hasMessageContaining(name);
    }

    @Test
    void h24_no_header_that_a_route_uses_otherwise_marks_a_replay() {
        assertThatThrownBy(() -> contract(builder -> builder.replayMarker("idempotency-key")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("keys come in it");
        HttpPolicy storing = HttpPolicy.unchanged().storeHeaders(OTHER_MARKER);
        assertThatThrownBy(() ->
                        contract(builder -> builder.replayMarker(OTHER_MARKER).defaults(storing)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("store-headers names it");
        HttpPolicy comparing = HttpPolicy.unchanged().compareHeaders(OTHER_MARKER);
        assertThatThrownBy(() -> contract(builder -> builder.replayMarker(OTHER_MARKER)
                        .route(Route.of("POST", "/orders").named("order").policy(comparing))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("order")
                .hasMessageContaining("it is compared");
    }

    private static HttpContract contract(UnaryOperator<HttpContract.Builder> choices) {
        AdapterSetup setting = AdapterSetup.plain();
        return choices.apply(HttpContract.builder(Onefold.on(setting.store()))).build();
    }

    @Test
    void h24_what_an_application_says_of_caching_holds_for_its_own_answer() throws Exception {
        open();
        business.does((call, number) -> ServiceResponse.of(200).with("Cache-Control", "max-age=60"));
        RawRequest request = RawRequest.post(key());
        ReceivedResponse first = ask(request).first(200);
        assertThat(first.all("Cache-Control")).containsExactly("max-age=60");
        ask(request).replays(first);
    }

    @Test
    void h25_b13_headers_that_belong_to_the_result_are_replayed() throws Exception {
        open();
        List<HeaderLine> belonging = List.of(
                new HeaderLine("Content-Language", "de"),
                new HeaderLine("Content-Disposition", "attachment; filename=\"a.json\""),
                new HeaderLine("Content-Location", "/orders/1/receipt"),
                new HeaderLine("Location", "/orders/1"),
                new HeaderLine("ETag", "\"a,b\""),
                new HeaderLine("Last-Modified", "Mon, 05 Jan 2026 10:00:00 GMT"));
        business.does((call, number) -> {
            ServiceResponse reply = ServiceResponse.json(201, "{}");
            for (HeaderLine line : belonging) {
                reply = reply.with(line.name(), line.value());
            }
            return reply.with("Link", "</a>; rel=\"next\"").with("Link", "</b>; rel=\"last\", </c>; rel=\"up\"");
        });
        RawRequest request = RawRequest.post(key());
        ReceivedResponse first = ask(request).first(201);
        ReceivedResponse again = ask(request).replays(first);
        for (HeaderLine line : belonging) {
            assertThat(first.header(line.name())).as(line.name()).endsWith(line.value());
            assertThat(again.header(line.name())).as(line.name()).isEqualTo(first.header(line.name()));
        }
        assertThat(again.all("Link")).isEqualTo(first.all("Link")).hasSize(2);
    }

    @Test
    void h25_other_headers_reach_the_first_caller_alone() throws Exception {
        open();
        business.does((call, number) -> ServiceResponse.of(200)
                .with("X-Powered-By", "coffee")
                .with("WWW-Authenticate", "Basic")
                .with("Strict-Transport-Security", "max-age=1"));
        RawRequest request = RawRequest.post(key());
        ReceivedResponse first = ask(request).first(200);
        ReceivedResponse again = ask(request).replays(first);
        assertThat(first.header("X-Powered-By")).isEqualTo("coffee");
        assertThat(again.has("X-Powered-By")).isFalse();
        assertThat(again.has("WWW-Authenticate")).isFalse();
        assertThat(again.has("Strict-Transport-Security")).isFalse();
    }

    @Test
    void h25_a_route_may_keep_more_headers() throws Exception {
        open(AdapterSetup.plain().policy(policy -> policy.storeHeaders("X-Order-Total")));
        business.does((call, number) ->
                ServiceResponse.of(200).with("X-Order-Total", "10").with("X-Other", "1"));
        RawRequest request = RawRequest.post(key());
        ReceivedResponse again = again(ask(request).first(200), request);
        assertThat(again.header("X-Order-Total")).isEqualTo("10");
        assertThat(again.has("X-Other")).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Cookie",
                "Authorization",
                "Authentication-Info",
                "Proxy-Authenticate",
                "WWW-Authenticate",
                "Connection",
                "Keep-Alive",
                "TE",
                "Trailer",
                "Upgrade",
                "Transfer-Encoding",
                "Content-Length",
                "Content-Encoding",
                "Date",
                "Age",
                "Expires",
                "Via",
                "Server",
                "Server-Timing",
                "Alt-Svc",
                "Retry-After",
                "RateLimit-Limit",
                "X-RateLimit-Limit",
                "Traceparent",
                "Tracestate",
                "b3",
                "X-B3-TraceId",
                "X-Request-Id",
                "X-Correlation-Id",
                "Request-Id",
                "Access-Control-Allow-Origin",
                "Strict-Transport-Security"
            })
    void h25_h43_h46_nobody_can_choose_to_keep_what_belongs_to_one_caller_or_moment(String name) {
        assertThatThrownBy(() -> AdapterSetup.plain().policy(policy -> policy.storeHeaders(name)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(name.toLowerCase(Locale.ROOT));
    }

    @Test
    void h26_cookies_reach_the_first_caller_alone() throws Exception {
        open();
        business.does((call, number) -> ServiceResponse.of(200)
                .with("Set-Cookie", "session=secret; HttpOnly")
                .with("Set-Cookie", "other=1; Expires=Wed, 21 Oct 2026 07:28:00 GMT"));
        RawRequest request = RawRequest.post(key());
        ReceivedResponse first = ask(request).first(200);
        ReceivedResponse again = ask(request).replays(first);
        assertThat(first.all("Set-Cookie"))
                .containsExactly("session=secret; HttpOnly", "other=1; Expires=Wed, 21 Oct 2026 07:28:00 GMT");
        assertThat(again.has("Set-Cookie")).isFalse();
    }

    @Test
    void h26_nobody_can_choose_to_keep_cookies() {
        assertThatThrownBy(() -> AdapterSetup.plain().policy(policy -> policy.storeHeaders("Set-Cookie")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("set-cookie");
    }

    @Test
    void h29_what_is_told_before_the_answer_is_not_the_answer() throws Exception {
        open();
        business.does((call, number) -> ServiceResponse.json(201, "{\"number\":" + number + "}")
                .after(102)
                .after(103));
        RawRequest request = RawRequest.post(key());
        ReceivedResponse again = runsOnce(request);
        assertThat(again.interim()).as("%s", again).isEmpty();
        assertThat(again.all("Link")).as("%s", again).doesNotContain(TestService.EARLY);
    }

    @Test
    void h29_trailers_are_not_kept() throws Exception {
        // who takes trailers for headers would keep it
        open(AdapterSetup.plain().policy(policy -> policy.storeHeaders("X-Checksum")));
        business.does((call, number) -> ServiceResponse.of(200)
                .trailer("X-Checksum", "abc")
                .piece("some")
                .piece("thing"));
        RawRequest request = RawRequest.post(key());
        ReceivedResponse first = ask(request).first(200);
        ReceivedResponse again = ask(request).replays(first);
        assertThat(again.trailers()).isEmpty();
        assertThat(again.has("Trailer")).isFalse();
        assertThat(again.has("X-Checksum")).isFalse();
        assertThat(again.text()).isEqualTo("something");
    }

    @Test
    void h31_an_encoded_answer_is_replayed_as_each_caller_can_read_it() throws Exception {
        open();
        String text = "{\"text\":\"" + "x".repeat(1000) + "\"}";
        business.does((call, number) -> {
            String accepted = call.header("Accept-Encoding");
            ServiceResponse reply = ServiceResponse.of(200)
                    .with("Content-Type", "application/json")
                    .with("ETag", "\"zipped\"");
            return accepted != null && accepted.contains("gzip")
                    ? reply.with("Content-Encoding", "gzip")
                            .with("Vary", "Accept-Encoding")
                            .piece(zip(text))
                    : reply.piece(text);
        });
        RawRequest request = RawRequest.post(key());
        ReceivedResponse first = ask(request.with("Accept-Encoding", "gzip")).first(200);
        assertThat(decoded(first)).isEqualTo(text);
        ReceivedResponse plain = ask(request);
        assertThat(plain.replayed()).isTrue();
        assertThat(plain.has("Content-Encoding")).as("%s", plain).isFalse();
        assertThat(plain.text()).isEqualTo(text);
        ReceivedResponse again = ask(request.with("Accept-Encoding", "gzip"));
        assertThat(again.replayed()).isTrue();
        assertThat(decoded(again)).isEqualTo(text);
        for (ReceivedResponse replay : List.of(plain, again)) {
            boolean identical = java.util.Arrays.equals(replay.body(), first.body());
            assertThat(replay.all("ETag"))
                    .as("%s", replay)
                    .isSubsetOf("W/\"zipped\"", identical ? "\"zipped\"" : "W/\"zipped\"");
        }
        executed(1);
    }

    @Test
    void h32_what_a_caller_would_rather_have_does_not_make_another_request() throws Exception {
        open();
        RawRequest request = RawRequest.post(key());
        replays(
                request.with("Accept", "application/json").with("Accept-Language", "de"),
                request.with("Accept", "text/html")
                        .with("Accept-Language", "fr")
                        .with("User-Agent", "other"));
    }

    @Test
    void h46_headers_of_a_moment_are_made_anew() throws Exception {
        open();
        business.does((call, number) -> ServiceResponse.of(200)
                .with("Date", "Mon, 05 Jan 2026 10:00:00 GMT")
                .with("Age", "7")
                .with("Via", "1.1 upstream")
                .with("Server-Timing", "db;dur=53")
                .with("Expires", "Mon, 05 Jan 2026 11:00:00 GMT")
                .with("Server", "upstream/1")
                .with("Alt-Svc", "h3=\":443\"")
                .with("Keep-Alive", "timeout=7")
                .with("TE", "trailers")
                .with("Cookie", "a=1")
                .with("X-Request-Id", "first")
                .with("X-Correlation-Id", "first")
                .with("Request-Id", "first")
                .with("B3", "1-2-3")
                .with("X-B3-TraceId", "1")
                .with("Tracestate", "a=1")
                .with("RateLimit-Remaining", "3")
                .with("X-RateLimit-Limit", "5")
                .with("Retry-After", "7")
                .with("Traceparent", "00-1-2-3"));
        RawRequest request = RawRequest.post(key());
        ReceivedResponse again = again(ask(request).first(200), request);
        assertThat(again.all("Date"))
                .doesNotContain("Mon, 05 Jan 2026 10:00:00 GMT")
                .hasSizeLessThan(2);
        for (String name : List.of(
                "Age",
                "Expires",
                "Server-Timing",
                "Alt-Svc",
                "TE",
                "Cookie",
                "X-Request-Id",
                "X-Correlation-Id",
                "Request-Id",
                "B3",
                "X-B3-TraceId",
                "Tracestate",
                "RateLimit-Remaining",
                "X-RateLimit-Limit",
                "Retry-After",
                "Traceparent")) {
            assertThat(again.has(name)).as(name).isFalse();
        }
        assertThat(again.all("Via")).doesNotContain("1.1 upstream");
        assertThat(again.all("Server")).doesNotContain("upstream/1");
        assertThat(again.all("Keep-Alive")).doesNotContain("timeout=7");
    }

    private static byte[] zip(String text) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream zip = new GZIPOutputStream(bytes)) {
            zip.write(text.getBytes(UTF_8));
        }
        return bytes.toByteArray();
    }

    private static String decoded(ReceivedResponse answer) throws IOException {
        if (!"gzip".equals(answer.header("Content-Encoding"))) {
            return answer.text();
        }
        return new String(new GZIPInputStream(new ByteArrayInputStream(answer.body())).readAllBytes(), UTF_8);
    }
}
