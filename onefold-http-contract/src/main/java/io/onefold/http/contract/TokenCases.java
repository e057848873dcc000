package io.onefold.http.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.onefold.http.HttpPolicy;
import io.onefold.http.KeySource;
import io.onefold.http.Route;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Keys that are issued, for senders who cannot make any. */
abstract class TokenCases extends AdapterCases {
    TokenCases(AdapterContract contract) {
        super(contract);
    }

    @Test
    void h01_a_header_carries_a_token_back() throws Exception {
        open(taking(KeySource.header("Idempotency-Key")));
        RawRequest form = form("subject=hello").key(token("alice"));
        runsOnce(form.user("alice"));
    }

    @Test
    void h01_a_form_field_carries_a_token_back() throws Exception {
        open(taking(KeySource.form("token")));
        RawRequest form = form("subject=hello&token=" + token("alice")).user("alice");
        runsOnce(form);
        assertThat(business.calls().get(0).body()).isEqualTo(form.body());
        ask(form("subject=hello").user("alice")).problem(400, "key-missing");
        executed(1);
    }

    @Test
    void h01_a_part_of_a_form_carries_a_token_back() throws Exception {
        open(taking(KeySource.form("token")));
        String token = token("alice");
        RawRequest form = form("").user("alice");
        replays(parts(form, "aaa", token), parts(form, "zzzzzz", token));
    }

    @Test
    void h01_each_token_is_good_for_one_request() throws Exception {
        open(taking(KeySource.form("token")));
        String token = token("alice");
        runsBoth(
                form("subject=hello&token=" + token).user("alice"),
                form("subject=hello&token=" + token("alice")).user("alice"));
        ask(form("subject=other&token=" + token).user("alice")).problem(422, "key-reused");
        executed(2);
    }

    @Test
    void h01_a_token_that_nobody_has_issued_is_refused() throws Exception {
        open(taking(KeySource.form("token")));
        refuses(form("token=made-up").user("alice"), "token-missing");
    }

    @Test
    void h01_a_token_that_has_expired_is_refused_unless_it_was_used() throws Exception {
        AdapterSetup setting = open(taking(KeySource.form("token")));
        RawRequest used = form("token=" + token("alice")).user("alice");
        RawRequest late = form("token=" + token("alice")).user("alice");
        ReceivedResponse first = ask(used).first(201);
        setting.kitTokens().expire();
        ask(used).replays(first);
        refuses(late, "token-expired");
        executed(1);
    }

    @Test
    void h08_s01_a_token_of_another_is_refused() throws Exception {
        open(taking(KeySource.form("token")));
        String token = token("alice");
        ask(form("token=" + token).user("mallory")).problem(403, "token-foreign");
        executed(0);
        runsOnce(form("token=" + token).user("alice"));
    }

    @Test
    void h08_a_token_is_issued_to_somebody_and_for_an_operation_that_takes_it() throws Exception {
        open(taking(KeySource.form("token")));
        ask(issue("send-form")).problem(401, "unauthenticated");
        ask(issue("other").user("alice")).problem(404, "not-found");
        executed(0);
    }

    private static AdapterSetup taking(KeySource source) {
        HttpPolicy policy = HttpPolicy.unchanged().tokens(true).required(true).key(source);
        return AdapterSetup.plain()
                .authenticated()
                .issuing()
                .route(Route.of("POST", "/forms").named("send-form").policy(policy));
    }

    private String token(String user) throws Exception {
        ReceivedResponse issued = ask(issue("send-form").user(user));
        assertThat(issued.status()).as("%s", issued).isEqualTo(201);
        assertThat(issued.header("Cache-Control")).isEqualTo("no-store");
        assertThat(issued.member("expires_in")).isEqualTo("600");
        return Objects.requireNonNull(issued.member("token"));
    }

    private static RawRequest issue(String operation) {
        return RawRequest.of("POST", "/onefold/tokens/" + operation).with("Content-Length", "0");
    }

    private static RawRequest form(String text) {
        return RawRequest.of("POST", "/forms").form(text);
    }

    private static RawRequest parts(RawRequest request, String boundary, String token) {
        String body = "--" + boundary + "\r\nContent-Disposition: form-data; name=\"token\"\r\n\r\n" + token + "\r\n--"
                + boundary + "--\r\n";
        return request.body("multipart/form-data; boundary=" + boundary, body);
    }
}
