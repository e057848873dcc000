package io.onefold.http.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.onefold.http.HttpPolicy;
import io.onefold.http.HttpPolicy.On5xx;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Cases for the responses that are replayed, and for those after which the request may be tried again. */
abstract class ResponseCases extends AdapterCases {
    ResponseCases(AdapterContract contract) {
        super(contract);
    }

    @ParameterizedTest
    @ValueSource(
            ints = {
                200, 201, 202, 203, 206, 301, 302, 303, 307, 308, 400, 402, 404, 405, 409, 410, 412, 415, 418, 422, 451
            })
    void h19_b13_an_answer_is_replayed_with_its_status(int status) throws Exception {
        open();
        business.does((call, number) -> ServiceResponse.json(status, "{\"number\":" + number + "}"));
        RawRequest request = RawRequest.post(key());
        ReceivedResponse first = ask(request).first(status);
        assertThat(first.text()).isEqualTo("{\"number\":1}");
        ask(request).replays(first);
        ask(request).replays(first);
        executed(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {200, 204, 205, 404})
    void h19_an_answer_without_a_body_is_replayed_without_one(int status) throws Exception {
        open();
        business.does((call, number) -> ServiceResponse.of(status));
        RawRequest request = RawRequest.post(key());
        ReceivedResponse first = ask(request).first(status);
        ask(request).replays(first);
        assertThat(first.body()).isEmpty();
        executed(1);
    }

    @Test
    void h19_a_body_is_replayed_to_the_byte() throws Exception {
        open();
        byte[] bytes = new byte[256];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) i;
        }
        business.does((call, number) -> ServiceResponse.of(200)
                .with("Content-Type", "application/octet-stream")
                .piece(bytes));
        RawRequest request = RawRequest.post(key());
        ReceivedResponse first = ask(request).first(200);
        assertThat(first.body()).isEqualTo(bytes);
        ask(request).replays(first);
    }

    @Test
    void h19_a_text_is_replayed_in_its_own_charset() throws Exception {
        open();
        byte[] latin = {'c', 'a', 'f', (byte) 0xe9};
        business.does((call, number) -> ServiceResponse.of(200)
                .with("Content-Type", "text/plain;charset=ISO-8859-1")
                .piece(latin));
        RawRequest request = RawRequest.post(key());
        ReceivedResponse first = ask(request).first(200);
        assertThat(first.body()).isEqualTo(latin);
        ask(request).replays(first);
    }

    @Test
    void h19_a_route_may_keep_successes_only() throws Exception {
        open(AdapterSetup.plain().policy(policy -> policy.storeOnlySuccess(true)));
        business.does((call, number) -> number == 3
                ? ServiceResponse.of(200)
                : ServiceResponse.of(number == 1 ? 404 : 302).thrown());
        RawRequest request = RawRequest.post(key());
        ask(request).first(404);
        ask(request).first(302);
        again(ask(request).first(200), request);
        executed(3);
        keepsWhatWasReturned(ServiceResponse.of(404));
    }

    @Test
    void h19_a_route_may_name_more_that_is_not_kept() throws Exception {
        open(AdapterSetup.plain().policy(policy -> policy.neverStore(409)));
        business.does((call, number) -> number == 1 ? ServiceResponse.of(409).thrown() : ServiceResponse.of(200));
        RawRequest request = RawRequest.post(key());
        ask(request).first(409);
        again(ask(request).first(200), request);
        executed(2);
        keepsWhatWasReturned(ServiceResponse.of(409));
    }

    @ParameterizedTest
    @ValueSource(ints = {500, 501, 502, 503, 504, 507})
    void h20_an_answer_of_500_or_above_is_replayed(int status) throws Exception {
        open();
        business.does((call, number) -> ServiceResponse.json(status, "{\"number\":" + number + "}"));
        RawRequest request = RawRequest.post(key());
        again(ask(request).first(status), request);
        executed(1);
    }

    @Test
    void h20_a_route_may_try_again_after_500() throws Exception {
        open(meaning(On5xx.RETRY));
        business.does((call, number) -> number < 3 ? ServiceResponse.of(503).thrown() : ServiceResponse.of(200));
        RawRequest request = RawRequest.post(key());
        ask(request).first(503);
        ask(request).first(503);
        again(ask(request).first(200), request);
        executed(3);
        keepsWhatWasReturned(ServiceResponse.of(503));
    }

    @Test
    void h20_a_route_may_take_500_for_an_outcome_that_nobody_knows() throws Exception {
        open(meaning(On5xx.UNKNOWN));
        business.does((call, number) -> ServiceResponse.json(500, "{\"number\":" + number + "}"));
        RawRequest request = RawRequest.post(key());
        ReceivedResponse first = ask(request).first(500);
        assertThat(first.text()).isEqualTo("{\"number\":1}");
        if (joins()) {
            again(first, request);
        } else {
            ask(request).problem(409, "outcome-unknown").comeBack();
        }
        executed(1);
    }

    @ParameterizedTest
    @EnumSource(On5xx.class)
    void h20_an_answer_of_500_that_was_not_executed_is_not_kept(On5xx meaning) throws Exception {
        open(meaning(meaning));
        ServiceResponse nothing = ServiceResponse.of(503).with("Onefold-Outcome", "not-executed");
        business.does((call, number) -> number == 1 ? nothing.thrown() : ServiceResponse.of(200));
        RawRequest request = RawRequest.post(key());
        ask(request).first(503);
        again(ask(request).first(200), request);
        executed(2);
        keepsWhatWasReturned(nothing);
    }

    @Test
    void h20_h23_what_nobody_knows_is_not_tried_again_whatever_500_means() throws Exception {
        open(meaning(On5xx.RETRY));
        business.does((call, number) -> {
            throw new IllegalStateException("in mid-work");
        });
        RawRequest request = RawRequest.post(key());
        // an application has answered 500 by throwing, which means that it may be tried again; a service that hangs up
        // has not
        boolean answered = !ask(request).text().contains("upstream-silent");
        ReceivedResponse again = ask(request);
        if (!answered) {
            again.problem(409, "outcome-unknown");
        }
        executed(answered ? 2 : 1);
    }

    @Test
    void h21_what_has_thrown_is_not_executed_again() throws Exception {
        open();
        business.does((call, number) -> {
            throw new IllegalStateException("in mid-work");
        });
        RawRequest request = RawRequest.post(key());
        ReceivedResponse first = ask(request);
        assertThat(first.status()).as("%s", first).isBetween(500, 504);
        assertThat(first.has("Idempotent-Replayed")).isFalse();
        assertThat(first.text()).doesNotContain("in mid-work");
        // an application has answered 500 by throwing; of a service that hangs up, nobody knows; what was rolled back
        // never was
        ReceivedResponse again = ask(request);
        if (joins()) {
            again.first(first.status());
            executed(2);
            return;
        }
        if (again.replayed()) {
            again.replays(first);
        } else {
            again.problem(409, "outcome-unknown").comeBack();
        }
        executed(1);
    }

    @Test
    void h21_an_exception_of_one_request_does_not_touch_another() throws Exception {
        open();
        business.does((call, number) -> {
            if (number == 1) {
                throw new IllegalStateException("in mid-work");
            }
            return ServiceResponse.json(201, "{}");
        });
        ask(RawRequest.post(key()));
        runsOnce(RawRequest.post(key()));
    }

    @Test
    void h30_a_redirect_is_replayed_and_not_followed() throws Exception {
        open();
        business.does((call, number) -> ServiceResponse.of(303).with("Location", "/orders/" + number));
        RawRequest request = RawRequest.post(key());
        ReceivedResponse first = ask(request).first(303);
        ReceivedResponse again = ask(request).replays(first);
        assertThat(first.header("Location")).endsWith("/orders/1");
        assertThat(again.header("Location")).isEqualTo(first.header("Location"));
        executed(1);
    }

    private static AdapterSetup meaning(On5xx meaning) {
        return AdapterSetup.plain().policy((HttpPolicy policy) -> policy.on5xx(meaning));
    }
}
