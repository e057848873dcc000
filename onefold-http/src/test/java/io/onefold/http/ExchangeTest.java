package io.onefold.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.onefold.Onefold;
import io.onefold.TokenStore;
import io.onefold.store.StoreException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What goes wrong around a request that is or was carried out. */
class ExchangeTest {
    private static final HandlerResponse CREATED = HandlerResponse.of(201, List.of(), bytes("made"));
    private static final HttpPolicy OPEN = HttpPolicy.unchanged().openOnStoreFailure(true);

    /** All of them. */
    private static final TokenStore VALID = new TokenStore() {
        @Override
        public String issue(String operation, String user) {
            return "token";
        }

        @Override
        public TokenCheck check(String token, String operation, String user) {
            return TokenCheck.VALID;
        }

        @Override
        public void remove(String token) {}

        @Override
        public Duration life() {
            return Duration.ofMinutes(1);
        }
    };

    private final BreakableStore store = new BreakableStore();
    private final AtomicInteger executions = new AtomicInteger();

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private HttpContract.Builder builder() {
        return HttpContract.builder(Onefold.on(store)).defaults(OPEN);
    }

    private static FakeHead order(String key) {
        return FakeHead.post("/orders").with("Idempotency-Key", key);
    }

    private CompletableFuture<OutgoingResponse> begin(HttpContract contract, FakeHead head, String body)
            throws Exception {
        ProtectedExchange exchange = (ProtectedExchange) contract.plan(head);
        exchange.spool().write(bytes(body), 0, body.length());
        return exchange.runHere((attempt, spooled) -> {
                    executions.incrementAndGet();
                    return CompletableFuture.completedFuture(CREATED);
                })
                .whenComplete((answer, thrown) -> exchange.close());
    }

    private OutgoingResponse ask(HttpContract contract, FakeHead head, String body) throws Exception {
        return begin(contract, head, body).get(20, TimeUnit.SECONDS);
    }

    private static String text(OutgoingResponse answer) {
        return new String(answer.body(), StandardCharsets.UTF_8);
    }

    private static Function<RequestHead, CompletionStage<Boolean>> throwing(RuntimeException e) {
        return head -> {
            throw e;
        };
    }

    @Test
    @SuppressWarnings("NullAway") // what must not be returned is returned
    void readers_that_fail_never_let_a_request_run_again() throws Exception {
        ask(builder().build(), order("k"), "{}");
        List<Function<RequestHead, CompletionStage<Boolean>>> broken = List.of(
                throwing(new StoreException("readers have a store too")),
                throwing(new IllegalStateException("broken on purpose")),
                head -> null,
                head -> CompletableFuture.completedFuture(null),
                head -> CompletableFuture.failedFuture(new StoreException("later")));
        for (Function<RequestHead, CompletionStage<Boolean>> readers : broken) {
            OutgoingResponse answer = ask(builder().readers(readers).build(), order("k"), "{}");
            assertThat(answer.status()).isEqualTo(503);
            assertThat(text(answer)).contains("urn:onefold:problem:overloaded").doesNotContain("Nothing was done");
        }
        assertThat(executions).hasValue(1);
    }

    @Test
    void an_answer_that_the_store_refuses_reaches_its_client_and_is_not_carried_out_again() throws Exception {
        HttpContract contract = builder().build();
        store.resultsRefused = true;
        OutgoingResponse first = ask(contract, order("k"), "{}");
        assertThat(first.status()).isEqualTo(201);
        assertThat(text(first)).isEqualTo("made");
        assertThat(first.headers()).noneMatch(field -> field.name().equalsIgnoreCase("Onefold-Stored"));
        OutgoingResponse again = ask(contract, order("k"), "{}");
        assertThat(again.status()).isEqualTo(409);
        assertThat(text(again)).contains("urn:onefold:problem:result-not-replayable");
        assertThat(executions).hasValue(1);
    }

    @Test
    void a_store_that_fails_beside_a_record_does_not_open_the_door() throws Exception {
        HttpContract contract = builder()
                .defaults(OPEN.lease(Duration.ofSeconds(1), Duration.ofSeconds(30))
                        .waitFor(Duration.ofSeconds(10)))
                .build();
        store.updatesFail = true;
        ask(contract, order("k"), "{}");
        // its lease runs out, and that cannot be written down
        OutgoingResponse doubted = ask(contract, order("k"), "{}");
        assertThat(doubted.status()).isEqualTo(503);
        assertThat(text(doubted)).doesNotContain("Nothing was done", "not carried out");
        assertThat(executions).hasValue(1);
    }

    @Test
    void a_duplicate_that_waits_when_the_store_goes_down_does_not_run() throws Exception {
        HttpContract contract =
                builder().defaults(OPEN.waitFor(Duration.ofSeconds(10))).build();
        CompletableFuture<HandlerResponse> work = new CompletableFuture<>();
        try (ProtectedExchange exchange = (ProtectedExchange) contract.plan(order("k"))) {
            exchange.spool().write(bytes("{}"), 0, 2);
            CompletableFuture<OutgoingResponse> first = exchange.runHere((attempt, body) -> work);
            CompletableFuture<OutgoingResponse> second = begin(contract, order("k"), "{}");
            store.claimsFail = true;
            assertThat(second.get(20, TimeUnit.SECONDS).status()).isEqualTo(503);
            assertThat(executions).hasValue(0);
            work.complete(CREATED);
            assertThat(first.get(20, TimeUnit.SECONDS).status()).isEqualTo(201);
        }
    }

