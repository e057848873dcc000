package io.onefold.http.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onefold.Onefold;
import io.onefold.http.BodyRules;
import io.onefold.http.KeySource;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Cases for the order of the checks, and for the callers that may send a request. */
abstract class PrecedenceCases extends AdapterCases {
    PrecedenceCases(AdapterContract contract) {
        super(contract);
    }

    @Test
    void h16_a_key_that_is_not_valid_comes_before_who_asks() throws Exception {
        open(AdapterSetup.plain().authenticated());
        refuses(RawRequest.post("a b"), "key-invalid");
    }

    @Test
    void h16_who_asks_comes_before_how_large_the_body_is() throws Exception {
        open(small().authenticated());
        RawRequest large = RawRequest.post(key()).json("[" + "1,".repeat(100) + "1]");
        ask(large).problem(401, "unauthenticated");
        ask(large.inChunks()).problem(401, "unauthenticated");
        ask(large.user("alice")).problem(413, "body-too-large");
        executed(0);
    }

    @Test
    void h16_who_asks_comes_before_the_type_of_the_body_and_that_before_what_the_key_was_used_for() throws Exception {
        open(AdapterSetup.plain()
                .authenticated()
                .policy(policy -> policy.body(BodyRules.standard().multipart(BodyRules.MultipartHandling.REJECT))));
        RawRequest request = RawRequest.post(key());
        RawRequest parts = request.body("multipart/form-data; boundary=b", "--b--\r\n");
        ask(parts).problem(401, "unauthenticated");
        ask(parts.user("alice")).problem(415, "not-supported");
        ask(request.user("alice")).first(201);
        ask(parts.user("alice")).problem(415, "not-supported");
        executed(1);
    }

    @Test
    void h16_who_asks_is_settled_before_a_body_is_read_that_may_have_the_key() throws Exception {
        open(AdapterSetup.plain().authenticated().policy(policy -> policy.key(KeySource.parse("json:$.id"))));
        RawRequest request = RawRequest.of("POST", "/orders").json("{\"id\":\"" + key() + "\"}");
        try (RawConnection wire = wire()) {
            // and never the body
            wire.send(request.head());
            wire.read("POST").problem(401, "unauthenticated");
        }
        executed(0);
        runsOnce(request.user("alice"));
    }

    @Test
    void h16_how_large_the_body_is_comes_before_what_the_key_was_used_for() throws Exception {
        open(small());
        RawRequest request = RawRequest.post(key()).json("[1]");
        RawRequest large = request.json("[" + "1,".repeat(100) + "1]");
        ask(request).first(201);
        ask(large).problem(413, "body-too-large");
        ask(large.inChunks()).problem(413, "body-too-large");
    }

    @Test
    void h16_b16_what_the_key_was_used_for_comes_before_being_in_progress() throws Exception {
        open(AdapterSetup.plain().policy(policy -> policy.waitFor(Duration.ZERO)));
        RawRequest request = RawRequest.post(key());
        RawRequest other = request.json("{\"amount\":11}");
        CompletableFuture<ReceivedResponse> first = beginHeld(request);
        if (joins()) {
            // what the first one is, nobody else knows before it is committed
            ask(other).problem(409, "in-progress");
        } else {
            ask(other).problem(422, "key-reused");
        }
        ask(request).problem(409, "in-progress");
        business.release();
        again(first.get().first(201), request);
        ask(other).problem(422, "key-reused");
        executed(1);
    }

    @Test
    void h16_another_request_does_not_wait_for_the_first() throws Exception {
        AdapterSetup setting = open(AdapterSetup.plain().policy(policy -> policy.waitFor(Duration.ofSeconds(50))));
        RawRequest request = RawRequest.post(key());
        CompletableFuture<ReceivedResponse> first = beginHeld(request);
        CompletableFuture<ReceivedResponse> other = begin(request.json("{\"amount\":11}"));
        if (joins()) {
            // it waits until it is known what the first one is
            setting.kitStore().awaitMet(1);
            business.release();
        }
        other.get(20, TimeUnit.SECONDS).problem(422, "key-reused");
        business.release();
        first.get().first(201);
        executed(1);
    }

