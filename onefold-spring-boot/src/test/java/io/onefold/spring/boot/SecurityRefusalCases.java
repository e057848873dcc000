package io.onefold.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;

/** What Spring Security refuses behind Onefold's filter, which stands inside of Security's: Security answers, as without a key. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class SecurityRefusalCases {
    static final String OUTER_EXCEPTIONS =
            "--onefold.http.outer-exceptions=io.onefold.spring.boot.SecurityRefusalCases$TenantException";

    /** Which roles ann has, and how often something was paid. */
    static final class Bank {
        final AtomicInteger payments = new AtomicInteger();
        volatile String[] roles = {};

        UserDetails ann() {
            return User.withUsername("ann").password("{noop}pw").roles(roles).build();
        }
    }

    /** What a filter of the application's, before Onefold's, answers with 418. */
    static final class TenantException extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    private final Running app = start();
    private final Bank bank = app.bean(Bank.class);
    private final String key = UUID.randomUUID().toString();

    abstract Running start();

    /** Handlers that the filter claims for, and whose service refuses who is no payer. */
    abstract Iterable<String> behindHandlers();

    @AfterAll
    void stop() {
        app.close();
    }

    @BeforeEach
    void revoke() {
        bank.roles = new String[0];
        bank.payments.set(0);
    }

    private void grant() {
        bank.roles = new String[] {"PAYER"};
    }

    final HttpResponse<String> post(String path, String with) throws Exception {
        String secret = Base64.getEncoder().encodeToString("ann:pw".getBytes(StandardCharsets.UTF_8));
        HttpRequest.Builder request = app.request(path, with, "{}").header("Authorization", "Basic " + secret);
        return app.client().send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    private static boolean replayed(HttpResponse<?> answer) {
        return answer.headers().firstValue("Idempotent-Replayed").isPresent();
    }

    final void assertUnknown(String path, String with) throws Exception {
        HttpResponse<String> again = post(path, with);
        assertThat(again.statusCode()).as(path).isEqualTo(409);
        assertThat(again.body()).contains("outcome-unknown");
    }

    @ParameterizedTest
    @MethodSource("behindHandlers")
    void what_is_refused_in_mid_work_is_answered_by_security_and_unknown(String path) throws Exception {
        HttpResponse<String> plain = post(path, "");
        assertThat(plain.statusCode()).isEqualTo(403);

        HttpResponse<String> refused = post(path, key + path);
        assertThat(refused.statusCode()).isEqualTo(403);
        assertThat(refused.headers().firstValue("Content-Type"))
                .isEqualTo(plain.headers().firstValue("Content-Type"));
        assertThat(refused.headers().firstValue("Handled-By"))
                .as("nothing of the handler's answer is left")
                .isEmpty();
        assertUnknown(path, key + path);
        grant();
        assertUnknown(path, key + path);
        assertThat(bank.payments).hasValue(0);

        assertThat(post(path, "granted-" + key + path).statusCode()).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/guarded", "/guarded-claiming"})
    void what_is_refused_before_the_handler_leaves_the_key_free(String path) throws Exception {
        leavesTheKeyFree(path);
    }

    final void leavesTheKeyFree(String path) throws Exception {
        for (int i = 0; i < 2; i++) {
            HttpResponse<String> refused = post(path + "?id=" + key, key + path);
            assertThat(refused.statusCode()).isEqualTo(403);
            assertThat(replayed(refused)).isFalse();
        }
        grant();
        HttpResponse<String> first = post(path + "?id=" + key, key + path);
        assertThat(first.statusCode()).isEqualTo(200);
        HttpResponse<String> again = post(path + "?id=" + key, key + path);
        assertThat(again.body()).isEqualTo(first.body());
        assertThat(replayed(again)).isTrue();
        assertThat(bank.payments).hasValue(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/service", "/guarded"})
    void who_has_not_said_who_they_are_is_asked_to(String path) throws Exception {
        HttpResponse<String> refused = app.post(path, "anonymous-" + key + path, "{}");
        assertThat(refused.statusCode()).isEqualTo(401);
        assertThat(refused.headers().firstValue("WWW-Authenticate"))
                .hasValueSatisfying(how -> assertThat(how).startsWith("Basic"));
    }

    @Test
    void an_authentication_that_fails_in_mid_work_is_answered_by_security() throws Exception {
        HttpResponse<String> refused = post("/unauthenticated", key);
        assertThat(refused.statusCode()).isEqualTo(401);
        assertThat(refused.headers().firstValue("WWW-Authenticate")).isPresent();
        assertUnknown("/unauthenticated", key);
    }

    @Test
    void a_handler_that_claims_for_itself_is_unknown_too_unless_it_says_that_nothing_was_done() throws Exception {
        assertThat(post("/claiming?id=" + key, "").statusCode()).isEqualTo(403);
        assertUnknown("/claiming?id=" + key, "");

        assertThat(post("/retried?id=" + key, "").statusCode()).isEqualTo(403);
        assertThat(post("/retried?id=" + key, "").statusCode()).isEqualTo(403);
        grant();
        assertThat(post("/retried?id=" + key, "").statusCode()).isEqualTo(200);
        assertThat(replayed(post("/retried?id=" + key, ""))).isTrue();
        assertThat(bank.payments).hasValue(1);
    }

    @Test
    void what_another_filter_translates_is_named_by_a_property() throws Exception {
        assertThat(post("/tenant", "").statusCode()).isEqualTo(418);
        assertThat(post("/tenant", key).statusCode()).isEqualTo(418);
        assertUnknown("/tenant", key);
    }
}
