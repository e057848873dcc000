package io.onefold.http.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.onefold.Key;
import io.onefold.Onefold;
import io.onefold.Operation;
import io.onefold.Outcome;
import io.onefold.TypeRef;
import io.onefold.Verdict;
import io.onefold.http.HandlerClaim;
import io.onefold.http.HttpContract;
import io.onefold.http.HttpPolicy;
import io.onefold.http.ProtectedExchange;
import io.onefold.http.Route;
import io.onefold.http.StoredHandlerResult;
import io.onefold.store.StoredRecord;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Requests whose keys only their handlers know. */
class LateClaimTest extends FilterCases {
    @SuppressWarnings("unchecked") // a text is an object
    private static final Operation<StoredHandlerResult<Object>> OPERATION = (Operation<StoredHandlerResult<Object>>)
            (Operation<?>) Operation.of("pay", new TypeRef<StoredHandlerResult<String>>() {})
                    .waitFor(Duration.ofSeconds(20));

    private static final HttpPolicy POLICY =
            HttpPolicy.unchanged().claimedByHandler().withoutKeySource();

    /** The filter has ended its part of a request. */
    private final CountDownLatch left = new CountDownLatch(1);

    @Override
    Filter around(Filter filter) {
        return (request, response, chain) -> {
            try {
                filter.doFilter(request, response, chain);
            } finally {
                left.countDown();
            }
        };
    }

    private static HandlerClaim claim(HttpServletRequest request) {
        ProtectedExchange exchange =
                (ProtectedExchange) Objects.requireNonNull(request.getAttribute(IdempotencyFilter.EXCHANGE));
        return Objects.requireNonNull(exchange.lateClaim());
    }

    /** Reads key and payload from the body: {@code key payload}. */
    private static Key key(HttpServletRequest request) throws Exception {
        String[] words = new String(request.getInputStream().readAllBytes(), StandardCharsets.UTF_8).split(" ", -1);
        return Key.of(words[0]).matching(words[1]);
    }

    /** A handler that claims before it works. */
    private Handler claiming(Handler work) {
        return (request, response) -> {
            if (!claim(request).claim(OPERATION, key(request)).granted()) {
                throw new HandlerClaim.ClaimNotGrantedException();
            }
            executions.incrementAndGet();
            work.handle(request, response);
        };
    }

    private void begin(HttpPolicy policy, Handler handler) throws Exception {
        HttpContract contract = HttpContract.builder(Onefold.on(store))
                .route(Route.of("POST", "/pay").named(OPERATION.name()).policy(policy))
                .build();
        container = kind.start(
                around(new IdempotencyFilter(contract, IdempotencyFilter.ANONYMOUS)),
                Map.of("/pay", servlet(handler)),
                registered);
    }

    private static void created(HttpServletResponse response, String body) throws Exception {
        response.setStatus(201);
        response.setHeader("Location", "/payments/1");
        response.setContentType("text/plain");
        response.getWriter().write(body);
    }

    private HttpResponse<String> pay(String body) throws Exception {
        return send(request(body));
    }

    private HttpRequest.Builder request(String body) {
        return HttpRequest.newBuilder(URI.create("http://localhost:" + port() + "/pay"))
                .timeout(Duration.ofSeconds(30))
                .POST(HttpRequest.BodyPublishers.ofString(body));
    }

    private static boolean isReplay(HttpResponse<String> response) {
        return response.headers().firstValue("Idempotent-Replayed").isPresent();
    }

    @Test
    void a_duplicate_gets_the_response_of_the_first() throws Exception {
        begin(POLICY, claiming((request, response) -> created(response, "payment " + executions.get())));
        HttpResponse<String> first = pay("a 10");
        HttpResponse<String> second = pay("a 10");
        assertThat(first.statusCode()).isEqualTo(201);
        assertThat(isReplay(first)).isFalse();
        assertThat(second.statusCode()).isEqualTo(201);
        assertThat(second.body()).isEqualTo("payment 1");
        assertThat(second.headers().firstValue("Location")).contains("/payments/1");
        assertThat(isReplay(second)).isTrue();
        assertThat(executions).hasValue(1);
    }

