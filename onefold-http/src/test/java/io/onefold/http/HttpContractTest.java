package io.onefold.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onefold.Onefold;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The contract without a door. */
class HttpContractTest {
    private static final HandlerResponse CREATED = HandlerResponse.of(
            201, List.of(new HeaderField("Location", "/orders/1"), new HeaderField("X-Own", "a")), bytes("made"));

    private final BreakableStore store = new BreakableStore();
    private final AtomicInteger executions = new AtomicInteger();
    private HttpContract contract = builder().build();

    private HttpContract.Builder builder() {
        return HttpContract.builder(Onefold.on(store));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static FakeHead order(String key) {
        return FakeHead.post("/orders").with("Idempotency-Key", key);
    }

    private OutgoingResponse ask(RequestHead head) throws Exception {
        return ask(head, "{}", CREATED);
    }

    private OutgoingResponse ask(RequestHead head, String body, HandlerResponse produced) throws Exception {
        RequestPlan plan = contract.plan(head);
        if (plan instanceof RequestPlan.RespondNow answered) {
            return answered.answer();
        }
        try (ProtectedExchange exchange = (ProtectedExchange) plan) {
            exchange.spool().write(bytes(body), 0, body.length());
            return exchange.runHere((attempt, spooled) -> {
                        executions.incrementAndGet();
                        return CompletableFuture.completedFuture(produced);
                    })
                    .get(20, TimeUnit.SECONDS);
        }
    }

    private static @Nullable String header(OutgoingResponse answer, String name) {
        return answer.headers().stream()
                .filter(field -> field.name().equalsIgnoreCase(name))
                .map(HeaderField::value)
                .findFirst()
                .orElse(null);
    }

    private static String text(OutgoingResponse answer) {
        return new String(answer.body(), StandardCharsets.UTF_8);
    }

    @Test
    void the_first_answer_passes_whole_and_a_replay_has_what_was_kept() throws Exception {
        OutgoingResponse first = ask(order("k"));
        assertThat(first.status()).isEqualTo(201);
        assertThat(header(first, "X-Own")).isEqualTo("a");
        assertThat(header(first, "Idempotency-Key")).isEqualTo("k");
        assertThat(header(first, "Idempotent-Replayed")).isNull();
        OutgoingResponse second = ask(order("\"k\""));
        assertThat(text(second)).isEqualTo("made");
        assertThat(second.status()).isEqualTo(201);
        assertThat(header(second, "Location")).isEqualTo("/orders/1");
        assertThat(header(second, "X-Own")).isNull();
        assertThat(header(second, "Idempotent-Replayed")).isEqualTo("true");
        assertThat(executions).hasValue(1);
    }

    @Test
    void a_changed_payload_is_refused_with_the_fields_that_differ() throws Exception {
        FakeHead json = order("k").with("Content-Type", "application/json");
        ask(json, "{\"amount\":1,\"to\":\"x\"}", CREATED);
        OutgoingResponse second = ask(json, "{\"amount\":2,\"to\":\"x\"}", CREATED);
        assertThat(second.status()).isEqualTo(422);
        assertThat(text(second)).contains("urn:onefold:problem:key-reused", "\"fields\":[\"body.amount\"]");
        assertThat(executions).hasValue(1);
    }

    @Test
    void another_caller_has_keys_of_its_own() throws Exception {
        ask(order("k").by(Caller.of("alice")));
        assertThat(header(ask(order("k").by(Caller.of("bob"))), "Idempotent-Replayed"))
                .isNull();
        assertThat(header(ask(order("k").by(new Caller("t", "alice"))), "Idempotent-Replayed"))
                .isNull();
        // neither the place of a slash nor a long name makes two callers one
        ask(order("k").by(new Caller("a", "b/c")));
        ask(order("k").by(new Caller("a/b", "c")));
        ask(order("k").by(Caller.of("x".repeat(300) + "1")));
        ask(order("k").by(Caller.of("x".repeat(300) + "2")));
        assertThat(executions).hasValue(7);
    }

    @Test
    void a_key_without_anybody_is_refused_and_a_bad_key_before_that() throws Exception {
        assertThat(ask(order("k").by(null)).status()).isEqualTo(401);
        assertThat(ask(order("").by(null)).status()).isEqualTo(400);
        assertThat(executions).hasValue(0);
    }

    @Test
    void what_guards_the_operation_has_not_executed_it() throws Exception {
        HandlerResponse refused = HandlerResponse.of(403, List.of(), bytes("no"));
        assertThat(ask(order("k"), "{}", refused).status()).isEqualTo(403);
        assertThat(ask(order("k"), "{}", CREATED).status()).isEqualTo(201);
        assertThat(executions).hasValue(2);
    }

    @Test
    void a_service_may_say_that_it_did_nothing_and_nobody_else_hears_it() throws Exception {
        HandlerResponse nothing =
                HandlerResponse.of(500, List.of(new HeaderField("Onefold-Outcome", "not-executed")), bytes("later"));
        OutgoingResponse first = ask(order("k"), "{}", nothing);
        assertThat(first.status()).isEqualTo(500);
        assertThat(header(first, "Onefold-Outcome")).isNull();
        assertThat(ask(order("k")).status()).isEqualTo(201);
    }

    @Test
    void an_error_means_what_the_policy_says() throws Exception {
        HandlerResponse broken = HandlerResponse.of(500, List.of(), bytes("broken"));
        ask(order("replayed"), "{}", broken);
        assertThat(header(ask(order("replayed")), "Idempotent-Replayed")).isEqualTo("true");
        contract = builder()
                .defaults(HttpPolicy.unchanged().on5xx(HttpPolicy.On5xx.RETRY))
                .build();
        ask(order("retried"), "{}", broken);
        assertThat(ask(order("retried")).status()).isEqualTo(201);
        contract = builder()
                .defaults(HttpPolicy.unchanged().on5xx(HttpPolicy.On5xx.UNKNOWN))
                .statusQueries(true)
                .build();
        ask(order("unknown"), "{}", broken);
        OutgoingResponse unknown = ask(order("unknown"));
        assertThat(unknown.status()).isEqualTo(409);
        assertThat(text(unknown)).contains("outcome-unknown");
        assertThat(header(unknown, "Retry-After")).matches("[1-9][0-9]*");
        String link = Objects.requireNonNull(header(unknown, "Link"));
        String address = link.substring(1, link.indexOf('>'));
        FakeHead question = new FakeHead("GET", address, null, Caller.ANONYMOUS, List.of());
        assertThat(text(ask(question))).contains("\"status\":\"unknown\"");
        assertThat(ask(question.by(Caller.of("another"))).status()).isEqualTo(404);
    }

    @Test
    void the_address_of_a_request_shows_its_key_no_more_than_its_record_does() throws Exception {
        contract = builder()
                .defaults(HttpPolicy.unchanged().on5xx(HttpPolicy.On5xx.UNKNOWN).hashKeys(true))
                .statusQueries(true)
                .build();
        FakeHead secret = order("alice@example.org").by(Caller.of("alice"));
        ask(secret, "{}", HandlerResponse.of(500, List.of(), bytes("broken")));
        String link = Objects.requireNonNull(header(ask(secret), "Link"));
        String address = link.substring(1, link.indexOf('>'));
        byte[] named = Base64.getUrlDecoder().decode(address.substring(address.lastIndexOf('/') + 1));
        assertThat(new String(named, StandardCharsets.UTF_8)).doesNotContain("alice@");
        FakeHead question = new FakeHead("GET", address, null, Caller.of("alice"), List.of());
        assertThat(text(ask(question))).contains("\"status\":\"unknown\"");
        assertThat(ask(question.by(Caller.of("bob"))).status()).isEqualTo(404);
    }

    @Test
    void an_answer_that_could_not_be_recorded_goes_out_and_says_so() throws Exception {
        contract = builder()
                .defaults(HttpPolicy.unchanged()
                        .lease(Duration.ofMillis(300), Duration.ofSeconds(5))
                        .waitFor(Duration.ZERO))
                .build();
        store.updatesFail = true;
        OutgoingResponse first = ask(order("k"));
        assertThat(first.status()).isEqualTo(201);
        assertThat(header(first, "Onefold-Stored")).isEqualTo("false");
        assertThat(ask(order("k")).status()).isEqualTo(503);
        store.updatesFail = false;
        // it is still tried, so that the answer may be recorded after all; until then nobody knows
        OutgoingResponse second = ask(order("k"));
        assertThat(second.status()).isIn(409, 201);
        assertThat(executions).hasValue(1);
    }

    @Test
    void a_store_that_is_down_refuses_or_opens_as_the_policy_says() throws Exception {
        store.claimsFail = true;
        OutgoingResponse refused = ask(order("k"));
        assertThat(refused.status()).isEqualTo(503);
        assertThat(header(refused, "Retry-After")).isNotNull();
        assertThat(executions).hasValue(0);
        contract = builder()
                .defaults(HttpPolicy.unchanged().openOnStoreFailure(true))
                .build();
        OutgoingResponse opened = ask(order("k"));
        assertThat(opened.status()).isEqualTo(201);
        assertThat(header(opened, "Onefold-Stored")).isEqualTo("false");
        assertThat(executions).hasValue(1);
    }

    @Test
    void a_coded_answer_is_kept_without_its_coding() throws Exception {
        ByteArrayOutputStream coded = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(coded)) {
            gzip.write(bytes("plain"));
        }
        List<HeaderField> headers =
                List.of(new HeaderField("Content-Encoding", "gzip"), new HeaderField("ETag", "\"strong\""));
        OutgoingResponse first = ask(order("k"), "{}", HandlerResponse.of(200, headers, coded.toByteArray()));
        assertThat(first.body()).isEqualTo(coded.toByteArray());
        OutgoingResponse second = ask(order("k"));
        assertThat(text(second)).isEqualTo("plain");
        assertThat(header(second, "Content-Encoding")).isNull();
        assertThat(header(second, "ETag")).isNull();
        List<HeaderField> strange = List.of(new HeaderField("Content-Encoding", "br"));
        ask(order("other"), "{}", HandlerResponse.of(200, strange, bytes("?")));
        assertThat(ask(order("other")).status()).isEqualTo(409);
    }

