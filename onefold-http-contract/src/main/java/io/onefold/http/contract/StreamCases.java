package io.onefold.http.contract;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.onefold.http.HttpPolicy;
import java.time.Duration;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Answers that are too long to be kept, or have no end. */
abstract class StreamCases extends AdapterCases {
    private static final int MAX = 256 << 10;

    StreamCases(AdapterContract contract) {
        super(contract);
    }

    @Test
    void h27_an_answer_of_256_kibibytes_is_replayed() throws Exception {
        open();
        answering(MAX);
        RawRequest request = RawRequest.post(key());
        ReceivedResponse first = ask(request).first(200);
        assertThat(first.body()).hasSize(MAX);
        ask(request).replays(first);
        executed(1);
    }

    @Test
    void h27_a_longer_answer_reaches_the_first_caller_whole_and_nobody_else() throws Exception {
        open();
        byte[] bytes = answering(MAX + 1);
        RawRequest request = RawRequest.post(key());
        ReceivedResponse first = ask(request).first(200);
        assertThat(Arrays.equals(first.body(), bytes)).isTrue();
        if (joins()) {
            ask(request).replays(first); // made again of what was returned
            executed(1);
            return;
        }
        for (int i = 0; i < 2; i++) {
            ReceivedResponse again = ask(request).problem(409, "result-not-replayable");
            assertThat(again.header("Location")).isEqualTo(first.header("Location"));
            assertThat(again.header("ETag")).isEqualTo("\"v1\"");
            assertThat(again.member("retryable")).isEqualTo("false");
        }
        executed(1);
    }

    @Test
    void h27_a_much_longer_answer_reaches_the_first_caller_whole() throws Exception {
        open();
        byte[] piece = new byte[100_000];
        Arrays.fill(piece, (byte) 'x');
        business.does((call, number) -> {
            ServiceResponse reply =
                    ServiceResponse.of(200).with("Content-Type", "text/plain").with("Location", "/reports/1");
            for (int i = 0; i < 50; i++) {
                reply = reply.piece(piece);
            }
            return reply;
        });
        RawRequest request = RawRequest.post(key());
        assertThat(ask(request).first(200).body()).hasSize(50 * piece.length);
        assertThat(notReplayed(request).header("Location")).endsWith("/reports/1");
        executed(1);
    }

    @Test
    void h27_a_route_may_keep_less() throws Exception {
        open(AdapterSetup.plain().policy(policy -> policy.maxAnswerBytes(10)));
        RawRequest request = RawRequest.post(key());
        answering(10);
        again(ask(request).first(200), request);
        RawRequest other = RawRequest.post(key());
        answering(11);
        ReceivedResponse longer = ask(other).first(200);
        if (joins()) {
            ask(other).replays(longer); // made again of what was returned
        } else {
            ask(other).problem(409, "result-not-replayable");
        }
        executed(2);
    }

    @Test
    void h27_a_route_may_keep_no_body_at_all() throws Exception {
        AdapterSetup setting = open(AdapterSetup.plain().policy(policy -> policy.storeBody(false)));
        RawRequest request = RawRequest.post(key());
        ReceivedResponse first = ask(request).first(201);
        assertThat(first.text()).isEqualTo("{\"number\":1}");
        ReceivedResponse again = ask(request).problem(409, "result-not-replayable");
        assertThat(again.header("Location")).isEqualTo(first.header("Location"));
        executed(1);
        if (joins()) {
            // nor what it was made of, until the answer is known
            setting.kitStore().losesCompletions(true);
            RawRequest other = RawRequest.post(key());
            ask(other).first(201);
            ask(other).problem(409, "result-not-replayable");
            executed(2);
        }
    }

    @Test
    void h27_an_answer_too_long_is_the_same_to_a_request_that_differs() throws Exception {
        open();
        answering(MAX + 1);
        RawRequest request = RawRequest.post(key());
        ask(request).first(200);
        ask(request.json("{\"amount\":11}")).problem(422, "key-reused");
    }

    @Test
    void h28_events_reach_the_first_caller_as_they_happen() throws Exception {
        open(AdapterSetup.plain().policy(policy -> policy.waitFor(Duration.ZERO)));
        RawRequest request = RawRequest.post(key());
        business.does((call, number) -> {
            business.hold();
            return ServiceResponse.of(200)
                    .with("Content-Type", "text/event-stream")
                    .piece("data: one\n\n")
                    .piece("data: two\n\n");
        });
        try (RawConnection wire = wire()) {
            wire.send(request);
            ReceivedResponse head = wire.readHead();
            assertThat(head.status()).isEqualTo(200);
            assertThat(head.header("Content-Type")).startsWith("text/event-stream");
            assertThat(new String(wire.chunk(), UTF_8)).isEqualTo("data: one\n\n");
            ask(request).problem(409, "in-progress");
            business.release();
            assertThat(new String(wire.chunk(), UTF_8)).isEqualTo("data: two\n\n");
            assertThat(wire.chunk()).isEmpty();
        }
        executed(1);
    }

    @Test
    void h28_events_are_not_replayed() throws Exception {
        open();
        events();
        RawRequest request = RawRequest.post(key());
        assertThat(ask(request).first(200).text()).isEqualTo("data: one\n\ndata: two\n\n");
        ask(request).problem(409, "result-not-replayable");
        executed(1);
    }

    @Test
    void h28_who_asks_for_events_where_a_key_is_required_is_refused() throws Exception {
        open(AdapterSetup.plain().policy(policy -> policy.required(true)));
        refuses(RawRequest.post(key()).with("Accept", "text/event-stream"), "not-supported");
    }

    @Test
    void h28_a_route_may_refuse_events_or_let_them_pass() throws Exception {
        open(streaming(HttpPolicy.StreamHandling.REJECT));
        refuses(RawRequest.post(key()).with("Accept", "text/event-stream"), "not-supported");
        open(streaming(HttpPolicy.StreamHandling.BYPASS));
        events();
        RawRequest request = RawRequest.post(key()).with("Accept", "text/event-stream");
        ask(request).first(200);
        ask(request).first(200);
        executed(2);
    }

    @Test
    void h28_an_answer_in_pieces_that_ends_is_replayed_whole() throws Exception {
        open();
        business.does((call, number) -> ServiceResponse.of(200)
                .with("Content-Type", "text/plain")
                .piece("one ")
                .piece("two ")
                .piece("three"));
        RawRequest request = RawRequest.post(key());
        ReceivedResponse first = ask(request).first(200);
        assertThat(first.text()).isEqualTo("one two three");
        ask(request).replays(first);
        executed(1);
    }

    private void events() {
        business.does((call, number) -> ServiceResponse.of(200)
                .with("Content-Type", "text/event-stream")
                .piece("data: one\n\n")
                .piece("data: two\n\n"));
    }

    private byte[] answering(int length) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) ('a' + i % 26);
        }
        business.does((call, number) -> ServiceResponse.of(200)
                .with("Content-Type", "text/plain")
                .with("Location", "/reports/1")
                .with("ETag", "\"v1\"")
                .piece(bytes));
        return bytes;
    }

    private static AdapterSetup streaming(HttpPolicy.StreamHandling streaming) {
        return AdapterSetup.plain().policy(policy -> policy.streaming(streaming));
    }
}
