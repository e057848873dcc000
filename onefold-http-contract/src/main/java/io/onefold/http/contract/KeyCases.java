package io.onefold.http.contract;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.onefold.http.HttpPolicy;
import io.onefold.http.KeySource;
import io.onefold.http.KeySyntax;
import io.onefold.http.Route;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Cases for the place of a key and its syntax. */
abstract class KeyCases extends AdapterCases {
    KeyCases(AdapterContract contract) {
        super(contract);
    }

    @Test
    void h01_the_header_is_called_idempotency_key_in_any_case() throws Exception {
        open();
        String key = key();
        RawRequest plain = RawRequest.post(key);
        replays(plain, plain.without("Idempotency-Key").with("iDEMPOTENCY-kEY", key));
    }

    @Test
    void h01_other_names_are_off_until_chosen() throws Exception {
        open();
        runsTwice(RawRequest.post("").without("Idempotency-Key").with("X-Idempotency-Key", key()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"header:X-Request-Key", "query:request", "json:$.request.id", "form:request"})
    void h01_a_key_is_taken_from_where_it_was_chosen_to_stand(String source) throws Exception {
        open(reading(source));
        RawRequest request = standing(source, key());
        runsOnce(request);
        ask(standing(source, key())).first(201);
        executed(2);
    }

    @Test
    void h01_two_places_that_disagree_are_refused() throws Exception {
        open(reading("header:Idempotency-Key", "header:X-Request-Key", "query:request", "json:$.request.id"));
        String key = key();
        RawRequest request = standing("json:$.request.id", key);
        refuses(request.key(key()), "key-invalid");
        RawRequest inHead = RawRequest.of("POST", "/orders").json("{}").key(key);
        refuses(inHead.with("X-Request-Key", key()), "key-invalid");
        refuses(inHead.to("/orders?request=" + key()), "key-invalid");
        replays(request.key(key).with("X-Request-Key", key), request);
    }

    @Test
    void h02_a_quoted_and_a_bare_key_are_the_same() throws Exception {
        open();
        String key = key();
        replays(RawRequest.post("\"" + key + "\""), RawRequest.post(key));
    }

    @Test
    void h02_parameters_of_a_quoted_key_are_ignored() throws Exception {
        open();
        String key = key();
        replays(RawRequest.post("\"" + key + "\";a=1;b=\"x\";c;d=?0;e=:AAA=:"), RawRequest.post(key));
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"open", "\"a\"b", "\"a\\x\"", "\"a\" \"b\"", "\"a\";", "\"a\";=1", "\""})
    void h02_what_begins_with_a_quote_must_be_a_whole_string(String key) throws Exception {
        open();
        refuses(RawRequest.post(key), "key-invalid");
    }

    @Test
    void h02_a_strict_route_refuses_bare_keys() throws Exception {
        open(spelling(KeySyntax.strict()));
        refuses(RawRequest.post(key()), "key-invalid");
        runsOnce(RawRequest.post("\"" + key() + "\""));
    }

    @Test
    void h02_a_route_of_uuids_refuses_everything_else() throws Exception {
        open(spelling(KeySyntax.uuid()));
        refuses(RawRequest.post("order-1"), "key-invalid");
        runsOnce(RawRequest.post(key().substring("key-".length())));
    }

