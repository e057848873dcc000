package io.onefold.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.onefold.spring.Idempotent;
import java.net.http.HttpResponse;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.annotation.Import;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** Handlers that throw later, by whatever they return: what they throw says what became of the request. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FutureHandlersTest {
    private final Running application = Running.start(Futures.class);

    @AfterAll
    void stop() {
        application.close();
    }

    private HttpResponse<String> send(String path, String key, String does) throws Exception {
        return application.post(path, key, "{\"id\":\"%s\",\"does\":\"%s\"}".formatted(key, does));
    }

    private int runs(String key) {
        return application.bean(Handlers.class).runs(key);
    }

    private static boolean isReplay(HttpResponse<String> answer) {
        return answer.headers().firstValue("Idempotent-Replayed").isPresent();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/future", "/stage", "/own", "/own-as-future", "/callable", "/late"})
    void a_failure_without_effect_leaves_the_key_free(String path) throws Exception {
        String key = UUID.randomUUID().toString();
        for (int run = 1; run <= 2; run++) {
            HttpResponse<String> later = send(path, key, "later");
            assertThat(later.statusCode()).as(later.body()).isEqualTo(409);
            assertThat(isReplay(later)).isFalse();
            assertThat(runs(key)).isEqualTo(run);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/future", "/stage", "/own", "/own-as-future", "/callable", "/late"})
    void what_they_return_is_the_answer_of_duplicates(String path) throws Exception {
        String key = UUID.randomUUID().toString();
        HttpResponse<String> first = send(path, key, "work");
        assertThat(first.statusCode()).as(first.body()).isEqualTo(200);
        assertThat(first.body()).isEqualTo("{\"run\":1}");
        HttpResponse<String> second = send(path, key, "work");
        assertThat(second.body()).isEqualTo(first.body());
        assertThat(isReplay(second)).isTrue();
        assertThat(runs(key)).isEqualTo(1);
    }

    record Order(String id, String does) {}

    record Receipt(int run) {}

    static class LaterException extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    /** A future of the application's own class, of which nobody can make another. */
    static final class OwnFuture<T> extends CompletableFuture<T> {}

    @Application
    @Import(Handlers.class)
    static class Futures {}

    @RestController
    static class Handlers {
        private final Map<String, AtomicInteger> runs = new ConcurrentHashMap<>();

        public int runs(String id) {
            return runs.getOrDefault(id, new AtomicInteger()).get();
        }

        private Receipt work(Order order) {
            int run =
                    runs.computeIfAbsent(order.id(), id -> new AtomicInteger()).incrementAndGet();
            if (order.does().equals("later")) {
                throw new LaterException();
            }
            return new Receipt(run);
        }

        /** On a thread of its own, after it was returned. */
        private <F extends CompletableFuture<Receipt>> F later(Order order, F future) {
            new Thread(() -> {
                        try {
                            future.complete(work(order));
                        } catch (LaterException e) {
                            future.completeExceptionally(e);
                        }
                    })
                    .start();
            return future;
        }

        @PostMapping("/future")
        @Idempotent(operation = "future", retryOn = LaterException.class)
        public CompletableFuture<Receipt> future(@RequestBody Order order) {
            return later(order, new CompletableFuture<>());
        }

        @PostMapping("/stage")
        @Idempotent(operation = "stage", retryOn = LaterException.class)
        public CompletionStage<Receipt> stage(@RequestBody Order order) {
            return later(order, new CompletableFuture<>()).minimalCompletionStage();
        }

        @PostMapping("/own")
        @Idempotent(operation = "own", retryOn = LaterException.class)
        public OwnFuture<Receipt> own(@RequestBody Order order) {
            return later(order, new OwnFuture<>());
        }

        @PostMapping("/own-as-future")
        @Idempotent(operation = "own-as-future", retryOn = LaterException.class)
        public CompletableFuture<Receipt> ownAsFuture(@RequestBody Order order) {
            return later(order, new OwnFuture<>());
        }

        @PostMapping("/callable")
        @Idempotent(operation = "callable", retryOn = LaterException.class)
        public Callable<Receipt> callable(@RequestBody Order order) {
            return () -> work(order);
        }

        @PostMapping("/late")
        @Idempotent(operation = "late-future", bizId = "#order.id", retryOn = LaterException.class)
        public OwnFuture<Receipt> late(@RequestBody Order order) {
            return later(order, new OwnFuture<>());
        }

        @ExceptionHandler
        ResponseEntity<String> later(LaterException why) {
            return ResponseEntity.status(409).body("later");
        }
    }
}
