package io.onefold.http.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.onefold.http.HttpPolicy;
import io.onefold.http.HttpProfile;
import io.onefold.http.Route;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Cases for the behavior that clients of other APIs expect. */
abstract class ProfileCases extends AdapterCases {
    private static final String ID = "Repeatability-Request-ID";
    private static final String SENT = "Repeatability-First-Sent";

    ProfileCases(AdapterContract contract) {
        super(contract);
    }

    @Test
    void h16_stripe_tells_a_key_that_was_reused_as_400() throws Exception {
        open(AdapterSetup.plain().profile(HttpProfile.STRIPE));
        RawRequest request = RawRequest.post(key());
        again(ask(request).first(201), request);
        error(ask(request.json("{\"amount\":11}")), 400);
        executed(1);
    }

    @Test
    void h08_stripe_has_one_key_for_all_operations() throws Exception {
        open(AdapterSetup.plain()
                .profile(HttpProfile.STRIPE)
                .route(Route.of("POST", "/orders"))
                .route(Route.of("POST", "/refunds")));
        RawRequest request = RawRequest.post(key());
        ask(request).first(201);
        error(ask(request.to("/refunds")), 400);
        executed(1);
    }

    @Test
    void h22_stripe_tells_a_key_in_use_as_409_at_once() throws Exception {
        open(AdapterSetup.plain().profile(HttpProfile.STRIPE));
        RawRequest request = RawRequest.post(key());
        CompletableFuture<ReceivedResponse> first = beginHeld(request);
        ReceivedResponse busy = ask(request).comeBack();
        error(busy, 409);
        assertThat(busy.member("code")).isEqualTo("idempotency_key_in_use");
        business.release();
        again(first.get().first(201), request);
    }

    @Test
    void h31_stripe_is_told_not_to_repeat_what_nobody_knows() throws Exception {
        open(AdapterSetup.plain().profile(HttpProfile.STRIPE).policy(policy -> policy.on5xx(HttpPolicy.On5xx.UNKNOWN)));
        business.does((call, number) -> ServiceResponse.json(500, "{}"));
        RawRequest request = RawRequest.post(key());
        ask(request);
        ReceivedResponse unknown = ask(request);
        error(unknown, 409);
        assertThat(unknown.header("Stripe-Should-Retry")).isEqualTo("false");
        ReceivedResponse reused = ask(request.json("{\"amount\":12}"));
        assertThat(reused.header("Stripe-Should-Retry")).isEqualTo("false");
        executed(1);
    }

    @Test
    void h20_stripe_replays_500_and_says_whose_error_it_is() throws Exception {
        AdapterSetup setting = open(AdapterSetup.plain().profile(HttpProfile.STRIPE));
        business.does((call, number) -> ServiceResponse.json(500, "{\"number\":" + number + "}"));
        RawRequest request = RawRequest.post(key());
        again(ask(request).first(500), request);
        executed(1);
        setting.kitStore().down(true);
        ReceivedResponse down = ask(request).comeBack();
        assertThat(down.status()).isEqualTo(503);
        assertThat(down.member("type")).isEqualTo("api_error");
    }

    @Test
    void h22_azure_tells_a_request_in_progress_as_409() throws Exception {
        open(AdapterSetup.plain().profile(HttpProfile.AZURE).policy(policy -> policy.waitFor(Duration.ofMillis(100))));
        RawRequest request = repeatable(UUID.randomUUID().toString(), Instant.now());
        CompletableFuture<ReceivedResponse> first = beginHeld(request);
        assertThat(rejected(request, 409).comeBack().member("code")).isEqualTo("InProgress");
        business.release();
        first.get().first(201);
        executed(1);
    }

    @Test
    void h40_azure_answers_a_repeated_request() throws Exception {
        open(AdapterSetup.plain().profile(HttpProfile.AZURE));
        RawRequest request = repeatable(UUID.randomUUID().toString(), Instant.now());
        ReceivedResponse first = ask(request).first(201);
        ReceivedResponse again = ask(request);
        assertThat(again.status()).isEqualTo(201);
        assertThat(again.text()).isEqualTo(first.text());
        assertThat(first.header("Repeatability-Result")).isEqualTo("accepted");
        assertThat(again.header("Repeatability-Result")).isEqualTo("accepted");
        executed(1);
    }

    @Test
    void h40_azure_refuses_what_was_first_sent_outside_of_the_window() throws Exception {
        open(AdapterSetup.plain().profile(HttpProfile.AZURE));
        String id = UUID.randomUUID().toString();
        for (Duration apart : List.of(Duration.ofDays(-2), Duration.ofDays(2))) {
            ReceivedResponse answer = rejected(repeatable(id, Instant.now().plus(apart)), 412);
            assertThat(answer.member("code")).isEqualTo("FirstSent");
        }
        executed(0);
        ask(repeatable(id, Instant.now())).first(201);
    }

