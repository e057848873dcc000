package io.onefold.http.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.onefold.http.HttpPolicy;
import io.onefold.http.Route;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Cases for malicious requests and responses. */
abstract class AttackCases extends AdapterCases {
    AttackCases(AdapterContract contract) {
        super(contract);
    }

    @Test
    void s16_a_folded_header_is_refused_or_one_line() throws Exception {
        open();
        RawRequest request = RawRequest.post("").without("Idempotency-Key");
        ReceivedResponse answer = ask(request.line("Idempotency-Key: a\r\n b"));
        assertThat(answer.status()).as("%s", answer).isEqualTo(400);
        leavesFree(RawRequest.post("a"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"Idempotency_Key", "Idempotency-Key-", "X-Idempotency-Key", "Idempotency.Key"})
    void s16_names_that_look_alike_are_other_headers(String name) throws Exception {
        open();
        String key = key();
        RawRequest keyless = RawRequest.post("").without("Idempotency-Key").with(name, key);
        runsTwice(keyless);
        runsOnce(keyless.key(key()));
    }

    @Test
    void s16_a_space_before_the_colon_smuggles_no_key() throws Exception {
        open();
        String key = key();
        RawRequest request = RawRequest.post("").without("Idempotency-Key");
        ReceivedResponse answer = ask(request.line("Idempotency-Key : " + key));
        assertThat(answer.status()).as("%s", answer).isEqualTo(400);
        executed(0);
        ask(RawRequest.post(key)).first(201);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/payments/",
                "/PAYMENTS",
                "/Payments/",
                "/payments%2f",
                "/payments%2F",
                "//payments",
                "/payments//",
                "/%70ayments",
                "/payments;a=b",
                "/payments/;a=b",
                "/payments%5c",
                "/payments%252f",
                "/%2fpayments",
                "/payments%3Ba",
                "/x/%2e%2e/payments",
                "/x%2f..%2fpayments",
                "/payments/%2e",
                "/payments/./",
            })
    void s16_no_spelling_of_a_path_evades_a_route_that_asks_for_a_key(String path) throws Exception {
        open(AdapterSetup.plain()
                .route(Route.of("POST", "/payments")
                        .policy(HttpPolicy.unchanged().required(true)))
                .route(Route.of("POST", "/**")));
        ReceivedResponse answer =
                ask(RawRequest.post("").without("Idempotency-Key").to(path).with("Connection", "close"));
        assertThat(answer.status()).as("%s", answer).isBetween(400, 499);
        executed(0);
    }

    @Test
    void s16_spellings_that_lead_to_no_other_route_pass() throws Exception {
        open(AdapterSetup.plain()
                .route(Route.of("POST", "/payments")
                        .policy(HttpPolicy.unchanged().required(true)))
                .route(Route.of("POST", "/**")));
        for (String path : List.of("/caf%C3%A9", "/orders;a=b", "/payments/1", "/payment")) {
            runsOnce(RawRequest.post(key()).to(path));
        }
        open(AdapterSetup.plain()
                .route(Route.of("POST", "/payments")
                        .policy(HttpPolicy.unchanged()
                                .required(true)
                                .ignoreCase(false)
                                .ignoreTrailingSlash(false)))
                .route(Route.of("POST", "/**")));
        for (String path : List.of("/payments/", "/PAYMENTS")) {
            ask(RawRequest.post("").without("Idempotency-Key").to(path)).first(201);
        }
    }

    @Test
    void s16_headers_of_our_own_that_a_client_sends_do_not_reach_its_answer() throws Exception {
        open();
        RawRequest request = RawRequest.post(key())
                .with("Idempotent-Replayed", "true")
                .with("Onefold-Stored", "false")
                .with("Onefold-Outcome", "not-executed");
        ReceivedResponse first = ask(request).first(201);
        assertThat(first.has("Onefold-Stored")).isFalse();
        ask(request).replays(first);
        executed(1);
    }

