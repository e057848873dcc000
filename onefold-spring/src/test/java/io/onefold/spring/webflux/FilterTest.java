package io.onefold.spring.webflux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onefold.Attempt;
import io.onefold.Onefold;
import io.onefold.http.HttpContract;
import io.onefold.http.HttpPolicy;
import io.onefold.http.Route;
import io.onefold.store.MemoryStore;
import java.io.IOException;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DefaultDataBufferFactory;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseCookie;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpRequestDecorator;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebExceptionHandler;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebHandler;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** What the kit cannot know: how the filter lives with Reactor and Spring. */
@Timeout(60)
class FilterTest {
    private final AtomicInteger executions = new AtomicInteger();
    private final List<WebExceptionHandler> errorHandlers = new ArrayList<>();
    private final List<WebFilter> before = new ArrayList<>();
    private HttpPolicy policy = HttpPolicy.unchanged().waitFor(Duration.ofSeconds(15));
    private @Nullable NettyServer server;

    private Client open(WebHandler application) {
        HttpContract contract = HttpContract.builder(Onefold.on(new MemoryStore()))
                .defaults(policy)
                .build();
        before.add(new IdempotencyWebFilter(contract, IdempotencyWebFilter.ANONYMOUS).errorHandlers(errorHandlers));
        WebHandler counting = exchange -> {
            executions.incrementAndGet();
            return application.handle(exchange);
        };
        server = NettyServer.start(counting, before.toArray(new WebFilter[0]));
        return new Client(server.port());
    }

    @AfterEach
    void close() {
        if (server != null) {
            server.close();
        }
    }

    static DataBuffer buffer(String text) {
        return DefaultDataBufferFactory.sharedInstance.wrap(text.getBytes(StandardCharsets.UTF_8));
    }

    static Mono<Void> say(ServerWebExchange exchange, String text) {
        exchange.getResponse().getHeaders().setContentType(MediaType.TEXT_PLAIN);
        return exchange.getResponse().writeWith(Mono.fromSupplier(() -> buffer(text)));
    }

    private void replays(HttpResponse<String> first, HttpResponse<String> again) {
        assertThat(Client.replayed(first)).isFalse();
        assertThat(Client.replayed(again)).isTrue();
        assertThat(again.statusCode()).isEqualTo(first.statusCode());
        assertThat(again.body()).isEqualTo(first.body());
        assertThat(executions).hasValue(1);
    }

    @Test
    void a_client_that_leaves_cancels_neither_the_handling_nor_the_record() throws Exception {
        Sinks.Empty<Void> gate = Sinks.empty();
        AtomicReference<String> ended = new AtomicReference<>();
        Sinks.Empty<Void> cancelled = Sinks.empty();
        before.add((exchange, chain) -> chain.filter(exchange).doOnCancel(cancelled::tryEmitEmpty));
        Client client = open(exchange -> gate.asMono()
                .then(Mono.defer(() -> say(exchange, "done")))
                .doFinally(signal -> ended.set(signal.name())));
        try (Socket impatient = client.half("k1", 2, "{}")) {
            Client.await("begun", () -> executions.get() == 1);
            Client.reset(impatient);
        }
        cancelled.asMono().block(Duration.ofSeconds(20));
        gate.tryEmitEmpty();
        HttpResponse<String> again = client.post("k1", "{}");
        assertThat(again.body()).isEqualTo("done");
        assertThat(Client.replayed(again)).isTrue();
        assertThat(executions).hasValue(1);
        assertThat(ended).hasValue("ON_COMPLETE");
    }

    @Test
    void a_client_that_leaves_before_its_last_byte_has_claimed_nothing() throws Exception {
        Sinks.Empty<Void> over = Sinks.empty();
        before.add((exchange, chain) -> chain.filter(exchange).doFinally(signal -> over.tryEmitEmpty()));
        Client client = open(exchange -> say(exchange, "done"));
        Client.reset(client.half("k1", 100, "{"));
        over.asMono().block(Duration.ofSeconds(20));
        assertThat(executions).hasValue(0);
        replays(client.post("k1", "{\"a\":1}"), client.post("k1", "{\"a\":1}"));
    }

