package io.onefold.http.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.onefold.http.BodyRules;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Cases for the arrival of request bodies. */
abstract class UploadCases extends AdapterCases {
    private static final int MAX = 10 << 20;

    UploadCases(AdapterContract contract) {
        super(contract);
    }

    @Test
    void h12_a_body_of_ten_mebibytes_arrives_whole() throws Exception {
        open();
        byte[] bytes = random(MAX);
        RawRequest request = RawRequest.post(key()).body("application/octet-stream", bytes);
        runsOnce(request);
        assertThat(Arrays.equals(business.calls().get(0).body(), bytes)).isTrue();
        bytes[MAX - 1]++;
        ask(request).problem(422, "key-reused");
    }

    @Test
    void h12_a_larger_body_is_refused_by_its_announced_length() throws Exception {
        open();
        String key = key();
        RawRequest request = RawRequest.post(key).with("Content-Length", String.valueOf(MAX + 1));
        try (RawConnection wire = wire()) {
            wire.send(request.head());
            wire.read("POST").problem(413, "body-too-large");
        }
        executed(0);
        runsOnce(RawRequest.post(key));
    }

    @Test
    void h12_a_larger_body_is_refused_while_it_comes() throws Exception {
        open();
        String key = key();
        RawRequest request = RawRequest.post(key)
                .body("application/octet-stream", random(MAX + 1))
                .inChunks();
        ask(request).problem(413, "body-too-large");
        executed(0);
        runsOnce(RawRequest.post(key));
    }

    @Test
    void h12_a_route_may_take_less() throws Exception {
        open(AdapterSetup.plain()
                .policy(policy -> policy.body(BodyRules.standard().max(10))));
        RawRequest request = RawRequest.post(key());
        ask(request.json("[123456789]")).problem(413, "body-too-large");
        ask(request.json("[123456789]").inChunks()).problem(413, "body-too-large");
        runsOnce(request.json("[12345678]"));
    }

    @Test
    void h12_h13_a_body_without_a_key_has_no_limit_and_is_not_waited_for() throws Exception {
        open();
        byte[] bytes = random(MAX + (1 << 20));
        RawRequest request = RawRequest.post("").without("Idempotency-Key").body("application/octet-stream", bytes);
        for (RawRequest sent : new RawRequest[] {request, request.inChunks()}) {
            byte[] content = sent.content();
            int before = business.executions();
            try (RawConnection wire = wire()) {
                wire.send(sent.head());
                wire.send(Arrays.copyOf(content, content.length / 2));
                // far less than was sent, and far more than any head
                business.awaitArrived(before * (long) content.length + content.length / 2 - (1 << 20));
                executed(before);
                wire.send(Arrays.copyOfRange(content, content.length / 2, content.length));
                wire.read("POST").first(201);
            }
            assertThat(Arrays.equals(business.calls().get(before).body(), bytes))
                    .isTrue();
        }
    }

    @Test
    void h13_a_body_in_chunks_is_the_same_as_one_of_known_length() throws Exception {
        open();
        RawRequest request = RawRequest.post(key());
        replays(request.inChunks(), request);
        assertThat(business.calls().get(0).body()).isEqualTo(request.body());
    }

    @Test
    void h13_nothing_is_claimed_before_the_last_byte() throws Exception {
        open();
        RawRequest request = RawRequest.post(key());
        try (RawConnection slow = wire()) {
            slow.send(request.inChunks().head());
            slow.send("5\r\n{\"amo\r\n");
            RawRequest other = request.json("{\"amount\":11}");
            ReceivedResponse first = ask(other).first(201);
            slow.send("0\r\n\r\n");
            slow.read("POST").problem(422, "key-reused");
            ask(other).replays(first);
        }
        executed(1);
    }

    @Test
    void h13_a_client_that_hangs_up_while_it_sends_has_claimed_nothing() throws Exception {
        open();
        RawRequest request = RawRequest.post(key());
        try (RawConnection broken = wire()) {
            broken.send(request.with("Content-Length", "1000").head());
            broken.send("{\"amo");
            broken.reset();
        }
        try (RawConnection broken = wire()) {
            broken.send(request.inChunks().head());
            broken.send("5\r\n{\"amo\r\n");
            broken.reset();
        }
        runsOnce(request);
    }

    @Test
    void h13_a_body_in_broken_chunks_is_not_executed() throws Exception {
        open();
        RawRequest request = RawRequest.post(key());
        try (RawConnection broken = wire()) {
            broken.send(request.inChunks().head());
            broken.send("5\r\n{\"amo\r\nnonsense\r\n\r\n");
            assertThat(broken.read("POST").status()).isEqualTo(400);
        }
        executed(0);
        runsOnce(request);
    }

    @Test
    void h14_a_key_that_is_refused_is_refused_before_the_body_is_asked_for() throws Exception {
        open(AdapterSetup.plain().authenticated().policy(policy -> policy.required(true)));
        RawRequest request = RawRequest.post("").with("Expect", "100-continue").user("alice");
        assertThat(headOnly(request).problem(400, "key-invalid").interim()).isEmpty();
        assertThat(headOnly(request.without("Idempotency-Key"))
                        .problem(400, "key-missing")
                        .interim())
                .isEmpty();
        RawRequest nobody =
                request.without(AdapterSetup.USER).without("Idempotency-Key").key(key());
        assertThat(headOnly(nobody).problem(401, "unauthenticated").interim()).isEmpty();
        executed(0);
    }

    @Test
    void h14_h29_the_body_of_a_good_request_is_asked_for() throws Exception {
        open();
        RawRequest request = RawRequest.post(key()).with("Expect", "100-continue");
        ReceivedResponse first;
        try (RawConnection wire = wire()) {
            wire.send(request.head());
            assertThat(wire.readHead().status()).isEqualTo(100);
            wire.send(request.content());
            first = wire.read("POST").first(201);
        }
        ReceivedResponse again = ask(request.without("Expect")).replays(first);
        assertThat(again.interim()).isEmpty();
        executed(1);
    }

    private ReceivedResponse headOnly(RawRequest request) throws Exception {
        try (RawConnection wire = wire()) {
            wire.send(request.head());
            return wire.read("POST");
        }
    }

    private static byte[] random(int length) {
        byte[] bytes = new byte[length];
        new SplittableRandom(7).nextBytes(bytes);
        return bytes;
    }
}
