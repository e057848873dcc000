package io.onefold.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onefold.spring.Idempotent;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.annotation.Import;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.request.async.AsyncRequestTimeoutException;
import org.springframework.web.context.request.async.DeferredResult;
import org.springframework.web.context.request.async.WebAsyncTask;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/** Handlers that work longer than Spring MVC waits for them. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AsyncTimeoutTest {
    private static final String[] ARGUMENTS = {
        "--onefold.store=memory",
        "--spring.mvc.async.request-timeout=100ms",
        "--onefold.http.routes[0].path=/retried",
        "--onefold.http.routes[0].on-5xx=retry"
    };

    private final Running tomcat = Running.start(Kitchen.class, ARGUMENTS);
    private final Running jetty = Running.start(Kitchen.class, with(Running.WITHOUT_TOMCAT));

    private static String[] with(String more) {
        return Stream.concat(Stream.of(ARGUMENTS), Stream.of(more)).toArray(String[]::new);
    }

    @AfterAll
    void stop() {
        for (Running server : new Running[] {tomcat, jetty}) {
            server.bean(Kitchen.Stove.class).done.complete("done");
            server.close();
        }
    }

    private Running server(String name) {
        return name.equals("tomcat") ? tomcat : jetty;
    }

    private static int runs(Running server, String path) {
        return server.bean(Kitchen.Stove.class).runs.getOrDefault(path, 0);
    }

    @ParameterizedTest
    @CsvSource({
        "jetty, /deferred",
        "jetty, /callable",
        "jetty, /task",
        "jetty, /future",
        "jetty, /handled",
        "jetty, /retried",
        "tomcat, /callable",
        "tomcat, /retried"
    })
    void the_answer_of_the_framework_is_not_that_of_the_handler(String name, String path) throws Exception {
        Running server = server(name);
        String key = UUID.randomUUID().toString();
        int before = runs(server, path);
        assertThat(server.post(path, key, "{}").statusCode()).isEqualTo(503);
        for (int i = 0; i < 2; i++) {
            HttpResponse<String> again = server.post(path, key, "{}");
            assertThat(again.statusCode()).isEqualTo(409);
            assertThat(again.body()).contains("outcome-unknown");
        }
        assertThat(runs(server, path) - before).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({"jetty, /own-value", "jetty, /own-callback", "jetty, /own-task", "tomcat, /own-task"})
    void what_the_handler_itself_says_to_a_timeout_is_its_answer(String name, String path) throws Exception {
        Running server = server(name);
        String key = UUID.randomUUID().toString();
        int before = runs(server, path);
        HttpResponse<String> first = server.post(path, key, "{}");
        HttpResponse<String> again = server.post(path, key, "{}");
        assertThat(first.statusCode()).isEqualTo(200);
        assertThat(first.body()).isEqualTo("late");
        assertThat(again.body()).isEqualTo("late");
        assertThat(again.headers().firstValue("Idempotent-Replayed")).contains("true");
        assertThat(runs(server, path) - before).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"tomcat", "jetty"})
    void events_that_are_not_ended_in_time_are_cut_and_unknown(String name) throws Exception {
        Running server = server(name);
        String key = UUID.randomUUID().toString();
        int before = runs(server, "/events");
        assertThatThrownBy(() -> server.post("/events", key, "{}")).isInstanceOf(IOException.class);
        HttpResponse<String> again = server.post("/events", key, "{}");
        assertThat(again.body()).contains("outcome-unknown");
        assertThat(runs(server, "/events") - before).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"tomcat", "jetty"})
    void events_that_the_handler_ends_in_time_are_whole(String name) throws Exception {
        Running server = server(name);
        String key = UUID.randomUUID().toString();
        int before = runs(server, "/own-events");
        assertThat(server.post("/own-events", key, "{}").body()).contains("data:one");
        assertThat(server.post("/own-events", key, "{}").body()).contains("result-not-replayable");
        assertThat(runs(server, "/own-events") - before).isEqualTo(1);
    }

    /** Its response is what is kept, and MVC has given that up. */
    @ParameterizedTest
    @ValueSource(strings = {"tomcat", "jetty"})
    void a_timeout_of_a_handler_that_claims_through_the_filter_is_unknown(String name) throws Exception {
        Running server = server(name);
        String key = UUID.randomUUID().toString();
        int before = runs(server, "/self");
        String body = "{\"id\":\"" + key + "\"}";
        assertThat(server.post("/self", "", body).statusCode()).isEqualTo(503);
        Objects.requireNonNull(server.bean(Kitchen.Stove.class).later.get(key)).complete("at last");
        HttpResponse<String> again = server.post("/self", "", body);
        assertThat(again.statusCode()).as(again.body()).isEqualTo(409);
        assertThat(again.body()).contains("outcome-unknown");
        assertThat(runs(server, "/self") - before).isEqualTo(1);
    }

    record Ask(String id) {}

    @Application
    @Import({Kitchen.Stove.class, Kitchen.Handlers.class})
    static class Kitchen {
        /** The work, and how often each handler has begun it. */
        static class Stove {
            final Map<String, Integer> runs = new ConcurrentHashMap<>();
            final CompletableFuture<String> done = new CompletableFuture<>();
            final Map<String, CompletableFuture<String>> later = new ConcurrentHashMap<>();
        }

        @RestController
        static class Handlers {
            private final Stove stove;

            Handlers(Stove stove) {
                this.stove = stove;
            }

            private void ran(String path) {
                stove.runs.merge(path, 1, Integer::sum);
            }

            private Callable<String> work() {
                // not to be interrupted, which Spring tries
                return stove.done::join;
            }

            @PostMapping("/deferred")
            @Idempotent(operation = "deferred")
            public DeferredResult<String> deferred() {
                ran("/deferred");
                return new DeferredResult<>();
            }

            @PostMapping("/callable")
            @Idempotent(operation = "callable")
            public Callable<String> callable() {
                ran("/callable");
                return work();
            }

            @PostMapping("/task")
            @Idempotent(operation = "task")
            public WebAsyncTask<String> task() {
                ran("/task");
                return new WebAsyncTask<>(50, work());
            }

            @PostMapping("/future")
            @Idempotent(operation = "future")
            public CompletableFuture<ResponseEntity<String>> future() {
                ran("/future");
                return new CompletableFuture<>();
            }

            /** What is answered for it, {@link #late} says; the work goes on all the same. */
            @PostMapping("/handled")
            @Idempotent(operation = "handled")
            public Callable<String> handled() {
                ran("/handled");
                return work();
            }

            @ExceptionHandler
            ResponseEntity<String> late(AsyncRequestTimeoutException timeout) {
                return ResponseEntity.status(503).body("later");
            }

            @PostMapping("/retried")
            public DeferredResult<String> retried() {
                ran("/retried");
                return new DeferredResult<>();
            }

            @PostMapping("/own-value")
            @Idempotent(operation = "own-value")
            public DeferredResult<String> ownValue() {
                ran("/own-value");
                return new DeferredResult<>(50L, "late");
            }

            @PostMapping("/own-callback")
            @Idempotent(operation = "own-callback")
            public DeferredResult<String> ownCallback() {
                ran("/own-callback");
                DeferredResult<String> result = new DeferredResult<>();
                result.onTimeout(() -> result.setResult("late"));
                return result;
            }

            @PostMapping("/own-task")
            @Idempotent(operation = "own-task")
            public WebAsyncTask<String> ownTask() {
                ran("/own-task");
                WebAsyncTask<String> task = new WebAsyncTask<>(50, work());
                task.onTimeout(() -> "late");
                return task;
            }

            @PostMapping("/events")
            @Idempotent(operation = "events")
            public SseEmitter events() throws IOException {
                ran("/events");
                SseEmitter emitter = new SseEmitter();
                emitter.send("one");
                return emitter;
            }

            @PostMapping("/own-events")
            @Idempotent(operation = "own-events")
            public SseEmitter ownEvents() throws IOException {
                ran("/own-events");
                SseEmitter emitter = new SseEmitter();
                emitter.onTimeout(emitter::complete);
                emitter.send("one");
                return emitter;
            }

            @PostMapping("/self")
            @Idempotent(operation = "self", key = "#ask.id")
            public CompletableFuture<String> self(@RequestBody Ask ask) {
                ran("/self");
                return stove.later.computeIfAbsent(ask.id(), id -> new CompletableFuture<>());
            }
        }
    }
}