    @Test
    void the_application_has_the_context_of_the_request() throws Exception {
        before.add((exchange, chain) -> chain.filter(exchange).contextWrite(context -> context.put("tenant", "blue")));
        Client client = open(exchange -> Mono.deferContextual(
                context -> say(exchange, context.hasKey("tenant") ? context.get("tenant") : "none")));
        assertThat(client.post("k1", "{}").body()).isEqualTo("blue");
    }

    @Test
    void a_duplicate_that_gets_its_turn_has_the_context_of_its_own_request() throws Exception {
        Sinks.Empty<Void> gate = Sinks.empty();
        AtomicInteger asked = new AtomicInteger();
        before.add((exchange, chain) ->
                chain.filter(exchange).contextWrite(context -> context.put("number", asked.incrementAndGet())));
        Client client = open(exchange -> Mono.deferContextual(context -> {
            if (executions.get() == 1) {
                Attempt attempt = exchange.getRequiredAttribute("io.onefold.Attempt");
                return gate.asMono().then(Mono.error(() -> attempt.notExecuted("not yet")));
            }
            return say(exchange, "number " + context.get("number"));
        }));
        CompletableFuture<HttpResponse<String>> first = client.begin("k1", "{}");
        Client.await("begun", () -> executions.get() == 1);
        CompletableFuture<HttpResponse<String>> second = client.begin("k1", "{}");
        Client.await("asked", () -> asked.get() == 2);
        gate.tryEmitEmpty();
        assertThat(first.get().statusCode()).isEqualTo(500);
        assertThat(second.get().body()).isEqualTo("number 2");
        assertThat(Client.replayed(second.get())).isFalse();
    }

    @Test
    void neither_who_works_nor_who_waits_holds_a_thread() throws Exception {
        Sinks.Empty<Void> gate = Sinks.empty();
        int many = 15 * Runtime.getRuntime().availableProcessors();
        Client client = open(exchange ->
                "free".equals(exchange.getRequest().getHeaders().getFirst("Idempotency-Key"))
                        ? say(exchange, "free")
                        : gate.asMono().then(Mono.defer(() -> say(exchange, "done"))));
        List<CompletableFuture<HttpResponse<String>>> answers = new ArrayList<>();
        for (int i = 0; i < many; i++) {
            answers.add(client.begin("k" + i, "{}"));
            answers.add(client.begin("k" + i, "{}"));
        }
        Client.await("all begun", () -> executions.get() == many);
        assertThat(client.post("free", "{}").body()).isEqualTo("free");
        gate.tryEmitEmpty();
        for (CompletableFuture<HttpResponse<String>> answer : answers) {
            assertThat(answer.get().body()).isEqualTo("done");
        }
        assertThat(executions).hasValue(many + 1);
    }

    @Test
    void an_error_is_rendered_by_the_applications_handlers_and_replayed() throws Exception {
        errorHandlers.add((exchange, thrown) -> Mono.error(thrown));
        errorHandlers.add((exchange, thrown) -> {
            exchange.getResponse().setStatusCode(HttpStatus.CONFLICT);
            return say(exchange, "rendered: " + thrown.getMessage());
        });
        Client client = open(exchange -> Mono.error(new IllegalStateException("out of stock")));
        HttpResponse<String> first = client.post("k1", "{}");
        assertThat(first.statusCode()).isEqualTo(409);
        assertThat(first.body()).isEqualTo("rendered: out of stock");
        replays(first, client.post("k1", "{}"));
    }

    @Test
    void an_error_that_nobody_renders_has_its_own_status_and_is_replayed() throws Exception {
        Client client = open(exchange -> Mono.error(new ResponseStatusException(HttpStatus.GONE, "secret")));
        HttpResponse<String> first = client.post("k1", "{}");
        assertThat(first.statusCode()).isEqualTo(410);
        assertThat(first.body()).isEqualTo("{\"type\":\"about:blank\",\"status\":410}");
        replays(first, client.post("k1", "{}"));
    }

