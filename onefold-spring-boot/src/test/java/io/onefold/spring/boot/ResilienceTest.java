package io.onefold.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.resilience4j.bulkhead.Bulkhead;
import io.github.resilience4j.bulkhead.BulkheadFullException;
import io.github.resilience4j.bulkhead.BulkheadRegistry;
import io.github.resilience4j.bulkhead.ThreadPoolBulkhead;
import io.github.resilience4j.bulkhead.ThreadPoolBulkheadRegistry;
import io.github.resilience4j.circuitbreaker.CircuitBreakerRegistry;
import io.onefold.UnknownOutcomeException;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.annotation.Import;

/** Methods and handlers behind the aspects of Resilience4j, with the orders that these have by default. */
@Timeout(value = 90, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ResilienceTest {
    private static final String[] SETTINGS = {
        ReactiveShopTest.MEMORY,
        "--resilience4j.retry.instances.thrice.wait-duration=1ms",
        "--resilience4j.timelimiter.instances.hasty.timeout-duration=200ms",
        "--resilience4j.thread-pool-bulkhead.instances.narrow.core-thread-pool-size=1",
        "--resilience4j.thread-pool-bulkhead.instances.narrow.max-thread-pool-size=1",
        "--resilience4j.thread-pool-bulkhead.instances.narrow.queue-capacity=1",
        "--resilience4j.bulkhead.instances.single.max-concurrent-calls=1"
    };

    private final Running servlets = Running.start(Servlets.class, SETTINGS);
    private final Running flowing = Running.start(Flowing.class, with(ReactiveShopTest.REACTIVE));

    @AfterAll
    void close() {
        servlets.close();
        flowing.close();
    }

    @Test
    void a_method_that_is_retried_has_its_effect_once() {
        ResilientMethods methods = servlets.bean(ResilientMethods.class);
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> methods.retried("a")).isInstanceOf(UnknownOutcomeException.class);
            assertThatThrownBy(() -> methods.retriedFuture("a").join())
                    .hasCauseInstanceOf(UnknownOutcomeException.class);
            assertThatThrownBy(() -> methods.retriedMono("a").block()).isInstanceOf(UnknownOutcomeException.class);
        }
        assertThat(methods.effects("retried")).isEqualTo(1);
        assertThat(methods.effects("retriedFuture")).isEqualTo(1);
        assertThat(methods.effects("retriedMono")).isEqualTo(1);
    }

    @Test
    void a_method_that_says_that_nothing_happened_is_retried() {
        ResilientMethods methods = servlets.bean(ResilientMethods.class);
        assertThat(methods.repeated("a")).isEqualTo("done at 3");
        assertThat(methods.repeated("a")).isEqualTo("done at 3");
    }

    @Test
    void a_method_that_is_given_up_goes_on_and_is_replayed() throws Exception {
        ResilientMethods methods = servlets.bean(ResilientMethods.class);
        assertThatThrownBy(() -> methods.limited("a").join()).hasMessageContaining("TimeLimiter 'hasty'");
        assertThatThrownBy(() -> methods.limitedMono("a").block()).hasMessageContaining("200ms");
        methods.goOn("limited");
        methods.goOn("limitedMono");
        Until.holds(() -> answers(methods.limited("a"))
                && answers(methods.limitedMono("a").toFuture()));
        assertThat(methods.effects("limited")).isEqualTo(1);
        assertThat(methods.effects("limitedMono")).isEqualTo(1);
    }

    private static boolean answers(CompletableFuture<String> future) {
        return future.handle((value, thrown) -> thrown == null && value.equals("done at 1"))
                .join();
    }

    @Test
    void a_method_that_a_bulkhead_with_threads_refuses_is_not_begun() throws Exception {
        ResilientMethods methods = servlets.bean(ResilientMethods.class);
        refusedByBulkhead(methods::pooled, 2, this::isPoolFull);
    }

    @Test
    void a_method_that_a_bulkhead_refuses_is_not_begun() throws Exception {
        ResilientMethods methods = servlets.bean(ResilientMethods.class);
        Bulkhead bulkhead = servlets.bean(BulkheadRegistry.class).bulkhead("single");
        refusedByBulkhead(methods::single, 1, () -> bulkhead.getMetrics().getAvailableConcurrentCalls() == 0);
    }

    private void refusedByBulkhead(Function<String, CompletableFuture<String>> call, int places, BooleanSupplier isFull)
            throws Exception {
        ResilientMethods methods = servlets.bean(ResilientMethods.class);
        List<CompletableFuture<String>> first = new ArrayList<>();
        for (int i = 0; i < places; i++) {
            // one that was handed to a thread stands in the queue until the thread has taken it
            Until.holds(() -> !isFull.getAsBoolean());
            first.add(call.apply("first " + i));
        }
        Until.holds(isFull);
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> call.apply("later").join()).hasCauseInstanceOf(BulkheadFullException.class);
        }
        methods.goOn("bulkhead");
        first.forEach(CompletableFuture::join);
        Until.holds(() -> call.apply("later")
                .handle((value, thrown) -> "later".equals(value))
                .join());
        methods.stop("bulkhead");
    }

    private boolean isPoolFull() {
        ThreadPoolBulkhead pool =
                servlets.bean(ThreadPoolBulkheadRegistry.class).bulkhead("narrow");
        return pool.getMetrics().getRemainingQueueCapacity() == 0;
    }

    @ParameterizedTest
    @ValueSource(strings = {"/retried", "/late?id=1", "/future", "/mono"})
    void a_handler_that_is_retried_runs_once(String path) throws Exception {
        retried(servlets, path);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/retried", "/future", "/mono", "/lateMono?id=1"})
    void a_handler_of_webflux_that_is_retried_runs_once(String path) throws Exception {
        retried(flowing, path);
    }

    private static void retried(Running desk, String path) throws Exception {
        HttpResponse<String> first = desk.post(path, "k", "{}");
        assertThat(first.statusCode()).isEqualTo(500);
        HttpResponse<String> second = desk.post(path, "k", "{}");
        assertThat(second.headers().firstValue("Idempotent-Replayed")).hasValue("true");
        assertThat(second.body()).isEqualTo(first.body());
        assertThat(desk.bean(ResilientHandlers.class).effects(path)).isEqualTo(1);
    }

    @Test
    void a_handler_that_says_that_nothing_happened_is_retried() throws Exception {
        repeated(servlets, "/repeated");
        repeated(flowing, "/repeated");
        repeated(flowing, "/repeatedMono"); // in servlets, on a thread that does not know the request
    }

    private static void repeated(Running desk, String path) throws Exception {
        for (int i = 0; i < 2; i++) {
            assertThat(desk.post(path, "k", "{}").body()).isEqualTo("done at 3");
        }
    }

    @Test
    void a_key_stays_held_while_a_handler_that_was_given_up_is_at_work() throws Exception {
        givenUp(
                servlets,
                List.of("/limited", "/limitedMono", "/turnedAway", "/turnedAwayMono", "/lateTurnedAway?id=1"));
        givenUp(flowing, List.of("/limitedMono", "/turnedAwayMono"));
    }

    private static void givenUp(Running desk, List<String> paths) throws Exception {
        ResilientHandlers handlers = desk.bean(ResilientHandlers.class);
        for (String path : paths) {
            assertThat(desk.post(path, "k", "{}").statusCode()).isEqualTo(path.contains("urnedAway") ? 429 : 500);
            for (int i = 0; i < 2; i++) {
                HttpResponse<String> second = desk.post(path, "k", "{}");
                assertThat(second.statusCode()).as(path).isEqualTo(409);
                assertThat(second.body()).contains("outcome-unknown");
            }
            assertThat(handlers.effects(path)).isLessThanOrEqualTo(1);
        }
        handlers.goOn();
    }

    @Test
    void a_handler_whose_breaker_is_open_or_whose_bulkhead_is_full_leaves_its_key_free() throws Exception {
        ResilientHandlers handlers = servlets.bean(ResilientHandlers.class);
        CircuitBreakerRegistry breakers = servlets.bean(CircuitBreakerRegistry.class);
        breakers.circuitBreaker("broken").transitionToForcedOpenState();
        assertThat(servlets.post("/broken", "k", "{}").statusCode()).isEqualTo(500);
        breakers.circuitBreaker("broken").transitionToClosedState();
        assertThat(servlets.post("/broken", "k", "{}").body()).isEqualTo("done at 1");

        List<CompletableFuture<HttpResponse<String>>> first = new ArrayList<>();
        // the first is with the thread of the pool when it has come to its method, the second stands in the queue
        first.add(servlets.postLater("/pooled", "first0", "{}"));
        Until.holds(() -> handlers.effects().isAwaited("pool"));
        first.add(servlets.postLater("/pooled", "first1", "{}"));
        Until.holds(this::isPoolFull);
        assertThat(status("/pooled", "later")).isEqualTo(500);
        handlers.effects().goOn("pool");
        first.forEach(CompletableFuture::join);
        Until.holds(() -> status("/pooled", "later") == 200);
    }

    private int status(String path, String key) {
        try {
            return servlets.post(path, key, "{}").statusCode();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void the_answer_of_a_fallback_is_kept() throws Exception {
        for (Running desk : List.of(servlets, flowing)) {
            for (int i = 0; i < 2; i++) {
                assertThat(desk.post("/fallback", "k", "{}").body()).isEqualTo("in its place");
            }
            assertThat(desk.bean(ResilientHandlers.class).effects("/fallback")).isEqualTo(1);
        }
    }

    @Test
    void in_webflux_a_handler_with_a_time_limit_that_returns_a_future_is_refused_at_the_start() {
        assertThatThrownBy(() -> Running.start(Limited.class, with(ReactiveShopTest.REACTIVE)))
                .hasMessageContaining("@TimeLimiter may answer while it is at work")
                .hasMessageContaining("return a Mono");
    }

    private static String[] with(String more) {
        List<String> all = new ArrayList<>();
        Collections.addAll(all, SETTINGS);
        all.add(more);
        return all.toArray(String[]::new);
    }

    @Application
    @Import({ResilientMethods.class, ResilientHandlers.class, ResilientServletHandlers.class})
    static class Servlets {}

    @ReactiveApplication
    @Import({ResilientHandlers.class, ResilientWebFluxHandlers.class})
    static class Flowing {}

    @ReactiveApplication
    @Import({ResilientHandlers.class, ResilientServletHandlers.class})
    static class Limited {}
}
