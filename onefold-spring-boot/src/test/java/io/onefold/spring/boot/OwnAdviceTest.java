package io.onefold.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.onefold.ConflictException;
import io.onefold.spring.Idempotent;
import io.onefold.store.TransactionConflictException;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Import;
import org.springframework.core.annotation.Order;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import reactor.core.publisher.Mono;

/** Whose words a request is told in, where the application has exception handlers of its own. */
class OwnAdviceTest {
    @Test
    void advice_without_an_order_is_for_the_applications_own_failures_and_ordered_advice_goes_first() throws Exception {
        check(Servlets.class, "servlet");
    }

    @Test
    void so_it_is_in_webflux() throws Exception {
        check(Flowing.class, "reactive");
    }

    private static void check(Class<?> application, String type) throws Exception {
        try (Running shop =
                Running.start(application, "--onefold.store=memory", "--spring.main.web-application-type=" + type)) {
            assertThat(shop.post("/orders?id=1", "", "\"a\"").body()).isEqualTo("\"a\"");

            HttpResponse<String> missing = shop.post("/orders?id=", "", "\"a\"");
            assertThat(missing.statusCode()).isEqualTo(400);
            assertThat(missing.body()).contains("urn:onefold:problem:key-missing");

            HttpResponse<String> conflict = shop.post("/orders?id=1", "", "\"b\"");
            assertThat(conflict.statusCode()).isEqualTo(422);
            assertThat(conflict.body()).contains("urn:onefold:problem:key-reused");

            HttpResponse<String> contended = shop.post("/contended", "", "");
            assertThat(contended.statusCode()).isEqualTo(503);
            assertThat(contended.body()).contains("urn:onefold:problem:store-unavailable");
            assertThat(contended.headers().firstValue("Retry-After")).isPresent();

            HttpResponse<String> failed = shop.post("/orders?id=2", "", "\"bad\"");
            assertThat(failed.statusCode()).isEqualTo(500);
            assertThat(failed.body()).isEqualTo("caught");
        }
    }

    @Application
    @Import({Orders.class, Contended.class, CatchAll.class, OfConflicts.class})
    static class Servlets {}

    @ReactiveApplication
    @Import({Orders.class, Contended.class, CatchAll.class, OfConflicts.class})
    static class Flowing {}

    @RestController
    static class Orders {
        @PostMapping("/orders")
        @Idempotent(operation = "order", key = "#id", matching = "#order")
        public Mono<String> order(@RequestParam String id, @RequestBody String order) {
            return order.contains("bad") ? Mono.error(new IllegalStateException(order)) : Mono.just(order);
        }
    }

    @RestController
    static class Contended {
        /** Lets through what a joined method throws whose transaction was given up. */
        @PostMapping("/contended")
        public Mono<String> contended() {
            return Mono.error(
                    new ConcurrencyFailureException("given up", new TransactionConflictException("deadlock", null)));
        }
    }

    @RestControllerAdvice
    static class CatchAll {
        @ExceptionHandler(Exception.class)
        ResponseEntity<String> any(Exception why) {
            return ResponseEntity.status(500).body("caught");
        }
    }

    @Order(0)
    @RestControllerAdvice
    static class OfConflicts {
        @ExceptionHandler(ConflictException.class)
        ResponseEntity<String> conflict(ConflictException why) {
            return ResponseEntity.status(418).body("another order");
        }
    }
}
