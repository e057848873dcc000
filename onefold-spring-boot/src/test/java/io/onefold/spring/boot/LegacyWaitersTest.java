package io.onefold.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.onefold.spring.legacy.Idempotent;
import io.onefold.store.BatchItemResult;
import io.onefold.store.Claim;
import io.onefold.store.ClaimResult;
import io.onefold.store.ForwardingStore;
import io.onefold.store.MemoryStore;
import io.onefold.store.RecordSnapshot;
import io.onefold.store.Store;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** Handlers with the old annotation that return cached results: the threads of those who wait, and what they hear of a failure. */
class LegacyWaitersTest {
    /** For one key. */
    private static final int MOST_WAITERS = 16;

    private static final String PATIENT = "--idempotent.max-retry-count=300";

    /** With a token in a header or a parameter, the filter waits and holds no thread. */
    @ParameterizedTest
    @ValueSource(strings = {"/header", "/parameter"})
    void while_duplicates_wait_for_a_token_of_the_request_few_threads_answer_others(String path) throws Exception {
        try (Running shop = start(PATIENT, "--server.tomcat.threads.max=3", "--server.tomcat.threads.min-spare=1")) {
            State state = shop.bean(State.class);
            CompletableFuture<HttpResponse<String>> first = send(shop, path);
            assertThat(state.started.await(30, TimeUnit.SECONDS)).isTrue();
            List<CompletableFuture<HttpResponse<String>>> waiters = send(shop, path, MOST_WAITERS);
            Until.holds(() -> shop.bean(WaiterStore.class).waiters() == MOST_WAITERS);

            HttpResponse<String> other = shop.client()
                    .sendAsync(get(shop), HttpResponse.BodyHandlers.ofString())
                    .get(30, TimeUnit.SECONDS);
            assertThat(other.body()).isEqualTo("open");
            assertThat(waiters).noneMatch(CompletableFuture::isDone);

            state.gate.countDown();
            for (CompletableFuture<HttpResponse<String>> waiter : waiters) {
                HttpResponse<String> answer = waiter.get(30, TimeUnit.SECONDS);
                assertThat(answer.body())
                        .isEqualTo(first.get(30, TimeUnit.SECONDS).body());
                assertThat(answer.headers().firstValue("Idempotent-Replayed")).contains("true");
            }
            assertThat(state.runs).hasValue(1);
        }
    }

    /** Only the arguments tell such a key, so that the handler's thread waits. */
    @Test
    void no_more_threads_wait_for_a_token_of_the_arguments_than_may_wait_for_one_key() throws Exception {
        int threads = MOST_WAITERS + 4;
        try (Running shop = start(PATIENT, "--server.tomcat.threads.max=" + threads)) {
            State state = shop.bean(State.class);
            CompletableFuture<HttpResponse<String>> first = send(shop, "/expression");
            assertThat(state.started.await(30, TimeUnit.SECONDS)).isTrue();
            BlockingQueue<HttpResponse<String>> told = new LinkedBlockingQueue<>();
            List<CompletableFuture<HttpResponse<String>>> duplicates = send(shop, "/expression", 2 * threads);
            for (CompletableFuture<HttpResponse<String>> duplicate : duplicates) {
                var unused = duplicate.thenAccept(told::add);
            }
            for (int i = 0; i < 2 * threads - MOST_WAITERS; i++) {
                HttpResponse<String> refused = told.poll(30, TimeUnit.SECONDS);
                assertThat(refused).as("one that does not wait").isNotNull();
                assertThat(refused.body()).contains("urn:onefold:problem:in-progress");
            }
            assertThat(shop.bean(WaiterStore.class).waiters()).isEqualTo(MOST_WAITERS);
            assertThat(shop.client()
                            .sendAsync(get(shop), HttpResponse.BodyHandlers.ofString())
                            .get(30, TimeUnit.SECONDS)
                            .body())
                    .isEqualTo("open");

            state.gate.countDown();
            for (CompletableFuture<HttpResponse<String>> duplicate : duplicates) {
                duplicate.get(30, TimeUnit.SECONDS);
            }
            assertThat(duplicates.stream()
                            .filter(each ->
                                    each.join().body().equals(first.join().body())))
                    .hasSize(MOST_WAITERS);
            assertThat(state.runs).hasValue(1);
        }
    }

