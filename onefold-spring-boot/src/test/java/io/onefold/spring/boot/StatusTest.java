package io.onefold.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.onefold.spring.Idempotent;
import java.net.http.HttpResponse;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.aopalliance.intercept.MethodInterceptor;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aop.Advisor;
import org.springframework.aop.support.ComposablePointcut;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.RootClassFilter;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Role;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.web.ErrorResponseException;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.servlet.function.RequestPredicates;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerResponse;
import reactor.core.publisher.Mono;

/** Handlers that claim for themselves and say by a status how it went. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class StatusTest {
    private final Running desk = Running.start(
            Desk.class,
            "--onefold.http.principal=anonymous",
            "--onefold.store=memory",
            "--spring.mvc.problemdetails.enabled=true");
    private final AtomicInteger runs = desk.bean(Desk.Handlers.class).runs();

    @AfterAll
    void stop() {
        desk.close();
    }

    private HttpResponse<String> post(String path, String key) throws Exception {
        return desk.post(path, "", "{\"id\":\"" + key + "\"}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/reason", "/later", "/mono", "/problem"})
    void a_refusal_is_an_answer_and_told_again(String path) throws Exception {
        HttpResponse<String> first = post(path, path);
        int ran = runs.get();
        HttpResponse<String> again = post(path, path);
        assertThat(first.statusCode()).isEqualTo(410);
        assertThat(again.statusCode()).isEqualTo(410);
        assertThat(again.body()).isEqualTo(first.body());
        assertThat(again.headers().firstValue("Idempotent-Replayed")).contains("true");
        assertThat(again.headers().allValues("Cache-Control")).containsExactly("no-store");
        assertThat(runs).hasValue(ran);
    }

    /** Its first answer is an error page, with the time on it. */
    @Test
    void an_exception_with_a_status_on_its_class_is_told_again_as_it_was_rendered() throws Exception {
        HttpResponse<String> first = post("/annotated", "k");
        int ran = runs.get();
        HttpResponse<String> again = post("/annotated", "k");
        assertThat(again.statusCode()).isEqualTo(410);
        assertThat(again.body()).isEqualTo(first.body());
        assertThat(runs).hasValue(ran);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/busy", "/busy-returned", "/busy-mono"})
    void what_is_about_the_attempt_alone_leaves_the_key_free(String path) throws Exception {
        assertThat(post(path, path).statusCode()).isEqualTo(429);
        int ran = runs.get();
        assertThat(post(path, path).statusCode()).isEqualTo(429);
        assertThat(runs).hasValue(ran + 1);
    }

    @Test
    void an_error_that_is_thrown_is_an_answer_as_it_is_for_the_filter() throws Exception {
        HttpResponse<String> first = post("/broken", "k");
        assertThat(first.statusCode()).isEqualTo(500);
        int ran = runs.get();
        HttpResponse<String> again = post("/broken", "k");
        assertThat(again.statusCode()).isEqualTo(500);
        assertThat(again.body()).isEqualTo(first.body());
        assertThat(runs).hasValue(ran);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/broken-returned", "/broken-retried"})
    void an_error_that_is_returned_is_an_answer_whatever_exceptions_mean(String path) throws Exception {
        HttpResponse<String> first = post(path, path);
        int ran = runs.get();
        HttpResponse<String> again = post(path, path);
        assertThat(first.statusCode()).isEqualTo(500);
        assertThat(again.statusCode()).isEqualTo(500);
        assertThat(again.body()).isEqualTo(first.body());
        assertThat(runs).hasValue(ran);
    }

    /** The filter claims for this one, and would keep the answer. */
    @Test
    void what_advice_refuses_before_the_handler_leaves_the_key_free() throws Exception {
        assertThat(desk.post("/guarded", "k", "{\"id\":\"a\"}").statusCode()).isEqualTo(410);
        HttpResponse<String> again = desk.post("/guarded", "k", "{\"id\":\"a\"}");
        assertThat(again.statusCode()).isEqualTo(200);
        assertThat(desk.post("/guarded", "k", "{\"id\":\"a\"}").body()).isEqualTo(again.body());
    }

    @Test
    void a_function_on_the_path_of_an_annotated_handler_runs_once() throws Exception {
        HttpResponse<String> first = desk.post("/guarded?function", "f", "{\"id\":\"a\"}");
        assertThat(first.body()).startsWith("function");
        assertThat(desk.post("/guarded?function", "f", "{\"id\":\"a\"}").body()).isEqualTo(first.body());
    }

    record Ask(String id) {}

    @Application
    @Import(Desk.Handlers.class)
    static class Desk {
        /** Lets no call in that is the first. */
        @Bean
        @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
        static Advisor guard() {
            AtomicInteger calls = new AtomicInteger();
            MethodInterceptor guard = invocation -> {
                if (invocation.getMethod().getName().equals("guarded") && calls.getAndIncrement() == 0) {
                    throw new SoldException();
                }
                return invocation.proceed();
            };
            return new DefaultPointcutAdvisor(new ComposablePointcut(new RootClassFilter(Handlers.class)), guard);
        }

        @Bean
        RouterFunction<ServerResponse> function() {
            AtomicInteger runs = new AtomicInteger();
            return RouterFunctions.route(
                    RequestPredicates.POST("/guarded").and(RequestPredicates.param("function", any -> true)),
                    request -> ServerResponse.ok().body("function " + runs.incrementAndGet()));
        }

        @RestController
        static class Handlers {
            private final AtomicInteger runs = new AtomicInteger();

            AtomicInteger runs() {
                return runs;
            }

            private ResponseStatusException said(HttpStatus status) {
                return new ResponseStatusException(status, "time " + runs.incrementAndGet());
            }

            @PostMapping("/reason")
            @Idempotent(operation = "reason", key = "#ask.id")
            public String reason(@RequestBody Ask ask) {
                throw said(HttpStatus.GONE);
            }

            @PostMapping("/later")
            @Idempotent(operation = "later", key = "#ask.id")
            public CompletableFuture<String> later(@RequestBody Ask ask) {
                return CompletableFuture.failedFuture(said(HttpStatus.GONE));
            }

            @PostMapping("/mono")
            @Idempotent(operation = "mono", key = "#ask.id")
            public Mono<String> mono(@RequestBody Ask ask) {
                return Mono.error(() -> said(HttpStatus.GONE));
            }

            @PostMapping("/problem")
            @Idempotent(operation = "problem", key = "#ask.id")
            public String problem(@RequestBody Ask ask) {
                ProblemDetail problem =
                        ProblemDetail.forStatusAndDetail(HttpStatus.GONE, "sold\n\nout\n " + runs.incrementAndGet());
                problem.setTitle("Gone for good");
                problem.setProperty("code", "SOLD_OUT");
                problem.setProperty("left", 0);
                problem.setProperty("soon", false);
                throw new ErrorResponseException(HttpStatus.GONE, problem, null);
            }

            @PostMapping("/annotated")
            @Idempotent(operation = "annotated", key = "#ask.id")
            public String annotated(@RequestBody Ask ask) {
                runs.incrementAndGet();
                throw new SoldException();
            }

            @PostMapping("/guarded")
            @Idempotent(operation = "guarded")
            public String guarded(@RequestBody Ask ask) {
                return "time " + runs.incrementAndGet();
            }

            @PostMapping("/busy")
            @Idempotent(operation = "busy", key = "#ask.id")
            public String busy(@RequestBody Ask ask) {
                throw said(HttpStatus.TOO_MANY_REQUESTS);
            }

            @PostMapping("/busy-returned")
            @Idempotent(operation = "busy-returned", key = "#ask.id")
            public ResponseEntity<String> busyReturned(@RequestBody Ask ask) {
                return ResponseEntity.status(429).body("time " + runs.incrementAndGet());
            }

            @PostMapping("/busy-mono")
            @Idempotent(operation = "busy-mono", key = "#ask.id")
            public Mono<ResponseEntity<String>> busyMono(@RequestBody Ask ask) {
                return Mono.fromSupplier(() -> busyReturned(ask));
            }

            @PostMapping("/broken")
            @Idempotent(operation = "broken", key = "#ask.id")
            public String broken(@RequestBody Ask ask) {
                throw said(HttpStatus.INTERNAL_SERVER_ERROR);
            }

            @PostMapping("/broken-returned")
            @Idempotent(operation = "broken-returned", key = "#ask.id")
            public ResponseEntity<String> brokenReturned(@RequestBody Ask ask) {
                return ResponseEntity.internalServerError().body("time " + runs.incrementAndGet());
            }

            @PostMapping("/broken-retried")
            @Idempotent(operation = "broken-retried", key = "#ask.id", retryOn = RuntimeException.class)
            public ResponseEntity<String> brokenRetried(@RequestBody Ask ask) {
                return brokenReturned(ask);
            }
        }

        @ResponseStatus(code = HttpStatus.GONE, reason = "sold")
        static final class SoldException extends RuntimeException {
            private static final long serialVersionUID = 1;
        }
    }
}
