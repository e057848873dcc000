package io.onefold.http.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.onefold.http.HttpPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Duplicates that come while the first is at work, or when nobody knows what became of it. */
abstract class WaitCases extends AdapterCases {
    WaitCases(AdapterContract contract) {
        super(contract);
    }

    @Test
    void h22_of_many_at_once_one_is_executed_and_all_get_its_answer() throws Exception {
        open(AdapterSetup.plain().policy(policy -> policy.waitFor(Duration.ofSeconds(15))));
        RawRequest request = RawRequest.post(key());
        for (int round = 1; round <= 5; round++) {
            RawRequest fresh = RawRequest.post(key());
            List<CompletableFuture<ReceivedResponse>> answers = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                answers.add(begin(fresh));
            }
            int executed = 0;
            for (CompletableFuture<ReceivedResponse> answer : answers) {
                ReceivedResponse received = answer.get();
                assertThat(received.status()).as("%s", received).isEqualTo(201);
                assertThat(received.text()).isEqualTo("{\"number\":" + round + "}");
                executed += received.replayed() ? 0 : 1;
            }
            assertThat(executed).as("answers that are not replayed").isEqualTo(1);
            executed(round);
        }
        runsOnce(request);
    }

    @Test
    void h22_b15_duplicates_wait_for_the_first() throws Exception {
        AdapterSetup setting = open(AdapterSetup.plain().policy(policy -> policy.waitFor(Duration.ofSeconds(15))));
        RawRequest request = RawRequest.post(key());
        CompletableFuture<ReceivedResponse> first = beginHeld(request);
        List<CompletableFuture<ReceivedResponse>> others = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            others.add(begin(request));
        }
        setting.kitStore().awaitMet(5);
        business.release();
        for (CompletableFuture<ReceivedResponse> other : others) {
            other.get().replays(first.get().first(201));
        }
        executed(1);
    }

    @Test
    void h22_who_has_waited_long_enough_is_told_to_come_back() throws Exception {
        open(AdapterSetup.plain().policy(policy -> policy.waitFor(Duration.ofMillis(200))));
        RawRequest request = RawRequest.post(key());
        CompletableFuture<ReceivedResponse> first = beginHeld(request);
        long begun = System.nanoTime();
        ReceivedResponse busy = ask(request).problem(409, "in-progress").comeBack();
        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isGreaterThanOrEqualTo(Duration.ofMillis(200));
        assertThat(busy.member("retryable")).isEqualTo("true");
        business.release();
        again(first.get().first(201), request);
        executed(1);
    }

    @Test
    void h22_two_seconds_are_long_enough_unless_another_time_was_chosen() throws Exception {
        open();
        RawRequest request = RawRequest.post(key());
        CompletableFuture<ReceivedResponse> first = beginHeld(request);
        long begun = System.nanoTime();
        ask(request).problem(409, "in-progress").comeBack();
        assertThat(Duration.ofNanos(System.nanoTime() - begun))
                .isBetween(Duration.ofSeconds(2), Duration.ofSeconds(10));
        business.release();
        first.get().first(201);
    }

    @Test
    void h22_nobody_waits_where_that_was_chosen() throws Exception {
        open(rejecting(policy -> policy));
        RawRequest request = RawRequest.post(key());
        CompletableFuture<ReceivedResponse> first = beginHeld(request);
        for (int i = 0; i < 5; i++) {
            ask(request).problem(409, "in-progress").comeBack();
        }
        business.release();
        first.get().first(201);
        executed(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {423, 425, 429, 503})
    void h22_being_handled_may_have_another_status(int status) throws Exception {
        open(rejecting(policy -> policy.busyStatus(status)));
        RawRequest request = RawRequest.post(key());
        CompletableFuture<ReceivedResponse> first = beginHeld(request);
        ask(request).problem(status, "in-progress").comeBack();
        business.release();
        first.get().first(201);
    }

    @Test
    void h22_only_so_many_wait_for_one_request() throws Exception {
        open(AdapterSetup.plain().policy(policy -> policy.waitFor(Duration.ofSeconds(30))));
        RawRequest request = RawRequest.post(key());
        CompletableFuture<ReceivedResponse> first = beginHeld(request);
        List<CompletableFuture<ReceivedResponse>> others = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            others.add(begin(request));
        }
        // four of them are told at once, the others wait for the first
        BlockingQueue<ReceivedResponse> told = new LinkedBlockingQueue<>();
        for (CompletableFuture<ReceivedResponse> other : others) {
            var unused = other.thenAccept(told::add);
        }
        for (int i = 0; i < 4; i++) {
            ReceivedResponse one = told.poll(20, TimeUnit.SECONDS);
            assertThat(one).as("one of four that do not wait").isNotNull();
            one.problem(409, "in-progress").comeBack();
        }
        business.release();
        long replayed = 0;
        for (CompletableFuture<ReceivedResponse> other : others) {
            replayed += other.get().replayed() ? 1 : 0;
        }
        assertThat(replayed).isEqualTo(16);
        first.get().first(201);
        executed(1);
    }

    @Test
    void h22_a_duplicate_hears_that_the_first_has_failed_where_waiters_share_that() throws Exception {
        AdapterSetup setting = open(AdapterSetup.plain()
                .policy(policy -> policy.waitFor(Duration.ofSeconds(30))
                        .on5xx(HttpPolicy.On5xx.RETRY)
                        .waitersShareFailure(true)));
        ServiceResponse failure = ServiceResponse.of(500).piece("the account of somebody else");
        business.does((call, number) -> number > 1 ? ServiceResponse.of(201) : failure.thrown());
        RawRequest request = RawRequest.post(key());
        CompletableFuture<ReceivedResponse> first = beginHeld(request);
        CompletableFuture<ReceivedResponse> second = begin(request);
        // once before it waits, and once when it does
        setting.kitStore().awaitMet(2);
        business.release();
        assertThat(first.get().status()).isEqualTo(500);
        ReceivedResponse told = second.get().problem(503, "attempt-failed").comeBack();
        assertThat(told.member("retryable")).isEqualTo("true");
        assertThat(told.text()).doesNotContain("account");
        executed(1);
        again(ask(request).first(201), request);
        executed(2);
    }

    @Test
    void h22_a_duplicate_that_hangs_up_while_it_waits_changes_nothing() throws Exception {
        AdapterSetup setting = open(AdapterSetup.plain().policy(policy -> policy.waitFor(Duration.ofSeconds(15))));
        RawRequest request = RawRequest.post(key());
        CompletableFuture<ReceivedResponse> first = beginHeld(request);
        try (RawConnection impatient = wire()) {
            impatient.send(request);
            setting.kitStore().awaitMet(1);
            impatient.reset();
        }
        CompletableFuture<ReceivedResponse> other = begin(request);
        business.release();
        other.get().replays(first.get().first(201));
        executed(1);
    }

    @Test
    void h23_nobody_knows_what_became_of_a_request_whose_owner_is_silent() throws Exception {
        AdapterSetup setting = openLeased(rejecting(policy -> policy));
        RawRequest request = RawRequest.post(key());
        CompletableFuture<ReceivedResponse> first = beginHeld(request);
        openAfterLeased(setting);
        setting.kitStore().pass(Duration.ofHours(1));
        for (int i = 0; i < 2; i++) {
            ReceivedResponse unknown =
                    ask(request).problem(409, "outcome-unknown").comeBack();
            assertThat(unknown.member("retryable")).isEqualTo("false");
        }
        ask(request.json("{}")).problem(422, "key-reused");
        business.release();
        // what the owner says after all is the answer
        ReceivedResponse late = first.get().first(201);
        if (joins()) {
            // of an answer that another has kept only this is read
            ask(request).problem(409, "result-not-replayable");
        } else {
            ask(request).replays(late);
        }
        executed(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {500, 503})
    void h23_not_knowing_may_have_another_status(int status) throws Exception {
        AdapterSetup setting = openLeased(AdapterSetup.plain()
                .policy(policy -> policy.on5xx(HttpPolicy.On5xx.UNKNOWN).unknownStatus(status)));
        business.does((call, number) -> ServiceResponse.of(500));
        RawRequest request = RawRequest.post(key());
        ask(request).first(500);
        openAfterLeased(setting);
        ask(request).problem(status, "outcome-unknown").comeBack();
        executed(1);
    }

    @Test
    void h23_a_route_that_is_safe_to_repeat_is_repeated() throws Exception {
        AdapterSetup setting = openLeased(AdapterSetup.plain()
                .policy(policy -> policy.on5xx(HttpPolicy.On5xx.UNKNOWN).safeToRepeat(true)));
        business.does((call, number) -> number == 1 ? ServiceResponse.of(500) : ServiceResponse.of(200));
        RawRequest request = RawRequest.post(key());
        ask(request).first(500);
        openAfterLeased(setting);
        ask(request).first(200);
        executed(2);
    }

    @Test
    void h37_b12_a_client_that_hangs_up_does_not_stop_what_it_began() throws Exception {
        open(AdapterSetup.plain().policy(policy -> policy.waitFor(Duration.ofSeconds(15))));
        RawRequest request = RawRequest.post(key());
        business.hold();
        try (RawConnection impatient = wire()) {
            impatient.send(request);
            business.awaitHeld(1);
            impatient.reset();
        }
        business.release();
        ReceivedResponse again = ask(request);
        assertThat(again.status()).as("%s", again).isEqualTo(201);
        assertThat(again.replayed()).as("%s", again).isTrue();
        assertThat(again.text()).isEqualTo("{\"number\":1}");
        executed(1);
    }

    @Test
    void h37_b12_a_client_that_hangs_up_in_a_long_answer_does_not_stop_it() throws Exception {
        open(AdapterSetup.plain().policy(policy -> policy.waitFor(Duration.ofSeconds(15))));
        RawRequest request = RawRequest.post(key());
        business.does((call, number) -> {
            business.hold();
            return ServiceResponse.of(200)
                    .with("Content-Type", "text/event-stream")
                    .with("Location", "/streams/1")
                    .piece("data: one\n\n")
                    .piece("data: two\n\n".repeat(1000));
        });
        try (RawConnection impatient = wire()) {
            impatient.send(request);
            assertThat(impatient.readHead().status()).isEqualTo(200);
            impatient.reset();
        }
        business.release();
        assertThat(notReplayed(request).header("Location")).endsWith("/streams/1");
        executed(1);
    }

    @Test
    void h37_events_without_an_end_are_stopped_when_their_client_has_left_and_their_time_is_over() throws Exception {
        Duration time = Duration.ofSeconds(1);
        open(AdapterSetup.plain().policy(policy -> policy.waitFor(time).lease(time, time)));
        ServiceResponse endless = ServiceResponse.of(200)
                .with("Content-Type", "text/event-stream")
                .piece("data: one\n\n")
                .neverEnds();
        business.does((call, number) -> number == 1 ? endless : ServiceResponse.of(204));
        RawRequest request = RawRequest.post(key());
        try (RawConnection impatient = wire()) {
            impatient.send(request);
            assertThat(impatient.readHead().status()).isEqualTo(200);
            impatient.reset();
        }
        business.awaitStopped(1);
        if (joins()) {
            ask(request).first(204); // it was rolled back
        } else {
            ask(request).problem(409, "outcome-unknown");
        }
        executed(joins() ? 2 : 1);
    }

    private static AdapterSetup rejecting(java.util.function.UnaryOperator<HttpPolicy> more) {
        return AdapterSetup.plain().policy(policy -> more.apply(policy.waitFor(Duration.ZERO)));
    }
}