    @Test
    void an_answer_that_fails_while_it_is_held_is_an_error_and_nothing_else() throws Exception {
        errorHandlers.add((exchange, thrown) -> {
            exchange.getResponse().setStatusCode(HttpStatus.BAD_GATEWAY);
            return say(exchange, "rendered");
        });
        Client client = open(exchange -> {
            exchange.getResponse().getHeaders().set("X-Half", "1");
            return exchange.getResponse()
                    .writeWith(Flux.concat(
                            Mono.fromSupplier(() -> buffer("half")), Mono.error(new IOException("in mid-answer"))));
        });
        HttpResponse<String> first = client.post("k1", "{}");
        assertThat(first.statusCode()).isEqualTo(502);
        assertThat(first.body()).isEqualTo("rendered");
        assertThat(first.headers().firstValue("X-Half")).isEmpty();
        replays(first, client.post("k1", "{}"));
    }

    @Test
    void an_answer_that_fails_after_a_part_went_out_breaks_off_and_nobody_knows() throws Exception {
        policy = policy.maxAnswerBytes(10);
        Client client = open(exchange -> exchange.getResponse()
                .writeWith(Flux.concat(
                        Mono.fromSupplier(() -> buffer("more than is held")),
                        Mono.error(new IOException("in mid-answer")))));
        assertThatThrownBy(() -> client.post("k1", "{}")).isInstanceOf(IOException.class);
        HttpResponse<String> again = client.post("k1", "{}");
        assertThat(again.statusCode()).isEqualTo(409);
        assertThat(again.body()).contains("outcome-unknown");
        assertThat(executions).hasValue(1);
    }

    @Test
    void what_was_not_executed_may_be_tried_again() throws Exception {
        Client client = open(exchange -> {
            Attempt attempt = exchange.getRequiredAttribute("io.onefold.Attempt");
            return executions.get() == 1 ? Mono.error(attempt.notExecuted("not yet")) : say(exchange, "done");
        });
        assertThat(client.post("k1", "{}").statusCode()).isEqualTo(500);
        assertThat(client.post("k1", "{}").body()).isEqualTo("done");
    }

    @Test
    void what_is_done_before_the_commit_is_part_of_the_answer() throws Exception {
        policy = policy.storeHeaders("X-Late");
        Client client = open(exchange -> {
            ServerHttpResponse response = exchange.getResponse();
            response.beforeCommit(() -> Mono.fromRunnable(() -> {
                response.getHeaders().set("X-Late", "1");
                response.addCookie(ResponseCookie.from("late", "1").build());
                response.setStatusCode(HttpStatus.ACCEPTED);
            }));
            return say(exchange, "done");
        });
        HttpResponse<String> first = client.post("k1", "{}");
        assertThat(first.statusCode()).isEqualTo(202);
        assertThat(first.headers().allValues("Set-Cookie")).containsExactly("late=1");
        HttpResponse<String> again = client.post("k1", "{}");
        assertThat(again.headers().allValues("X-Late")).containsExactly("1");
        assertThat(again.headers().allValues("Set-Cookie")).isEmpty();
        replays(first, again);
    }

    @Test
    void an_application_that_says_nothing_has_answered() throws Exception {
        Client client = open(exchange -> Mono.empty());
        HttpResponse<String> first = client.post("k1", "{}");
        assertThat(first.statusCode()).isEqualTo(200);
        replays(first, client.post("k1", "{}"));
    }

    @Test
    void headers_of_filters_before_it_are_neither_lost_nor_doubled() throws Exception {
        before.add((exchange, chain) -> {
            exchange.getResponse().getHeaders().add("Vary", "Origin");
            exchange.getResponse().getHeaders().add("X-Before", "1");
            exchange.getResponse()
                    .beforeCommit(() -> Mono.fromRunnable(
                            () -> exchange.getResponse().getHeaders().set("X-Commit", "1")));
            return chain.filter(exchange);
        });
        policy = policy.storeHeaders("Vary");
        Client client = open(exchange -> {
            exchange.getResponse().getHeaders().add("Vary", "Accept");
            exchange.getResponse().getHeaders().set("X-Before", "2");
            return say(exchange, "done");
        });
        HttpResponse<String> first = client.post("k1", "{}");
        HttpResponse<String> again = client.post("k1", "{}");
        assertThat(first.headers().allValues("X-Before")).containsExactly("2");
        assertThat(again.headers().allValues("X-Before")).containsExactly("1");
        for (HttpResponse<String> answer : List.of(first, again)) {
            assertThat(answer.headers().allValues("Vary")).containsExactly("Origin", "Accept");
            assertThat(answer.headers().allValues("X-Commit")).containsExactly("1");
        }
    }