    @ParameterizedTest
    @ValueSource(strings = {"a b", "a\\b", "a\"b", "caf\u00e9", "a\tb", "\"a\tb\""})
    void h03_other_characters_are_refused(String key) throws Exception {
        open();
        refuses(RawRequest.post(key), "key-invalid");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a\u0001b", "a\u007fb", "a\u0000b", "\"a\u0001b\""})
    void h03_control_characters_are_refused_by_whoever_meets_them_first(String key) throws Exception {
        open();
        assertThat(ask(RawRequest.post(key)).status()).isEqualTo(400);
        executed(0);
    }

    @Test
    void h03_bytes_beyond_ascii_are_refused() throws Exception {
        open();
        String latin = new String("schl\u00fcssel-\u4e2d".getBytes(UTF_8), ISO_8859_1);
        assertThat(ask(RawRequest.post(latin)).status()).isEqualTo(400);
        assertThat(ask(RawRequest.post("\"" + latin + "\"")).status()).isEqualTo(400);
        executed(0);
    }

    @Test
    void h03_every_character_that_is_allowed_can_stand_in_a_key() throws Exception {
        open();
        StringBuilder bare = new StringBuilder();
        StringBuilder quoted = new StringBuilder("\"");
        for (char c = 0x20; c < 0x7f; c++) {
            if (c > 0x20 && "\"\\,".indexOf(c) < 0) {
                bare.append(c);
            }
            quoted.append(c == '"' || c == '\\' ? "\\" : "").append(c);
        }
        runsOnce(RawRequest.post(bare.toString()));
        runsOnce(RawRequest.post(quoted.append('"').toString()));
    }

    @Test
    void h03_a_route_may_allow_less() throws Exception {
        open(spelling(KeySyntax.lenient().pattern(Pattern.compile("[a-z]+"))));
        refuses(RawRequest.post("abc1"), "key-invalid");
        runsOnce(RawRequest.post("abc"));
    }

    @Test
    void h04_a_key_has_at_most_255_characters() throws Exception {
        open();
        String longest = "k".repeat(255);
        replays(RawRequest.post(longest), RawRequest.post("\"" + longest + "\""));
        refuses(RawRequest.post(longest + "k"), "key-invalid");
        refuses(RawRequest.post("\"" + longest + "k\""), "key-invalid");
    }

    @Test
    void h04_long_keys_that_differ_at_their_end_are_different() throws Exception {
        open();
        runsBoth(RawRequest.post("k".repeat(254) + "1"), RawRequest.post("k".repeat(254) + "2"));
    }

    @Test
    void h04_a_route_may_ask_for_longer_or_shorter_keys() throws Exception {
        open(spelling(KeySyntax.lenient().length(20, 40)));
        refuses(RawRequest.post("k".repeat(19)), "key-invalid");
        refuses(RawRequest.post("k".repeat(41)), "key-invalid");
        runsOnce(RawRequest.post("k".repeat(20)));
        runsOnce(RawRequest.post("k".repeat(40)));
    }

    @Test
    void h05_keys_that_differ_in_case_are_different() throws Exception {
        open();
        String key = key();
        runsBoth(RawRequest.post(key + "a"), RawRequest.post(key + "A"));
    }

    @Test
    void h05_keys_that_differ_in_a_space_at_the_end_are_different() throws Exception {
        open();
        String key = key();
        runsBoth(RawRequest.post("\"" + key + "\""), RawRequest.post("\"" + key + " \""));
    }

    @Test
    void h05_space_around_the_value_of_a_header_is_not_part_of_it() throws Exception {
        open();
        String key = key();
        RawRequest plain = RawRequest.post(key);
        replays(plain, plain.without("Idempotency-Key").line("Idempotency-Key:  \t" + key + " \t "));
    }

    @Test
    void h06_two_lines_of_the_header_are_refused() throws Exception {
        open();
        String key = key();
        refuses(RawRequest.post(key).key(key()), "key-invalid");
        refuses(RawRequest.post(key).with("idempotency-key", key), "key-invalid");
        refuses(RawRequest.post(key).line("Idempotency-Key:"), "key-invalid");
    }

    @Test
    void h06_two_keys_joined_by_a_comma_are_refused() throws Exception {
        open();
        String key = key();
        refuses(RawRequest.post(key + "," + key()), "key-invalid");
        refuses(RawRequest.post("\"" + key + "\", \"" + key + "\""), "key-invalid");
    }

    @Test
    void h06_a_parameter_given_twice_is_refused() throws Exception {
        open(reading("query:request"));
        RawRequest request =
                RawRequest.of("POST", "/orders?request=a&request=a").json("{}");
        refuses(request, "key-invalid");
    }

    @Test
    void h07_an_empty_key_is_refused_always() throws Exception {
        open();
        refuses(RawRequest.post(""), "key-invalid");
        refuses(RawRequest.post("\"\""), "key-invalid");
        refuses(RawRequest.post(" \t "), "key-invalid");
    }

    @Test
    void h07_a_request_without_a_key_passes_unprotected() throws Exception {
        open();
        runsTwice(RawRequest.post("").without("Idempotency-Key"));
    }

    @Test
    void h07_a_request_without_a_key_is_refused_where_one_is_required() throws Exception {
        HttpPolicy required = HttpPolicy.unchanged().required(true);
        open(AdapterSetup.plain()
                .route(Route.of("POST", "/payments").policy(required))
                .route(Route.of("POST", "/orders")));
        RawRequest keyless = RawRequest.post("").without("Idempotency-Key");
        ReceivedResponse answer = refuses(keyless.to("/payments"), "key-missing");
        assertThat(answer.member("detail")).contains("Idempotency-Key");
        runsTwice(keyless);
        runsOnce(RawRequest.post(key()).to("/payments"));
    }

    @Test
    void h07_no_problem_shows_the_key() throws Exception {
        open();
        String secret = key();
        ReceivedResponse answer = refuses(RawRequest.post(secret + " " + secret), "key-invalid");
        assertThat(answer.toString()).doesNotContain(secret);
    }

    private static AdapterSetup reading(String... sources) {
        KeySource[] parsed = new KeySource[sources.length];
        for (int i = 0; i < sources.length; i++) {
            parsed[i] = KeySource.parse(sources[i]);
        }
        return AdapterSetup.plain().policy(policy -> policy.key(parsed));
    }

    private static AdapterSetup spelling(KeySyntax syntax) {
        return AdapterSetup.plain().policy(policy -> policy.syntax(syntax));
    }

    private static RawRequest standing(String source, String key) {
        RawRequest request = RawRequest.of("POST", "/orders").json("{}");
        return switch (source) {
            case "header:X-Request-Key" -> request.with("X-Request-Key", key);
            case "query:request" -> request.to("/orders?a=1&request=" + key);
            case "form:request" -> request.form("a=1&request=" + key);
            default -> request.json("{\"amount\":1,\"request\":{\"id\":\"" + key + "\"}}");
        };
    }
}
