package io.onefold.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.springframework.web.reactive.function.server.RequestPredicates.POST;
import static org.springframework.web.reactive.function.server.RouterFunctions.route;

import io.onefold.Key;
import io.onefold.Onefold;
import io.onefold.Operation;
import io.onefold.Outcome;
import io.onefold.store.MemoryStore;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.springframework.test.web.reactive.server.WebTestClient;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;

/** A reactive application that says itself what is a replay. */
class WebTestClientDuplicatesTest {
    private static final Operation<String> ORDER = Operation.of("order", String.class);

    private final OutcomeCounter probe = new OutcomeCounter();
    private final Onefold onefold =
            Onefold.builder(new MemoryStore()).listener(probe).build();
    private final AtomicInteger orders = new AtomicInteger();
    private final WebTestClient client = WebTestClient.bindToRouterFunction(
                    route(POST("/orders"), this::order).andRoute(POST("/never"), request -> Mono.never()))
            .build();

    @Test
    void duplicates_that_come_at_once_are_replayed() {
        CallResults replies = DuplicateCalls.of(
                        client,
                        http -> http.post()
                                .uri("/orders")
                                .header("Idempotency-Key", "k")
                                .bodyValue("book"))
                .times(5)
                .counting(probe)
                .concurrently()
                .ranOnce()
                .replayed(4)
                .sameAnswer();

        assertThat(replies.list()).extracting(CallResult::text).containsOnly("order 1");
    }

    @Test
    void one_by_one_they_are_replayed_too() {
        DuplicateCalls.of(client, http -> http.post().uri("/orders").header("Idempotency-Key", "k"))
                .times(2)
                .oneByOne()
                .ranOnce()
                .replayed(1);
    }

    @Test
    void each_request_is_built_anew() {
        AtomicInteger keys = new AtomicInteger();

        DuplicateCalls.of(
                        client,
                        http -> http.post().uri("/orders").header("Idempotency-Key", "k" + keys.incrementAndGet()))
                .times(3)
                .concurrently()
                .ran(3)
                .replayed(0);
    }

    @Test
    void one_that_is_never_answered_fails() {
        assertThatThrownBy(() -> DuplicateCalls.of(client, http -> http.post().uri("/never"))
                        .within(Duration.ofMillis(200))
                        .concurrently())
                .hasMessageContaining("2 of 2 had no answer within PT0.2S");
        assertThatThrownBy(() -> DuplicateCalls.of(client, http -> http.post().uri("/never"))
                        .within(Duration.ofMillis(200))
                        .oneByOne())
                .hasMessageContaining("2 of 2 had no answer within PT0.2S");
    }

    private Mono<ServerResponse> order(ServerRequest request) {
        Key key = Key.of(Objects.requireNonNull(request.headers().firstHeader("Idempotency-Key")));
        CompletableFuture<Outcome<String>> outcome = onefold.attemptAsync(
                ORDER,
                key,
                attempt -> CompletableFuture.supplyAsync(
                        () -> "order " + orders.incrementAndGet(),
                        CompletableFuture.delayedExecutor(20, TimeUnit.MILLISECONDS)));
        return Mono.fromFuture(outcome).flatMap(told -> {
            ServerResponse.BodyBuilder answer = ServerResponse.ok();
            if (told instanceof Outcome.Replayed<String>) {
                answer.header("Idempotent-Replayed", "true");
            }
            return answer.bodyValue(Objects.requireNonNull(told.orThrow()));
        });
    }
}
