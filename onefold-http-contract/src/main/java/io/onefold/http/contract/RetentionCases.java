package io.onefold.http.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.onefold.http.HttpPolicy;
import java.time.Duration;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Cases for the retention of a response, and for responses that cannot be kept. */
abstract class RetentionCases extends AdapterCases {
    RetentionCases(AdapterContract contract) {
        super(contract);
    }

    @Test
    void h38_an_answer_is_kept_for_a_day() throws Exception {
        AdapterSetup setting = open(AdapterSetup.plain());
        RawRequest request = RawRequest.post(key());
        ReceivedResponse first = ask(request).first(201);
        setting.kitStore().pass(Duration.ofHours(24).minusMinutes(1));
        ask(request).replays(first);
        setting.kitStore().pass(Duration.ofMinutes(2));
        ask(request).first(201);
        executed(2);
    }

    @Test
    void h38_a_route_may_keep_its_answers_longer_or_shorter() throws Exception {
        AdapterSetup setting = open(AdapterSetup.plain().policy(policy -> policy.keepFor(Duration.ofMinutes(10))));
        RawRequest request = RawRequest.post(key());
        ReceivedResponse first = ask(request).first(201);
        setting.kitStore().pass(Duration.ofMinutes(9));
        ask(request).replays(first);
        setting.kitStore().pass(Duration.ofMinutes(2));
        ask(request).first(201);
        executed(2);
    }

    @Test
    void h38_the_keep_begins_when_the_request_was_answered() throws Exception {
        AdapterSetup setting = open(AdapterSetup.plain().policy(policy -> policy.keepFor(Duration.ofMinutes(10))));
        RawRequest request = RawRequest.post(key());
        CompletableFuture<ReceivedResponse> answer = beginHeld(request);
        setting.kitStore().pass(Duration.ofHours(1));
        business.release();
        ReceivedResponse first = answer.get().first(201);
        setting.kitStore().pass(Duration.ofMinutes(9));
        ask(request).replays(first);
        executed(1);
    }

    @Test
    void h38_an_outcome_that_nobody_knows_is_not_forgotten() throws Exception {
        AdapterSetup setting =
                openLeased(AdapterSetup.plain().policy(policy -> policy.on5xx(HttpPolicy.On5xx.UNKNOWN)));
        business.does((call, number) -> ServiceResponse.of(500));
        RawRequest request = RawRequest.post(key());
        ask(request).first(500);
        openAfterLeased(setting);
        setting.kitStore().pass(Duration.ofDays(400));
        ask(request).problem(409, "outcome-unknown");
        executed(1);
    }

    @Test
    void h39_an_answer_says_until_when_it_is_replayed() throws Exception {
        open(AdapterSetup.plain().policy(policy -> policy.keepFor(Duration.ofHours(6))));
        RawRequest request = RawRequest.post(key());
        ReceivedResponse first = ask(request).first(201);
        ReceivedResponse again = ask(request).replays(first);
        String expires = first.header("Idempotency-Key-Expires");
        assertThat(expires)
                .matches("(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \\d{2} [A-Z][a-z]{2} \\d{4} \\d{2}:\\d{2}:\\d{2} GMT");
        assertThat(again.header("Idempotency-Key-Expires")).isEqualTo(expires);
        ZonedDateTime told = ZonedDateTime.parse(expires, DateTimeFormatter.RFC_1123_DATE_TIME);
        ZonedDateTime expected = ZonedDateTime.now(told.getZone()).plusHours(6);
        assertThat(Duration.between(told, expected).abs()).isLessThan(Duration.ofMinutes(2));
    }

    @Test
    void h39_what_is_said_is_what_was_chosen_when_the_answer_was_made() throws Exception {
        AdapterSetup setting = open(AdapterSetup.plain().policy(policy -> policy.keepFor(Duration.ofHours(6))));
        RawRequest request = RawRequest.post(key());
        String expires = ask(request).first(201).header("Idempotency-Key-Expires");
        for (Duration other : List.of(Duration.ofDays(30), Duration.ofMinutes(1))) {
            open(setting.policy(policy -> policy.keepFor(other)));
            assertThat(ask(request).header("Idempotency-Key-Expires"))
                    .as("through a door that keeps its own for " + other)
                    .isEqualTo(expires);
        }
        executed(1);
    }

    @Test
    void h39_a_route_may_keep_that_to_itself() throws Exception {
        open(AdapterSetup.plain().policy(policy -> policy.tellKeep(false)));
        RawRequest request = RawRequest.post(key());
        ReceivedResponse first = ask(request).first(201);
        assertThat(first.has("Idempotency-Key-Expires")).isFalse();
        assertThat(ask(request).replays(first).has("Idempotency-Key-Expires")).isFalse();
    }