    @Test
    void who_lost_the_right_to_an_answer_does_not_get_it() throws Exception {
        contract = builder()
                .readers(head -> CompletableFuture.completedFuture(
                        !head.headers("X-Right").isEmpty()))
                .build();
        ask(order("k"));
        assertThat(ask(order("k")).status()).isEqualTo(403);
        assertThat(ask(order("k").with("X-Right", "yes")).status()).isEqualTo(201);
        assertThat(executions).hasValue(1);
    }

    @Test
    void stripe_is_told_of_a_mismatch_across_endpoints() throws Exception {
        contract = builder().profile(HttpProfile.STRIPE).build();
        ask(order("k"));
        OutgoingResponse other = ask(FakeHead.post("/refunds").with("Idempotency-Key", "k"));
        assertThat(other.status()).isEqualTo(400);
        assertThat(text(other)).startsWith("{\"error\":{\"type\":\"idempotency_error\"");
    }

    @Test
    void azure_needs_both_headers_within_the_window() throws Exception {
        Instant now = Instant.parse("2026-01-02T03:04:05Z");
        contract = builder()
                .profile(HttpProfile.AZURE)
                .clock(Clock.fixed(now, ZoneOffset.UTC))
                .build();
        FakeHead request =
                FakeHead.post("/orders").with("Repeatability-Request-ID", "2f1b6a4e-0f3f-4a0b-9a6e-3a1c5c1b7f00");
        assertThat(ask(request).status()).isEqualTo(400);
        OutgoingResponse accepted = ask(request.with("Repeatability-First-Sent", "Fri, 02 Jan 2026 03:04:00 GMT"));
        assertThat(header(accepted, "Repeatability-Result")).isEqualTo("accepted");
        OutgoingResponse late = ask(request.with("Repeatability-First-Sent", "Wed, 31 Dec 2025 03:04:00 GMT"));
        assertThat(late.status()).isEqualTo(412);
        assertThat(header(late, "Repeatability-Result")).isEqualTo("rejected");
    }