    @Test
    void unless_configured_a_thread_waits_for_300_ms_and_no_longer_than_the_first_takes() throws Exception {
        try (Running shop = start()) {
            State state = shop.bean(State.class);
            CompletableFuture<HttpResponse<String>> first = send(shop, "/expression");
            assertThat(state.started.await(30, TimeUnit.SECONDS)).isTrue();
            long began = System.nanoTime();
            HttpResponse<String> busy = send(shop, "/expression").get(30, TimeUnit.SECONDS);
            // the first is still at work: nothing but the end of its own wait has answered the duplicate
            assertThat(Duration.ofNanos(System.nanoTime() - began)).isGreaterThanOrEqualTo(Duration.ofMillis(300));
            assertThat(busy.body()).contains("urn:onefold:problem:in-progress");
            assertThat(first).isNotDone();
            state.gate.countDown();
            assertThat(first.get(30, TimeUnit.SECONDS).statusCode()).isEqualTo(200);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/header", "/parameter", "/expression"})
    void duplicates_that_wait_hear_of_the_failure_and_run_nothing(String path) throws Exception {
        try (Running shop = start(PATIENT)) {
            State state = shop.bean(State.class);
            state.fails = true;
            CompletableFuture<HttpResponse<String>> first = send(shop, path);
            assertThat(state.started.await(30, TimeUnit.SECONDS)).isTrue();
            List<CompletableFuture<HttpResponse<String>>> waiters = send(shop, path, 5);
            Until.holds(() -> shop.bean(WaiterStore.class).waiters() == 5);
            state.gate.countDown();

            assertThat(first.get(30, TimeUnit.SECONDS).statusCode()).isEqualTo(500);
            for (CompletableFuture<HttpResponse<String>> waiter : waiters) {
                HttpResponse<String> answer = waiter.get(30, TimeUnit.SECONDS);
                assertThat(answer.statusCode()).isEqualTo(503);
                assertThat(answer.headers().firstValue("Retry-After")).contains("1");
                assertThat(answer.body())
                        .contains("urn:onefold:problem:attempt-failed")
                        .contains("\"retryable\":true")
                        .doesNotContain("out of stock");
            }
            assertThat(state.runs).hasValue(1);
            assertThat(send(shop, path).get(30, TimeUnit.SECONDS).body()).isEqualTo("run 2");
        }
    }

    private static Running start(String... more) {
        List<String> all = new ArrayList<>(List.of(more));
        all.add("--idempotent.return-cached-result=true");
        return Running.start(Shop.class, all.toArray(String[]::new));
    }

    private static List<CompletableFuture<HttpResponse<String>>> send(Running shop, String path, int times) {
        List<CompletableFuture<HttpResponse<String>>> all = new ArrayList<>();
        for (int i = 0; i < times; i++) {
            all.add(send(shop, path));
        }
        return all;
    }

    private static CompletableFuture<HttpResponse<String>> send(Running shop, String path) {
        boolean parameter = path.equals("/parameter");
        HttpRequest.Builder request = shop.request(parameter ? path + "?idempotentToken=t" : path, "", "\"x\"");
        return shop.client()
                .sendAsync(
                        (path.equals("/header") ? request.header("Idempotent-Token", "t") : request).build(),
                        HttpResponse.BodyHandlers.ofString());
    }

    private static HttpRequest get(Running shop) {
        return shop.request("/open", "", "").GET().build();
    }

    static final class State {
        final AtomicInteger runs = new AtomicInteger();
        final CountDownLatch started = new CountDownLatch(1);
        final CountDownLatch gate = new CountDownLatch(1);
        volatile boolean fails;
    }

    /** Counts the calls that have waited for another one: each looks at the record once more when it has entered the waiters. */
    static final class WaiterStore extends ForwardingStore {
        private final Map<UUID, Integer> met = new ConcurrentHashMap<>();

        WaiterStore() {
            super(new MemoryStore());
        }

        @Override
        public List<BatchItemResult<ClaimResult>> claimAll(List<Claim> claims) {
            List<BatchItemResult<ClaimResult>> answers = super.claimAll(claims);
            for (int i = 0; i < claims.size(); i++) {
                if (answers.get(i).get() instanceof RecordSnapshot) {
                    met.merge(claims.get(i).owner(), 1, Integer::sum);
                }
            }
            return answers;
        }

        long waiters() {
            return met.values().stream().filter(times -> times > 1).count();
        }
    }

    @Application
    @Import(Shop.Orders.class)
    static class Shop {
        @Bean
        State state() {
            return new State();
        }

        @Bean
        Store store() {
            return new WaiterStore();
        }

        @RestController
        static class Orders {
            private final State state;

            Orders(State state) {
                this.state = state;
            }

            @PostMapping("/header")
            @Idempotent
            public String header(@RequestBody String order) throws InterruptedException {
                return run();
            }

            @PostMapping("/parameter")
            @Idempotent(allowParam = true)
            public String parameter(@RequestBody String order) throws InterruptedException {
                return run();
            }

            @PostMapping("/expression")
            @Idempotent(tokenExpression = "#order")
            public String expression(@RequestBody String order) throws InterruptedException {
                return run();
            }

            @GetMapping("/open")
            public String open() {
                return "open";
            }

            private String run() throws InterruptedException {
                int run = state.runs.incrementAndGet();
                state.started.countDown();
                if (!state.gate.await(60, TimeUnit.SECONDS)) {
                    throw new IllegalStateException("the gate stayed closed");
                }
                if (run == 1 && state.fails) {
                    throw new IllegalStateException("out of stock");
                }
                return "run " + run;
            }
        }
    }
}