    @Test
    void another_payload_is_a_conflict() throws Exception {
        begin(POLICY, claiming((request, response) -> created(response, "done")));
        pay("a 10");
        assertThat(pay("a 11").statusCode()).isEqualTo(422);
        assertThat(executions).hasValue(1);
    }

    @Test
    void an_error_of_the_handler_is_the_answer_of_its_duplicates() throws Exception {
        begin(POLICY, claiming((request, response) -> response.sendError(409, "sold out")));
        HttpResponse<String> first = pay("a 10");
        HttpResponse<String> second = pay("a 10");
        assertThat(first.statusCode()).isEqualTo(409);
        assertThat(second.statusCode()).isEqualTo(409);
        assertThat(second.body()).isEqualTo(first.body());
        assertThat(executions).hasValue(1);
    }

    @Test
    void an_exception_of_the_handler_is_answered_and_its_answer_kept() throws Exception {
        begin(POLICY, claiming((request, response) -> {
            throw new IllegalStateException("broken on purpose");
        }));
        assertThat(pay("a 10").statusCode()).isEqualTo(500);
        HttpResponse<String> second = pay("a 10");
        assertThat(second.statusCode()).isEqualTo(500);
        assertThat(isReplay(second)).isTrue();
    }

    @Test
    void what_the_handler_threw_counts_though_an_answer_was_made_of_it() throws Exception {
        begin(POLICY.retryOn(IllegalStateException.class), claiming((request, response) -> {
            ProtectedExchange exchange = (ProtectedExchange) request.getAttribute(IdempotencyFilter.EXCHANGE);
            exchange.handlerReport().threw(new IllegalStateException("later"));
            response.setStatus(409);
        }));
        assertThat(pay("a 10").statusCode()).isEqualTo(409);
        assertThat(isReplay(pay("a 10"))).isFalse();
        assertThat(executions).hasValue(2);
    }

    @Test
    void a_request_that_was_refused_after_its_claim_leaves_the_key_free_for_a_corrected_one() throws Exception {
        AtomicBoolean refusing = new AtomicBoolean(true);
        begin(POLICY, claiming((request, response) -> {
            if (refusing.getAndSet(false)) {
                ((ProtectedExchange) request.getAttribute(IdempotencyFilter.EXCHANGE))
                        .handlerReport()
                        .refusedBefore();
                response.setStatus(400);
            } else {
                created(response, "done");
            }
        }));
        assertThat(pay("a wrong").statusCode()).isEqualTo(400);
        assertThat(pay("a 10").statusCode()).isEqualTo(201);
    }