    @Test
    void h17_s02_who_has_lost_the_right_to_ask_gets_no_replay() throws Exception {
        open(AdapterSetup.plain().authenticated());
        RawRequest request = RawRequest.post(key()).user("alice");
        ReceivedResponse first = ask(request).first(201);
        business.ban("alice");
        ReceivedResponse refused = ask(request);
        assertThat(refused.status()).isEqualTo(403);
        assertThat(refused.text()).isNotEqualTo(first.text());
        executed(1);
    }

    @Test
    void h17_s02_an_answer_is_given_only_to_whom_it_may_be_given_now() throws Exception {
        open(AdapterSetup.plain()
                .choosing(builder -> builder.readers(head -> CompletableFuture.completedFuture(
                        head.headers("X-Cleared").contains("yes")))));
        RawRequest request = RawRequest.post(key());
        ReceivedResponse first = ask(request).first(201);
        ask(request).problem(403, "forbidden");
        ask(request.with("X-Cleared", "yes")).replays(first);
        executed(1);
        // nor a part of one that is too long to be held back when it is first given
        business.does((call, number) -> ServiceResponse.of(200).piece("x".repeat((256 << 10) + 1)));
        RawRequest large = RawRequest.post(key());
        ask(large).first(200);
        ask(large).problem(403, "forbidden");
        executed(2);
    }

    @ParameterizedTest
    @ValueSource(ints = {503, 429})
    void h17_who_has_too_much_to_do_says_so_with_the_status_that_was_chosen(int status) throws Exception {
        open(AdapterSetup.plain()
                .choosing(builder -> builder.overloadedStatus(status)
                        .readers(head -> CompletableFuture.failedFuture(new IllegalStateException("full")))));
        RawRequest request = RawRequest.post(key());
        ask(request).first(201);
        ReceivedResponse told = ask(request).problem(status, "overloaded").comeBack();
        assertThat(told.member("retryable")).isEqualTo("true");
        executed(1);
    }

    @Test
    void h17_having_too_much_to_do_has_no_other_status() {
        assertThatThrownBy(() -> AdapterSetup.plain()
                        .choosing(builder -> builder.overloadedStatus(500))
                        .contract(Onefold.on(AdapterSetup.plain().store())))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("429 or 503")
                .hasMessageContaining("500");
    }

    @ParameterizedTest
    @ValueSource(ints = {401, 403, 407, 408, 419, 421, 425, 429})
    void h17_some_answers_are_never_kept(int status) throws Exception {
        open();
        business.does((call, number) ->
                number == 1 ? ServiceResponse.of(status).thrown() : ServiceResponse.json(201, "{\"done\":true}"));
        RawRequest request = RawRequest.post(key());
        ask(request).first(status);
        ReceivedResponse second = ask(request).first(201);
        ask(request).replays(second);
        executed(2);
        keepsWhatWasReturned(ServiceResponse.of(status));
    }

    @Test
    void h18_what_says_that_it_was_not_executed_is_not_kept() throws Exception {
        open();
        business.does((call, number) -> number == 1
                ? ServiceResponse.json(400, "{\"error\":\"amount\"}")
                        .with("Onefold-Outcome", "not-executed")
                        .thrown()
                : ServiceResponse.json(201, "{}"));
        RawRequest request = RawRequest.post(key());
        ReceivedResponse refused = ask(request).first(400);
        assertThat(refused.text()).isEqualTo("{\"error\":\"amount\"}");
        assertThat(refused.has("Onefold-Outcome")).isFalse();
        ReceivedResponse done = ask(request).first(201);
        ask(request).replays(done);
        executed(2);
    }

    @Test
    void h18_a_request_that_was_not_executed_is_still_what_its_key_stands_for() throws Exception {
        open();
        business.does((call, number) ->
                ServiceResponse.of(400).with("Onefold-Outcome", "not-executed").thrown());
        RawRequest request = RawRequest.post(key());
        ask(request).first(400);
        ask(request.json("{\"amount\":11}")).problem(422, "key-reused");
        executed(1);
    }

    private static AdapterSetup small() {
        return AdapterSetup.plain()
                .policy(policy -> policy.body(BodyRules.standard().max(100)));
    }
}