    @Test
    void h40_azure_wants_both_headers_or_none() throws Exception {
        open(AdapterSetup.plain().profile(HttpProfile.AZURE));
        RawRequest both = repeatable(UUID.randomUUID().toString(), Instant.now());
        rejected(both.without(SENT), 400);
        rejected(both.without(ID), 400);
        rejected(both.without(SENT).with(SENT, "yesterday"), 400);
        rejected(both.without(ID).with(ID, "not-a-uuid"), 400);
        executed(0);
        ask(both.without(ID).without(SENT)).first(201);
    }

    @Test
    void h40_azure_tells_another_request_under_one_id_as_400() throws Exception {
        open(AdapterSetup.plain().profile(HttpProfile.AZURE));
        RawRequest request = repeatable(UUID.randomUUID().toString(), Instant.now());
        ask(request).first(201);
        rejected(request.json("{\"amount\":11}"), 400);
        executed(1);
    }

    @Test
    void h20_azure_executes_again_after_500() throws Exception {
        open(AdapterSetup.plain().profile(HttpProfile.AZURE));
        business.does((call, number) -> number == 1 ? ServiceResponse.of(500).thrown() : ServiceResponse.of(200));
        RawRequest request = repeatable(UUID.randomUUID().toString(), Instant.now());
        ask(request).first(500);
        ask(request).first(200);
        executed(2);
    }

    @Test
    void h22_legacy_refuses_duplicates_with_a_message() throws Exception {
        open(AdapterSetup.plain().profile(HttpProfile.LEGACY));
        RawRequest request = legacy();
        CompletableFuture<ReceivedResponse> first = beginHeld(request);
        assertThat(ask(request).problem(409, "duplicate").member("detail")).isEqualTo("请勿重复提交");
        business.release();
        assertThat(first.get().first(201).has("Idempotent-Token")).isFalse();
        ReceivedResponse duplicate = ask(request).problem(409, "duplicate");
        assertThat(duplicate.member("detail")).isEqualTo("请勿重复提交");
        assertThat(duplicate.text()).doesNotContain("\"number\"");
        ask(request.json("{\"amount\":11}")).problem(422, "key-reused");
        executed(1);
        open(AdapterSetup.plain()
                .profile(HttpProfile.LEGACY)
                .policy(policy -> policy.rejectDuplicates("do not press twice")));
        RawRequest other = legacy();
        ask(other).first(201);
        assertThat(ask(other).problem(409, "duplicate").member("detail")).isEqualTo("do not press twice");
        executed(2);
    }

    @Test
    void h20_legacy_executes_again_after_500() throws Exception {
        open(AdapterSetup.plain().profile(HttpProfile.LEGACY));
        business.does((call, number) -> number == 1 ? ServiceResponse.of(500).thrown() : ServiceResponse.of(200));
        RawRequest request = legacy();
        ask(request).first(500);
        ask(request).first(200);
        ask(request).problem(409, "duplicate");
        executed(2);
    }

    @Test
    void h07_legacy_needs_no_key() throws Exception {
        open(AdapterSetup.plain().profile(HttpProfile.LEGACY));
        runsTwice(RawRequest.post("").without("Idempotency-Key"));
        runsTwice(RawRequest.post(key()));
    }

    private static RawRequest legacy() {
        return RawRequest.post("").without("Idempotency-Key").with("Idempotent-Token", key());
    }

    private ReceivedResponse rejected(RawRequest request, int status) throws Exception {
        ReceivedResponse answer = ask(request);
        assertThat(answer.status()).as("%s", answer).isEqualTo(status);
        assertThat(answer.header("Repeatability-Result")).as("%s", answer).isEqualTo("rejected");
        return answer;
    }

    private static void error(ReceivedResponse answer, int status) {
        assertThat(answer.status()).as("%s", answer).isEqualTo(status);
        assertThat(answer.header("Content-Type")).startsWith("application/json");
        assertThat(answer.text()).startsWith("{\"error\":{");
        assertThat(answer.member("type")).isEqualTo("idempotency_error");
        assertThat(answer.member("message")).isNotBlank();
    }

    private static RawRequest repeatable(String id, Instant sent) {
        DateTimeFormatter format = DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.US)
                .withZone(ZoneOffset.UTC);
        return RawRequest.post("").without("Idempotency-Key").with(ID, id).with(SENT, format.format(sent));
    }
}