    @Test
    void h39_an_answer_that_is_not_kept_says_nothing_of_how_long() throws Exception {
        open();
        business.does((call, number) -> ServiceResponse.of(429).thrown());
        assertThat(ask(RawRequest.post(key())).first(429).has("Idempotency-Key-Expires"))
                .isFalse();
        assertThat(ask(RawRequest.post("").without("Idempotency-Key")).has("Idempotency-Key-Expires"))
                .isFalse();
    }

    @Test
    void h42_nothing_is_executed_while_the_store_is_down() throws Exception {
        AdapterSetup setting = open(AdapterSetup.plain());
        RawRequest request = RawRequest.post(key());
        setting.kitStore().down(true);
        ReceivedResponse refused =
                ask(request).problem(503, "store-unavailable").comeBack();
        assertThat(refused.member("retryable")).isEqualTo("true");
        executed(0);
        setting.kitStore().down(false);
        runsOnce(request);
    }

    @Test
    void h42_a_replay_needs_the_store() throws Exception {
        AdapterSetup setting = open(AdapterSetup.plain());
        RawRequest request = RawRequest.post(key());
        ReceivedResponse first = ask(request).first(201);
        setting.kitStore().down(true);
        ask(request).problem(503, "store-unavailable").comeBack();
        setting.kitStore().down(false);
        ask(request).replays(first);
        executed(1);
    }

    @Test
    void h42_requests_without_keys_need_no_store() throws Exception {
        AdapterSetup setting = open(AdapterSetup.plain());
        setting.kitStore().down(true);
        runsTwice(RawRequest.post("").without("Idempotency-Key"));
        ask(RawRequest.get("/orders").key(key())).first(201);
    }

    @Test
    void h42_a_route_may_be_open_while_the_store_is_down() throws Exception {
        AdapterSetup setting = open(AdapterSetup.plain().policy(policy -> policy.openOnStoreFailure(true)));
        RawRequest request = RawRequest.post(key());
        setting.kitStore().down(true);
        ReceivedResponse first = ask(request).first(201);
        assertThat(first.header("Onefold-Stored")).isEqualTo("false");
        assertThat(business.calls().get(0).body()).isEqualTo(request.body());
        ask(request).first(201);
        executed(2);
        setting.kitStore().down(false);
        runsOnce(request);
    }

    @ParameterizedTest
    @EnumSource(HttpPolicy.KeyForwarding.class)
    void h42_h45_what_passes_unprotected_tells_of_its_key_what_any_other_does(HttpPolicy.KeyForwarding forward)
            throws Exception {
        AdapterSetup setting = open(AdapterSetup.plain()
                .policy(policy -> policy.openOnStoreFailure(true).forward(forward)));
        String key = key();
        setting.kitStore().down(true);
        ask(RawRequest.post(key).with("Idempotency_Key", "another")).first(201);
        setting.kitStore().down(false);
        ask(RawRequest.post(key).with("Idempotency_Key", "another")).first(201);
        String open = business.calls().get(0).header("Idempotency-Key");
        assertThat(open).isEqualTo(business.calls().get(1).header("Idempotency-Key"));
        switch (forward) {
            case ORIGINAL -> assertThat(open).isEqualTo(key);
            case DERIVED -> assertThat(open).isNotNull().isNotEqualTo(key);
            case STRIP -> assertThat(open).isNull();
        }
        assertThat(business.calls().get(0).header("Idempotency_Key")).isNull();
    }

    @Test
    void h42_the_true_answer_goes_out_though_it_cannot_be_recorded() throws Exception {
        AdapterSetup setting = open(
                AdapterSetup.plain().policy(policy -> policy.lease(Duration.ofMillis(600), Duration.ofSeconds(2))));
        RawRequest request = RawRequest.post(key());
        setting.kitStore().losesCompletions(true);
        ReceivedResponse first = ask(request).first(201);
        assertThat(first.text()).isEqualTo("{\"number\":1}");
        if (joins()) {
            // what was done is recorded with its effect; the answer is made again of what was returned
            ask(request).replays(first);
            setting.kitStore().losesCompletions(false);
            ask(request).replays(first);
            executed(1);
            return;
        }
        assertThat(first.header("Onefold-Stored")).isEqualTo("false");
        setting.kitStore().losesCompletions(false);
        setting.kitStore().pass(Duration.ofMinutes(1));
        ask(request).problem(409, "outcome-unknown").comeBack();
        executed(1);
    }

    @Test
    void h42_two_doors_on_one_store_are_one() throws Exception {
        AdapterSetup setting = open(AdapterSetup.plain());
        RawRequest request = RawRequest.post(key());
        ReceivedResponse first = ask(request).first(201);
        open(setting);
        ask(request).replays(first);
        executed(1);
    }
}