    @Test
    void legacy_rejects_duplicates_with_the_message() throws Exception {
        contract = builder()
                .profile(HttpProfile.LEGACY)
                .defaults(HttpPolicy.unchanged().rejectDuplicates("订单正在处理中，请勿重复提交"))
                .build();
        FakeHead request = FakeHead.post("/orders").with("Idempotent-Token", "t");
        assertThat(ask(request).status()).isEqualTo(201);
        OutgoingResponse second = ask(request);
        assertThat(second.status()).isEqualTo(409);
        assertThat(text(second)).contains("订单正在处理中，请勿重复提交");
    }

    @Test
    void tokens_need_somebody_who_issues_them() {
        Route route = Route.of("POST", "/orders").policy(HttpPolicy.unchanged().tokens(true));
        assertThatThrownBy(() -> builder().route(route).build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("tokens");
    }

    @Test
    void a_keep_that_ends_before_the_last_retry_is_refused() {
        HttpPolicy policy =
                HttpPolicy.unchanged().keepFor(Duration.ofMinutes(15)).retriesFor(Duration.ofMinutes(15));
        assertThatThrownBy(() -> builder().defaults(policy).build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("keep PT15M", "lease PT30S", "retries PT15M");
        assertThatThrownBy(() -> Route.of("POST", "/orders").check(HttpProfile.LEGACY, policy))
                .hasMessageContainingAll("POST /orders", "keep PT15M");
        assertThat(builder().defaults(policy.keepFor(Duration.ofSeconds(930))).build())
                .isNotNull();
        assertThatThrownBy(() -> HttpPolicy.unchanged().retriesFor(Duration.ZERO))
                .hasMessageContaining("PT0S");
    }

    @Test
    void one_class_of_exceptions_cannot_mean_two_things() {
        HttpPolicy policy = HttpPolicy.unchanged().retryOn(IllegalStateException.class);
        Route route = Route.of("POST", "/orders").policy(policy.failOn(IllegalStateException.class));
        assertThatThrownBy(() -> builder().route(route).build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("POST /orders", "retryOn", "failOn", "java.lang.IllegalStateException");
    }

    @Test
    void what_is_not_covered_passes_and_a_key_there_is_refused_if_so_chosen() throws Exception {
        Route covered = Route.of("POST", "/orders/{id}/capture");
        contract = builder().route(covered).build();
        assertThat(contract.plan(order("k")))
                .isEqualTo(new RequestPlan.PassThrough(RequestPlan.PassReason.KEY_IGNORED));
        assertThat(contract.plan(FakeHead.post("/orders")))
                .isEqualTo(new RequestPlan.PassThrough(RequestPlan.PassReason.NOT_COVERED));
        assertThat(contract.operations()).containsExactly("POST /orders/{id}/capture");
        contract = builder().route(covered).strict(true).build();
        assertThat(ask(order("k")).status()).isEqualTo(501);
        assertThat(contract.plan(order("k").method("GET")))
                .isEqualTo(new RequestPlan.PassThrough(RequestPlan.PassReason.KEY_IGNORED));
    }

    @Test
    void where_everything_passes_there_is_no_operation() {
        Route postsPass = Route.passing("/**").methods("POST");
        assertThat(builder().route(postsPass).build().operations()).containsExactlyInAnyOrder("POST", "PATCH");
        contract = builder().route(postsPass).route(Route.passing("/**")).build();
        assertThat(contract.operations()).isEmpty();
        assertThat(contract.plan(order("k").method("PATCH")))
                .isEqualTo(new RequestPlan.PassThrough(RequestPlan.PassReason.KEY_IGNORED));
    }

    @Test
    void the_key_that_is_passed_on_is_the_same_in_every_attempt() throws Exception {
        contract = builder()
                .defaults(HttpPolicy.unchanged().forward(HttpPolicy.KeyForwarding.DERIVED))
                .build();
        List<String> sent = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            try (ProtectedExchange exchange = (ProtectedExchange) contract.plan(order("k"))) {
                exchange.runHere((attempt, body) -> {
                            sent.add(
                                    Objects.requireNonNull(exchange.forwarded()).value());
                            assertThat(Objects.requireNonNull(attempt).childKey(ProtectedExchange.UPSTREAM))
                                    .as("as a probe will ask for it")
                                    .isEqualTo(sent.get(sent.size() - 1));
                            return CompletableFuture.completedFuture(
                                    HandlerResponse.notExecuted(502, List.of(), new byte[0]));
                        })
                        .get(20, TimeUnit.SECONDS);
            }
        }
        assertThat(sent).hasSize(2);
        assertThat(sent.get(0)).isEqualTo(sent.get(1)).isNotEqualTo("k");
    }

    @Test
    void only_we_say_that_an_answer_is_a_replay() throws Exception {
        HandlerResponse lying =
                HandlerResponse.of(200, List.of(new HeaderField("idempotent-replayed", "true")), bytes("made"));
        assertThat(header(ask(order("k"), "{}", lying), "Idempotent-Replayed")).isNull();
        assertThat(header(ask(order("k"), "{}", lying), "Idempotent-Replayed")).isEqualTo("true");
    }

    @Test
    void a_route_names_its_methods_in_upper_case() {
        assertThatThrownBy(() -> Route.of("post", "/orders")).hasMessageContaining("'post'");
        assertThatThrownBy(() -> Route.of("POST", "/orders").methods(new String[0]))
                .hasMessageContaining("/orders");
        assertThat(Route.passing("/open").methods()).isEmpty();
    }

    @Test
    void who_takes_more_than_events_may_be_answered() throws Exception {
        contract = builder().defaults(HttpPolicy.unchanged().required(true)).build();
        for (String events : List.of("Text/Event-Stream", "text/event-stream;q=0.5, application/json; q=0")) {
            assertThat(ask(order("e").with("Accept", events)).status()).isEqualTo(400);
        }
        for (String more : List.of("application/json, text/event-stream", "text/event-stream;q=0", "*/*")) {
            assertThat(ask(order("k").with("Accept", more)).status()).isEqualTo(201);
        }
    }

    @Test
    void scripts_of_other_origins_may_read_what_became_of_a_request() throws Exception {
        contract = builder()
                .statusQueries(true)
                .cors(Set.of("https://shop.example"), false)
                .build();
        FakeHead question = new FakeHead("GET", "/.well-known/onefold", null, Caller.ANONYMOUS, List.of());
        OutgoingResponse answer = ask(question.with("Origin", "https://shop.example"));
        assertThat(answer.status()).isEqualTo(200);
        assertThat(header(answer, "Access-Control-Allow-Origin")).isEqualTo("https://shop.example");
    }

    @Test
    void what_the_application_says_of_origins_stays_whole_and_lists_are_joined() throws Exception {
        contract = builder().cors(Set.of("https://shop.example"), true).build();
        HandlerResponse own = HandlerResponse.of(
                201,
                List.of(
                        new HeaderField("Access-Control-Allow-Origin", "*"),
                        new HeaderField("access-control-expose-headers", "X-Own, link"),
                        new HeaderField("Vary", "Accept-Encoding")),
                bytes("made"));
        OutgoingResponse answer = ask(order("own").with("Origin", "https://shop.example"), "{}", own);
        assertThat(header(answer, "Access-Control-Allow-Origin")).isEqualTo("*");
        assertThat(header(answer, "Access-Control-Allow-Credentials")).isNull();
        assertThat(header(answer, "Access-Control-Expose-Headers"))
                .startsWith("X-Own, link, Idempotent-Replayed")
                .doesNotContain("Link");
        assertThat(header(answer, "Vary")).isEqualTo("Accept-Encoding, Origin");

        HandlerResponse odd = HandlerResponse.of(
                201,
                List.of(new HeaderField("Access-Control-Allow-Credentials", "true"), new HeaderField("Vary", "origin")),
                bytes("made"));
        contract = builder().cors(Set.of("https://shop.example"), false).build();
        OutgoingResponse ours = ask(order("odd").with("Origin", "https://shop.example"), "{}", odd);
        assertThat(header(ours, "Access-Control-Allow-Origin")).isEqualTo("https://shop.example");
        assertThat(header(ours, "Access-Control-Allow-Credentials")).isNull();
        assertThat(header(ours, "Vary")).isEqualTo("origin");
    }

    @Test
    void all_origins_are_not_allowed_together_with_credentials() {
        assertThatThrownBy(() -> builder().cors(Set.of("*"), true).build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("[*]");
    }

    @Test
    void a_preflight_is_for_the_request_that_follows() {
        contract = builder()
                .cors(Set.of("https://shop.example"), false)
                .route(Route.of("PUT", "/orders").policy(HttpPolicy.unchanged().key(KeySource.header("X-Key"))))
                .route(Route.of("POST", "/orders").policy(HttpPolicy.unchanged().key(KeySource.query("key"))))
                .build();
        FakeHead preflight = FakeHead.post("/orders").method("OPTIONS").with("Origin", "https://shop.example");
        PreflightHeaders put = Objects.requireNonNull(
                contract.preflight(preflight.with("Access-Control-Request-Method", "PUT")), "a preflight");
        assertThat(put.allowing(null)).isEqualTo("X-Key");
        assertThat(put.allowing("Content-Type, x-key")).isEqualTo("Content-Type, x-key");
        assertThat(contract.preflight(preflight.with("Access-Control-Request-Method", "POST")))
                .as("its key is no header")
                .isNull();
        assertThat(contract.preflight(preflight)).as("no preflight").isNull();
        assertThat(contract.preflight(FakeHead.post("/orders")
                        .method("OPTIONS")
                        .with("Origin", "https://evil.example")
                        .with("Access-Control-Request-Method", "PUT")))
                .isNull();
    }

    @Test
    void what_may_succeed_if_it_is_sent_again_does_not_depend_on_the_status_that_was_chosen() throws Exception {
        contract = builder()
                .defaults(HttpPolicy.unchanged().on5xx(HttpPolicy.On5xx.UNKNOWN).unknownStatus(503))
                .build();
        ask(order("k"), "{}", HandlerResponse.of(500, List.of(), bytes("")));
        OutgoingResponse unknown = ask(order("k"));
        assertThat(unknown.status()).isEqualTo(503);
        assertThat(text(unknown)).contains("outcome-unknown", "\"retryable\":false");
        OutgoingResponse slow = contract.answer(new Problem(Problem.ProblemType.BODY_INVALID, 408, "slow"));
        assertThat(text(slow)).contains("\"retryable\":true");
    }

    @Test
    void routes_of_one_operation_that_contradict_each_other_are_both_named() {
        Route one = Route.of("POST", "/one").named("pay");
        Route two = Route.of("POST", "/two")
                .named("pay")
                .policy(HttpPolicy.unchanged().hashKeys(true));
        assertThatThrownBy(() -> builder().route(one).route(two).build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("/one", "/two", "pay", "hashKeys");
    }

    @Test
    void a_pattern_that_cannot_match_is_refused_where_it_is_said() {
        assertThatThrownBy(() -> Route.passing("/internal/*")).hasMessageContaining("** at the end");
        assertThatThrownBy(() -> Route.of("POST", "orders")).hasMessageContaining("must begin with /");
    }
}
