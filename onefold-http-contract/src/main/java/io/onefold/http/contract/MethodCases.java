package io.onefold.http.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.onefold.http.HttpPolicy;
import io.onefold.http.HttpProfile;
import io.onefold.http.KeySource;
import io.onefold.http.Route;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Cases for the requests that are covered, and for requests from other origins. */
abstract class MethodCases extends AdapterCases {
    MethodCases(AdapterContract contract) {
        super(contract);
    }

    @Test
    void h33_a_precondition_does_not_refuse_what_is_replayed() throws Exception {
        open();
        business.does((call, number) -> ("\"v" + number + "\"").equals(call.header("If-Match"))
                ? ServiceResponse.json(201, "{}")
                : ServiceResponse.of(412));
        RawRequest request = RawRequest.post(key()).with("If-Match", "\"v1\"");
        ReceivedResponse again = runsOnce(request);
        ask(request).replays(again);
        executed(1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "If-Match            | \"v1\"                        | \"v2\"",
                "If-None-Match       | \"v1\"                        | \"v2\"",
                "If-Modified-Since   | Mon, 05 Jan 2026 10:00:00 GMT | Mon, 05 Jan 2026 10:00:01 GMT",
                "If-Unmodified-Since | Mon, 05 Jan 2026 10:00:00 GMT | Mon, 05 Jan 2026 10:00:01 GMT"
            })
    void h33_another_precondition_makes_another_request(String name, String one, String other) throws Exception {
        open();
        RawRequest request = RawRequest.post(key());
        ReceivedResponse answer = conflicts(request.with(name, one), request.with(name, other));
        assertThat(answer.member("fields")).isEqualTo("[\"header " + name.toLowerCase(Locale.ROOT) + "\"]");
        ask(request).problem(422, "key-reused");
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET", "OPTIONS"})
    void h34_a_key_on_a_safe_method_is_ignored(String method) throws Exception {
        open();
        runsTwice(RawRequest.of(method, "/orders").key(key()));
    }

    @Test
    void h34_a_head_request_passes() throws Exception {
        open();
        RawRequest request = RawRequest.of("HEAD", "/orders").key(key());
        assertThat(ask(request).status()).isEqualTo(201);
        assertThat(ask(request).status()).isEqualTo(201);
        executed(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"TRACE", "QUERY"})
    void h34_methods_that_some_do_not_know_are_nothing_to_the_door(String method) throws Exception {
        open(AdapterSetup.plain().policy(policy -> policy.required(true)));
        RawRequest request = RawRequest.of(method, "/orders");
        ReceivedResponse without = ask(request);
        int reached = business.executions();
        for (int i = 1; i <= 2; i++) {
            ReceivedResponse with = ask(request.key("").key("two"));
            assertThat(with.status()).as("%s", with).isEqualTo(without.status());
            assertThat(with.text()).doesNotContain("urn:onefold:problem");
            // some containers answer them by themselves
            executed(reached * (i + 1));
        }
    }

    @Test
    void h34_a_safe_method_passes_with_any_key() throws Exception {
        open(AdapterSetup.plain().policy(policy -> policy.required(true)));
        ask(RawRequest.get("/orders")).first(201);
        ask(RawRequest.get("/orders").key("").key("two")).first(201);
        executed(2);
    }

    @Test
    void h34_a_preflight_passes_always() throws Exception {
        open(AdapterSetup.plain()
                .authenticated()
                .route(Route.of("OPTIONS", "/orders")
                        .policy(HttpPolicy.unchanged().required(true))));
        RawRequest preflight = RawRequest.of("OPTIONS", "/orders")
                .with("Origin", "https://shop.example")
                .with("Access-Control-Request-Method", "POST")
                .with("Access-Control-Request-Headers", "idempotency-key");
        runsTwice(preflight);
    }

    @ParameterizedTest
    @ValueSource(strings = {"PUT", "DELETE"})
    void h35_put_and_delete_are_covered_where_that_was_chosen(String method) throws Exception {
        open();
        RawRequest request = RawRequest.post(key()).method(method);
        runsTwice(request);
        open(AdapterSetup.plain().route(Route.of(method, "/orders")));
        runsOnce(request);
    }

    @Test
    void h35_patch_is_covered_like_post() throws Exception {
        open();
        runsOnce(RawRequest.post(key()).method("PATCH"));
    }

    @Test
    void h36_a_key_that_nothing_asks_for_is_ignored() throws Exception {
        open(AdapterSetup.plain().route(Route.of("POST", "/orders")));
        runsTwice(RawRequest.post(key()).to("/other"));
        runsOnce(RawRequest.post(key()));
    }

    @Test
    void h36_a_route_may_let_pass_what_another_covers() throws Exception {
        open(AdapterSetup.plain().route(Route.passing("/orders/search")));
        runsTwice(RawRequest.post(key()).to("/orders/search"));
        runsOnce(RawRequest.post(key()).to("/orders"));
    }

    @Test
    void h36_a_strict_door_refuses_a_key_that_nothing_asks_for() throws Exception {
        open(AdapterSetup.plain().choosing(builder -> builder.strict(true)).route(Route.of("POST", "/orders")));
        RawRequest other = RawRequest.post(key()).to("/other");
        ask(other).problem(501, "not-supported");
        executed(0);
        runsTwice(other.without("Idempotency-Key"));
        ask(RawRequest.get("/other").key(key())).first(201);
    }

    @Test
    void h41_equal_requests_with_different_keys_are_two() throws Exception {
        open();
        runsBoth(RawRequest.post(key()), RawRequest.post(key()));
    }

    @Test
    void h41_a_route_may_take_equal_requests_without_keys_for_one() throws Exception {
        open(AdapterSetup.plain().policy(policy -> policy.contentKey(Duration.ofHours(1))));
        RawRequest request = RawRequest.post("").without("Idempotency-Key");
        runsOnce(request);
        ask(request.json("{\"amount\":11}")).first(201);
        ask(request.user("alice")).first(201);
        ask(request.key(key())).first(201);
        executed(4);
    }

    @Test
    void h43_scripts_of_allowed_origins_can_read_answers_and_replays() throws Exception {
        open(AdapterSetup.plain().choosing(builder -> builder.cors(Set.of("https://shop.example"), true)));
        RawRequest request = RawRequest.post(key()).with("Origin", "https://shop.example");
        ReceivedResponse first = ask(request).first(201);
        ReceivedResponse again = ask(request).replays(first);
        ReceivedResponse problem = ask(request.json("{}")).problem(422, "key-reused");
        for (ReceivedResponse answer : new ReceivedResponse[] {first, again, problem}) {
            assertThat(answer.header("Access-Control-Allow-Origin")).isEqualTo("https://shop.example");
            assertThat(answer.header("Access-Control-Allow-Credentials")).isEqualTo("true");
            assertThat(exposed(answer))
                    .contains(
                            "Idempotent-Replayed",
                            "Idempotency-Key",
                            "Idempotency-Key-Expires",
                            "Onefold-Stored",
                            "Retry-After",
                            "Location",
                            "ETag",
                            "Link");
            assertThat(answer.all("Vary").toString()).contains("Origin");
        }
    }

    @Test
    void h43_scripts_can_read_the_headers_that_the_route_and_the_profile_have() throws Exception {
        open(AdapterSetup.plain()
                .choosing(builder -> builder.cors(Set.of("https://shop.example"), true))
                .profile(HttpProfile.AZURE)
                .policy(policy -> policy.key(KeySource.header("X-Order-Key"))));
        ReceivedResponse plain =
                ask(RawRequest.post("").without("Idempotency-Key").with("Origin", "https://shop.example"));
        ReceivedResponse refused = ask(RawRequest.post("")
                .without("Idempotency-Key")
                .with("X-Order-Key", "no uuid")
                .with("Origin", "https://shop.example"));
        assertThat(plain.status()).isEqualTo(201);
        assertThat(refused.status()).isEqualTo(400);
        assertThat(exposed(refused))
                .contains("X-Order-Key", "Repeatability-Result", "Retry-After")
                .doesNotContain("Idempotency-Key");
    }

    @Test
    void h43_what_was_allowed_to_one_origin_is_not_replayed_to_another() throws Exception {
        open();
        business.does((call, number) -> ServiceResponse.of(200)
                .with("Access-Control-Allow-Origin", String.valueOf(call.header("Origin")))
                .with("Access-Control-Allow-Credentials", "true"));
        RawRequest request = RawRequest.post(key());
        ReceivedResponse first =
                ask(request.with("Origin", "https://shop.example")).first(200);
        assertThat(first.header("Access-Control-Allow-Origin")).isEqualTo("https://shop.example");
        ReceivedResponse again =
                ask(request.with("Origin", "https://evil.example")).replays(first);
        assertThat(again.has("Access-Control-Allow-Origin")).isFalse();
        assertThat(again.has("Access-Control-Allow-Credentials")).isFalse();
    }

    @Test
    void h43_an_application_that_names_no_origin_lets_nobody_bring_credentials() throws Exception {
        open(AdapterSetup.plain().choosing(builder -> builder.cors(Set.of("https://shop.example"), false)));
        business.does((call, number) -> ServiceResponse.of(200).with("Access-Control-Allow-Credentials", "true"));
        RawRequest request = RawRequest.post(key()).with("Origin", "https://shop.example");
        ReceivedResponse first = ask(request).first(200);
        assertThat(first.header("Access-Control-Allow-Origin")).isEqualTo("https://shop.example");
        assertThat(first.has("Access-Control-Allow-Credentials")).isFalse();
    }

    @Test
    void h43_other_origins_are_told_nothing() throws Exception {
        open(AdapterSetup.plain().choosing(builder -> builder.cors(Set.of("https://shop.example"), true)));
        RawRequest request = RawRequest.post(key()).with("Origin", "https://evil.example");
        ReceivedResponse again = again(ask(request).first(201), request);
        assertThat(again.has("Access-Control-Allow-Origin")).isFalse();
        assertThat(again.has("Access-Control-Allow-Credentials")).isFalse();
    }

    @Test
    void h43_where_an_origin_may_send_anything_it_may_send_a_key() throws Exception {
        open(AdapterSetup.plain().choosing(builder -> builder.cors(Set.of("https://shop.example"), true)));
        business.does((call, number) -> {
            ServiceResponse allowed =
                    ServiceResponse.of(204).with("Access-Control-Allow-Origin", "https://shop.example");
            return number == 1 ? allowed : allowed.with("Access-Control-Allow-Headers", "Content-Type");
        });
        RawRequest preflight = RawRequest.of("OPTIONS", "/orders")
                .with("Origin", "https://shop.example")
                .with("Access-Control-Request-Method", "POST");
        assertThat(ask(preflight).all("Access-Control-Allow-Headers")).containsExactly("Idempotency-Key");
        assertThat(ask(preflight).all("Access-Control-Allow-Headers"))
                .singleElement()
                .asString()
                .contains("Content-Type", "Idempotency-Key");
    }

    private static List<String> exposed(ReceivedResponse answer) {
        return List.of(
                String.join(", ", answer.all("Access-Control-Expose-Headers")).split(", ", -1));
    }
}