    @Test
    void json_that_is_larger_than_a_fingerprint_takes_is_compared_by_its_bytes() throws Exception {
        BodyRules large = BodyRules.standard().max(64 << 20).memory(64 << 20);
        HttpContract contract = builder().defaults(OPEN.body(large)).build();
        FakeHead json = order("k").with("Content-Type", "application/json");
        String body = "\"" + "a".repeat((32 << 20) + 1) + "\"";
        assertThat(ask(contract, json, body).status()).isEqualTo(201);
        assertThat(ask(contract, json, body).status()).isEqualTo(201);
        assertThat(ask(contract, json, body + " ").status()).isEqualTo(422);
        assertThat(executions).hasValue(1);
    }

    @Test
    void what_cannot_be_begun_is_answered() throws Exception {
        HttpContract contract = HttpContract.builder(Onefold.on(store))
                .tokens(VALID)
                .defaults(OPEN.tokens(true))
                .build();
        OutgoingResponse answer = ask(contract, order(VALID.issue("POST", "no one")), "{}");
        assertThat(answer.status()).isEqualTo(503);
        assertThat(executions).hasValue(0);
    }

    @Test
    void a_request_without_a_token_or_with_one_that_none_can_be_is_refused_where_tokens_are_keys() throws Exception {
        HttpContract contract = HttpContract.builder(
                        Onefold.builder(store).tokens(VALID).build())
                .tokens(VALID)
                .defaults(HttpPolicy.unchanged().tokens(true))
                .build();
        for (int length : new int[] {0, 250, 255}) {
            FakeHead head = length == 0 ? FakeHead.post("/orders") : order("x".repeat(length));
            RequestPlan plan = contract.plan(head);
            assertThat(plan).as("%d characters", length).isInstanceOf(RequestPlan.RespondNow.class);
            OutgoingResponse answer = ((RequestPlan.RespondNow) plan).answer();
            assertThat(answer.status()).isEqualTo(400);
            assertThat(text(answer)).contains(length == 0 ? "problem:key-missing" : "problem:key-invalid");
        }
        assertThat(ask(contract, order("x".repeat(249)), "{}").status()).isEqualTo(201);
        assertThat(executions).hasValue(1);
    }

    @Test
    void an_end_that_could_not_be_written_is_not_told_as_recorded() throws Exception {
        for (HandlerResponse end : List.of(
                HandlerResponse.notExecuted(502, List.of(), bytes("not")),
                HandlerResponse.notBegun(400, List.of(), bytes("not")),
                HandlerResponse.unknown(504, List.of(), bytes("who knows")))) {
            store.updatesFail = false;
            assertThat(stored(end, "well" + end.status())).isNull();
            store.updatesFail = true;
            assertThat(stored(end, "badly" + end.status())).isEqualTo("false");
        }
    }

    @Test
    void what_nobody_knows_is_not_tried_again_whatever_its_status_means() throws Exception {
        HttpPolicy repeating =
                HttpPolicy.unchanged().on5xx(HttpPolicy.On5xx.RETRY).neverStore(504);
        HttpContract contract = builder().defaults(repeating).build();
        try (ProtectedExchange exchange = (ProtectedExchange) contract.plan(order("k"))) {
            exchange.spool().write(bytes("{}"), 0, 2);
            exchange.runHere((attempt, body) -> CompletableFuture.completedFuture(
                            HandlerResponse.unknown(504, List.of(), bytes("who knows"))))
                    .get(20, TimeUnit.SECONDS);
        }
        OutgoingResponse again = ask(contract, order("k"), "{}");
        assertThat(text(again)).contains("problem:outcome-unknown");
        assertThat(executions).hasValue(0);
    }

    private @Nullable String stored(HandlerResponse end, String key) throws Exception {
        try (ProtectedExchange exchange = (ProtectedExchange) builder().build().plan(order(key))) {
            exchange.spool().write(bytes("{}"), 0, 2);
            OutgoingResponse answer = exchange.runHere((attempt, body) -> CompletableFuture.completedFuture(end))
                    .get(20, TimeUnit.SECONDS);
            assertThat(answer.status()).isEqualTo(end.status());
            return answer.headers().stream()
                    .filter(field -> field.name().equals("Onefold-Stored"))
                    .map(HeaderField::value)
                    .findFirst()
                    .orElse(null);
        }
    }

    @Test
    void what_a_body_was_read_into_for_comparing_is_gone_before_anybody_waits() throws Exception {
        FakeHead json = order("k").with("Content-Type", "application/json");
        try (ProtectedExchange exchange = (ProtectedExchange) builder().build().plan(json)) {
            exchange.spool().write(bytes("[1,2]"), 0, 5);
            CompletableFuture<OutgoingResponse> answer = exchange.runHere((attempt, body) -> {
                assertThat(body).hasFieldOrPropertyWithValue("print", null);
                return CompletableFuture.completedFuture(CREATED);
            });
            assertThat(answer.get(20, TimeUnit.SECONDS).status()).isEqualTo(201);
        }
    }
}