    @Test
    void a_duplicate_waits_and_gets_the_response() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        begin(POLICY, claiming((request, response) -> {
            begun.countDown();
            end.await(20, TimeUnit.SECONDS);
            created(response, "done");
        }));
        CompletableFuture<HttpResponse<String>> first = sendAsync(request("a 10"));
        assertThat(begun.await(20, TimeUnit.SECONDS)).isTrue();
        CompletableFuture<HttpResponse<String>> second = sendAsync(request("a 10"));
        end.countDown();
        assertThat(first.get(20, TimeUnit.SECONDS).body()).isEqualTo("done");
        assertThat(second.get(20, TimeUnit.SECONDS).body()).isEqualTo("done");
        assertThat(isReplay(second.get())).isTrue();
        assertThat(executions).hasValue(1);
    }

    @Test
    void a_duplicate_that_waited_runs_if_the_first_did_nothing() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch asks = new CountDownLatch(2);
        CountDownLatch end = new CountDownLatch(1);
        Handler working = claiming((request, response) -> {
            if (begun.getCount() == 1) {
                begun.countDown();
                end.await(20, TimeUnit.SECONDS);
                response.setHeader("Onefold-Outcome", "not-executed");
                response.setStatus(500);
            } else {
                created(response, "second");
            }
        });
        begin(POLICY, (request, response) -> {
            asks.countDown();
            working.handle(request, response);
        });
        CompletableFuture<HttpResponse<String>> first = sendAsync(request("a 10"));
        assertThat(begun.await(20, TimeUnit.SECONDS)).isTrue();
        CompletableFuture<HttpResponse<String>> second = sendAsync(request("a 10"));
        assertThat(asks.await(20, TimeUnit.SECONDS)).isTrue();
        end.countDown();
        assertThat(first.get(20, TimeUnit.SECONDS).statusCode()).isEqualTo(500);
        assertThat(second.get(20, TimeUnit.SECONDS).body()).isEqualTo("second");
        assertThat(isReplay(second.get())).isFalse();
        assertThat(executions).hasValue(2);
    }

    @Test
    void what_an_earlier_call_of_the_handler_threw_is_not_what_became_of_the_request() throws Exception {
        begin(POLICY.retryOn(IllegalStateException.class), claiming((request, response) -> {
            ProtectedExchange exchange = (ProtectedExchange) request.getAttribute(IdempotencyFilter.EXCHANGE);
            exchange.handlerReport().calls();
            exchange.handlerReport().threw(new IllegalStateException("the first call of advice that calls again"));
            exchange.handlerReport().calls();
            created(response, "done");
        }));
        assertThat(pay("a 10").statusCode()).isEqualTo(201);
        assertThat(isReplay(pay("a 10"))).isTrue();
        assertThat(executions).hasValue(1);
    }

    @Test
    void a_handler_inside_of_the_one_that_claims_has_no_part_in_the_claim() throws Exception {
        begin(POLICY, claiming((request, response) -> {
            Onefold onefold = Onefold.on(store);
            assertThat(claim(request).isOf(onefold.id(OPERATION, Key.of("a")))).isTrue();
            assertThat(claim(request).isOf(onefold.id(OPERATION, Key.of("b")))).isFalse();
            created(response, "done");
        }));
        assertThat(pay("a 10").body()).isEqualTo("done");
    }

    @Test
    void what_is_answered_in_the_place_of_a_handler_that_still_waits_is_not_kept() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        CountDownLatch answered = new CountDownLatch(1);
        AtomicReference<@Nullable Thread> waiting = new AtomicReference<>();
        Handler working = claiming((request, response) -> {
            if (executions.get() == 1) {
                begun.countDown();
                end.await(20, TimeUnit.SECONDS);
                response.setStatus(429);
            } else {
                created(response, "done");
            }
        });
        begin(POLICY, (request, response) -> {
            if (begun.getCount() == 0 && end.getCount() == 1) {
                waiting.set(Thread.currentThread());
            }
            try {
                working.handle(request, response);
            } catch (HandlerClaim.ClaimNotGrantedException e) {
                if (Thread.interrupted()) {
                    response.setStatus(504); // as an exception handler for everything would
                    answered.countDown();
                }
            }
        });
        CompletableFuture<HttpResponse<String>> first = sendAsync(request("a 10"));
        assertThat(begun.await(20, TimeUnit.SECONDS)).isTrue();
        CompletableFuture<HttpResponse<String>> second = sendAsync(request("a 10"));
        Thread thread = until(waiting::get);
        until(() -> thread.getState() == Thread.State.WAITING ? thread : null);
        thread.interrupt();
        assertThat(answered.await(20, TimeUnit.SECONDS)).isTrue();
        end.countDown();
        assertThat(first.get(20, TimeUnit.SECONDS).statusCode()).isEqualTo(429);
        second.get(20, TimeUnit.SECONDS);
        HttpResponse<String> third = pay("a 10");
        assertThat(third.body()).isEqualTo("done");
        assertThat(executions).hasValue(2);
    }

    private static <T> T until(Supplier<@Nullable T> found) throws InterruptedException {
        for (int i = 0; i < 2_000; i++) {
            T known = found.get();
            if (known != null) {
                return known;
            }
            TimeUnit.MILLISECONDS.sleep(10);
        }
        throw new AssertionError("it did not come to that");
    }

    @Test
    void a_handler_that_names_no_key_is_unprotected() throws Exception {
        begin(POLICY, (request, response) -> created(response, "run " + executions.incrementAndGet()));
        assertThat(pay("a 10").body()).isEqualTo("run 1");
        assertThat(pay("a 10").body()).isEqualTo("run 2");
    }

    @Test
    @SuppressWarnings("unchecked") // nothing is ever kept of it
    void a_claim_that_cannot_be_made_is_answered_and_its_handler_does_not_run() throws Exception {
        Operation<StoredHandlerResult<Object>> unwritable = (Operation<StoredHandlerResult<Object>>)
                (Operation<?>) Operation.of("pay", new TypeRef<StoredHandlerResult<Runnable>>() {});
        begin(POLICY, (request, response) -> {
            if (!claim(request).claim(unwritable, key(request)).granted()) {
                throw new HandlerClaim.ClaimNotGrantedException();
            }
            created(response, "run " + executions.incrementAndGet());
        });
        HttpResponse<String> refused = pay("a 10");
        assertThat(refused.statusCode()).as(refused.body()).isEqualTo(503);
        assertThat(executions).hasValue(0);
    }

    @Test
    void the_response_of_a_joined_handler_is_put_into_its_record() throws Exception {
        AtomicReference<StoredHandlerResult<Object>> kept = new AtomicReference<>();
        begin(POLICY, (request, response) -> {
            StoredHandlerResult<Object> known = kept.get();
            if (known == null) {
                claim(request).recorded(answer -> {
                    kept.set(answer);
                    return true;
                });
                created(response, "run " + executions.incrementAndGet());
            } else {
                claim(request).known(new Outcome.Replayed<>(known, true));
                throw new HandlerClaim.ClaimNotGrantedException();
            }
        });
        assertThat(pay("a 10").body()).isEqualTo("run 1");
        HttpResponse<String> replay = pay("a 10");
        assertThat(replay.body()).isEqualTo("run 1");
        assertThat(replay.headers().firstValue("Location")).contains("/payments/1");
        assertThat(isReplay(replay)).isTrue();
    }

    /** The value stays in the record instead, and is rendered again. */
    @ParameterizedTest
    @EnumSource
    void a_response_that_is_not_known_to_its_end_is_not_put_into_the_record_as_the_answer(Cut cut) throws Exception {
        AtomicInteger kept = new AtomicInteger();
        begin(POLICY.maxAnswerBytes(1_000), (request, response) -> {
            claim(request).recorded(answer -> {
                kept.addAndGet(answer.hasAnswer() ? 1 : 0);
                return true;
            });
            cut.answer(response);
        });
        try {
            assertThat(pay("a 10").statusCode()).isEqualTo(201);
        } catch (IOException e) {
            assertThat(cut).isEqualTo(Cut.BROKEN_OFF);
        }
        assertThat(left.await(20, TimeUnit.SECONDS)).isTrue();
        assertThat(kept).hasValue(0);
    }

    /** What befalls a response. */
    private enum Cut {
        TOO_LONG,
        BROKEN_OFF,
        CODED;

        void answer(HttpServletResponse response) throws Exception {
            if (this == CODED) {
                response.setHeader("Content-Encoding", "of-nobody");
            }
            created(response, this == CODED ? "coded" : "x".repeat(1_001));
            if (this == BROKEN_OFF) {
                response.getWriter().flush();
                throw new IllegalStateException("broken off on purpose");
            }
        }
    }

    @Test
    void the_value_of_a_joined_handler_that_is_rendered_again_is_marked() throws Exception {
        begin(POLICY, (request, response) -> {
            HandlerClaim.ClaimGrant permission =
                    claim(request).known(new Outcome.Replayed<>(StoredHandlerResult.of("value"), true));
            assertThat(permission.granted()).isFalse();
            created(
                    response,
                    String.valueOf(Objects.requireNonNull(permission.earlier()).value()));
        });
        HttpResponse<String> replay = pay("a 10");
        assertThat(isReplay(replay)).isTrue();
        assertThat(replay.headers().firstValue("Cache-Control")).contains("no-store");
    }

    @Test
    void a_request_that_was_settled_with_a_value_is_rendered_by_its_handler() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        begin(POLICY, (request, response) -> {
            HandlerClaim.ClaimGrant permission = claim(request).claim(OPERATION, key(request));
            if (permission.granted()) {
                begun.countDown();
                end.await(20, TimeUnit.SECONDS);
                created(response, "own");
            } else if (permission.earlier() == null) {
                throw new HandlerClaim.ClaimNotGrantedException();
            } else {
                created(response, "settled as " + permission.earlier().value());
            }
        });
        CompletableFuture<HttpResponse<String>> first = sendAsync(request("a 10"));
        assertThat(begun.await(20, TimeUnit.SECONDS)).isTrue();
        Onefold person = Onefold.on(store);
        StoredRecord record = person.find(OPERATION, Key.of("a")).orElseThrow();
        assertThat(person.settle(OPERATION, record, Verdict.executed(StoredHandlerResult.of("paid")), true))
                .isTrue();
        end.countDown();
        assertThat(first.get(20, TimeUnit.SECONDS).headers().firstValue("Onefold-Stored"))
                .contains("false");
        HttpResponse<String> second = pay("a 10");
        assertThat(second.body()).isEqualTo("settled as paid");
        assertThat(isReplay(second)).isTrue();
    }

    @Test
    void the_answer_of_a_failure_is_kept_after_the_rollback() throws Exception {
        begin(POLICY, rolledBack(402));
        assertThat(pay("a 10").statusCode()).isEqualTo(402);
        assertThat(isReplay(pay("a 10"))).isTrue();
        assertThat(executions).hasValue(1);
    }

    @Test
    void an_error_that_was_rolled_back_leaves_the_key_free() throws Exception {
        begin(POLICY, rolledBack(500));
        assertThat(pay("a 10").statusCode()).isEqualTo(500);
        assertThat(isReplay(pay("a 10"))).isFalse();
        assertThat(executions).hasValue(2);
    }

    @Test
    void an_error_that_was_declared_final_is_kept_after_the_rollback() throws Exception {
        begin(POLICY.failOn(IllegalStateException.class), rolledBack(500));
        assertThat(pay("a 10").statusCode()).isEqualTo(500);
        assertThat(isReplay(pay("a 10"))).isTrue();
        assertThat(executions).hasValue(1);
    }

    /** As a joined handler does it: looks, works, and is rolled back. */
    private Handler rolledBack(int status) {
        Onefold onefold = Onefold.on(store);
        return (request, response) -> {
            Key key = key(request);
            if (onefold.find(OPERATION, key).isPresent()) {
                HandlerClaim.ClaimGrant none = claim(request).claim(OPERATION, key);
                assertThat(none.granted()).isFalse();
                throw new HandlerClaim.ClaimNotGrantedException();
            }
            executions.incrementAndGet();
            claim(request).rolledBack(new IllegalStateException("declined"), answer -> {
                Outcome<StoredHandlerResult<Object>> kept =
                        answer == null ? null : onefold.attempt(OPERATION, key, attempt -> answer);
                return kept instanceof Outcome.Executed<?>;
            });
            response.setStatus(status);
        };
    }
}