    @Test
    void where_there_is_too_much_to_do_nothing_is_begun() throws Exception {
        Client client = open(exchange -> say(exchange, "done"));
        Scheduler full = Schedulers.fromExecutor(task -> {
            throw new RejectedExecutionException("full");
        });
        Schedulers.setFactory(new Schedulers.Factory() {
            @Override
            public Scheduler newBoundedElastic(int threads, int queued, ThreadFactory factory, int idleForSeconds) {
                return full;
            }
        });
        try {
            HttpResponse<String> refused = client.post("k1", "");
            assertThat(refused.statusCode()).isEqualTo(503);
            assertThat(refused.body()).contains("overloaded");
        } finally {
            Schedulers.resetFactory();
        }
        assertThat(executions).hasValue(0);
        assertThat(client.post("k1", "").body()).isEqualTo("done");
    }

    @Test
    void registered_twice_it_protects_once() throws Exception {
        HttpContract contract =
                HttpContract.builder(Onefold.on(new MemoryStore())).build();
        before.add(new IdempotencyWebFilter(contract, IdempotencyWebFilter.ANONYMOUS));
        Client client = open(exchange -> say(exchange, "done"));
        replays(client.post("k1", "{}"), client.post("k1", "{}"));
    }

    @Test
    void what_passes_one_filter_or_is_only_observed_by_it_is_protected_by_the_next() throws Exception {
        for (Route first : List.of(
                Route.of("POST", "/other"),
                Route.of("POST", "/**").policy(HttpPolicy.unchanged().shadow(true)))) {
            executions.set(0);
            before.clear();
            HttpContract contract = HttpContract.builder(Onefold.on(new MemoryStore()))
                    .route(first)
                    .build();
            before.add(new IdempotencyWebFilter(contract, IdempotencyWebFilter.ANONYMOUS));
            Client client = open(
                    exchange -> say(exchange, "seen by " + exchange.getAttribute(ShadowWebFluxExchange.OPERATION)));
            HttpResponse<String> answer = client.post("k1", "{}");
            assertThat(answer.body()).isEqualTo("seen by null");
            replays(answer, client.post("k1", "{}"));
            close();
        }
    }

    @Test
    void what_two_filters_observe_is_observed_once() throws Exception {
        for (int i = 0; i < 2; i++) {
            HttpContract contract = HttpContract.builder(Onefold.on(new MemoryStore()))
                    .defaults(HttpPolicy.unchanged().shadow(true))
                    .build();
            before.add(new IdempotencyWebFilter(contract, IdempotencyWebFilter.ANONYMOUS));
        }
        policy = policy.shadow(true);
        Client client = open(exchange -> {
            int wrapped = 0;
            ServerHttpRequest each = exchange.getRequest();
            while (each instanceof ServerHttpRequestDecorator decorator) {
                wrapped += decorator.getClass().getEnclosingClass() == ShadowWebFluxExchange.class ? 1 : 0;
                each = decorator.getDelegate();
            }
            return say(exchange, "observed " + wrapped);
        });
        assertThat(client.post("k1", "{}").body()).isEqualTo("observed 1");
    }

    @Test
    void the_filter_stands_after_spring_security_unless_told_otherwise() {
        HttpContract contract =
                HttpContract.builder(Onefold.on(new MemoryStore())).build();
        IdempotencyWebFilter filter = new IdempotencyWebFilter(contract, IdempotencyWebFilter.USER_PRINCIPAL);
        assertThat(filter.getOrder()).isGreaterThan(-100);
        assertThat(filter.order(7).errorHandlers(List.of()).getOrder()).isEqualTo(7);
    }
}