    @Test
    void s16_two_lengths_smuggle_no_second_request() throws Exception {
        open();
        RawRequest request = RawRequest.post(key());
        try (RawConnection wire = wire()) {
            wire.send(request.with("Content-Length", "5")
                    .with("Content-Length", "6")
                    .head());
            wire.send("{\"a\":1}");
            assertThat(wire.read("POST").status()).isEqualTo(400);
        }
        leavesFree(request);
    }

    @Test
    void s17_a_value_that_begins_another_line_begins_none() throws Exception {
        open(AdapterSetup.plain().policy(policy -> policy.storeHeaders("X-Note")));
        business.does((call, number) -> ServiceResponse.json(201, "{}")
                .with("Location", "/orders/1\r\nX-Evil: 1\r\nSet-Cookie: evil=1")
                .with("X-Note", "a\nX-Evil: 2"));
        RawRequest request = RawRequest.post(key());
        for (int i = 0; i < 2; i++) {
            ReceivedResponse answer = ask(request);
            assertThat(answer.has("X-Evil")).as("%s", answer).isFalse();
            assertThat(answer.has("Set-Cookie")).as("%s", answer).isFalse();
        }
    }

    @Test
    void s17_a_key_that_begins_another_line_begins_none() throws Exception {
        open();
        for (String key : List.of("\"a\\\r\nX-Evil: 1\"", "a\rX-Evil: 1", "a%0d%0aX-Evil:%201")) {
            ReceivedResponse answer = ask(RawRequest.post(key));
            assertThat(answer.has("X-Evil")).as("%s", answer).isFalse();
        }
    }

    @Test
    void s13_a_client_that_sends_slowly_keeps_nobody_waiting() throws Exception {
        open();
        RawConnection[] slow = new RawConnection[40];
        try {
            for (int i = 0; i < slow.length; i++) {
                slow[i] = wire();
                slow[i].send(RawRequest.post(key()).inChunks().head());
                slow[i].send("1\r\n{\r\n");
            }
            runsOnce(RawRequest.post(key()));
        } finally {
            for (RawConnection wire : Arrays.asList(slow)) {
                if (wire != null) {
                    wire.reset();
                }
            }
        }
    }

    @Test
    void s13_clients_that_send_slowly_hold_no_thread_each() throws Exception {
        open();
        runsOnce(RawRequest.post(key()));
        int before = Thread.getAllStackTraces().size();
        List<RawConnection> slow = new ArrayList<>();
        try {
            for (int i = 0; i < 150; i++) {
                RawConnection wire = wire();
                slow.add(wire);
                wire.send(RawRequest.post(key()).inChunks().head());
                wire.send("1\r\n{\r\n");
            }
            runsOnce(RawRequest.post(key()));
            assertThat(Thread.getAllStackTraces().size() - before)
                    .as("threads for 150 clients")
                    .isLessThan(30);
        } finally {
            for (RawConnection wire : slow) {
                wire.reset();
            }
        }
    }

    @Test
    void s13_json_that_is_nested_without_end_is_no_trouble() throws Exception {
        open();
        RawRequest request = RawRequest.post(key()).json("[".repeat(500_000) + "]".repeat(500_000));
        runsOnce(request);
        ask(request.json("[".repeat(499_999) + "]".repeat(499_999))).problem(422, "key-reused");
    }

    @Test
    void s01_a_key_that_another_has_claimed_first_locks_nobody_out() throws Exception {
        open(AdapterSetup.plain().authenticated());
        RawRequest request = RawRequest.post(key());
        CompletableFuture<ReceivedResponse> mallory = beginHeld(request.user("mallory"));
        CompletableFuture<ReceivedResponse> alice = begin(request.user("alice"));
        business.awaitHeld(2);
        business.release();
        alice.get().first(201);
        mallory.get().first(201);
        executed(2);
    }
}
