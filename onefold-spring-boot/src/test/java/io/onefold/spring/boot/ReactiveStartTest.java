package io.onefold.spring.boot;

import static io.onefold.spring.boot.ReactiveShopTest.MEMORY;
import static io.onefold.spring.boot.ReactiveShopTest.REACTIVE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onefold.spring.Idempotent;
import io.onefold.spring.TransactionMode;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Import;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** What is checked when a WebFlux application starts, and what changes while it runs. */
class ReactiveStartTest {
    @Test
    void changed_policies_reach_the_filter() throws Exception {
        try (Running other =
                Running.start(ReactiveShop.class, REACTIVE, MEMORY, "--onefold.http.principal=anonymous")) {
            String id = "k";
            assertThat(other.post("/pay", id, "{\"id\":\"a\",\"amount\":1}").statusCode())
                    .isEqualTo(200);
            System.setProperty("onefold.operations.pay.duplicates", "reject");
            try {
                other.bean(SettingsRefresher.class).refresh();
                assertThat(other.post("/pay", id, "{\"id\":\"a\",\"amount\":1}").statusCode())
                        .isEqualTo(409);
            } finally {
                System.clearProperty("onefold.operations.pay.duplicates");
            }
        }
    }

    @Test
    void where_nothing_says_whose_keys_they_are_nothing_starts() {
        assertThatThrownBy(() -> Running.start(ReactiveShop.class, REACTIVE, MEMORY, "--onefold.http.principal="))
                .hasRootCauseInstanceOf(NoPrincipalException.class);
    }

    @Test
    void a_handler_that_neither_filter_nor_context_can_protect_is_refused() {
        assertThatThrownBy(() -> Running.start(Unprotectable.class, REACTIVE, MEMORY))
                .rootCause()
                .hasMessageContaining("Handler.order")
                .hasMessageContaining("return a Mono");
    }

    @Test
    void a_handler_that_would_join_a_transaction_is_refused() {
        assertThatThrownBy(() -> Running.start(Joined.class, REACTIVE, "--onefold.http.principal=anonymous"))
                .rootCause()
                .hasMessageContaining("Handler.order")
                .hasMessageContaining("joins a transaction")
                .hasMessageContaining("Mode.LEASED");
        assertThatThrownBy(() -> Running.start(JoinedLater.class, REACTIVE, "--onefold.http.principal=anonymous"))
                .hasMessageContaining("Handler.order")
                .hasMessageContaining("goes on after it has returned, outside of the transaction");
    }

    @Test
    void a_service_of_a_handler_may_join_a_transaction() throws Exception {
        try (Running shop = Running.start(JoinedService.class, REACTIVE)) {
            String body = "{\"id\":\"a\",\"amount\":1}";
            assertThat(shop.post("/orders", "", body).body()).isEqualTo("1");
            assertThat(shop.post("/orders", "", body).body()).isEqualTo("1");
            assertThat(shop.bean(JoinedService.Ledger.class).runs()).hasValue(1);
        }
    }

    /** A service in a transaction, on a thread that may wait. */
    @ReactiveApplication
    @Import({JoinedService.Handler.class, JoinedService.Ledger.class})
    static class JoinedService {
        @RestController
        static class Handler {
            private final Ledger ledger;

            Handler(Ledger ledger) {
                this.ledger = ledger;
            }

            @PostMapping("/orders")
            public Mono<Integer> order(@RequestBody ReactiveShop.Payment payment) {
                return Mono.fromCallable(() -> ledger.book(payment.id())).subscribeOn(Schedulers.boundedElastic());
            }
        }

        static class Ledger {
            private final AtomicInteger runs = new AtomicInteger();

            @Transactional
            @Idempotent(operation = "book", key = "#id", mode = TransactionMode.JOINED)
            public int book(String id) {
                return runs.incrementAndGet();
            }

            public AtomicInteger runs() {
                return runs;
            }
        }
    }

    /** A handler whose transaction holds the thread. */
    @ReactiveApplication
    @Import(Joined.Handler.class)
    static class Joined {
        @RestController
        static class Handler {
            @Transactional
            @PostMapping("/orders")
            @Idempotent(operation = "order")
            public ReactiveShop.Receipt order(@RequestBody ReactiveShop.Payment payment) {
                return new ReactiveShop.Receipt(payment.id(), 0);
            }
        }
    }

    /** A handler that is to be joined, and returns before its work is done. */
    @ReactiveApplication
    @Import(JoinedLater.Handler.class)
    static class JoinedLater {
        @RestController
        static class Handler {
            @Transactional
            @PostMapping("/orders")
            @Idempotent(operation = "order", mode = TransactionMode.JOINED)
            public Mono<ReactiveShop.Receipt> order(@RequestBody ReactiveShop.Payment payment) {
                return Mono.just(new ReactiveShop.Receipt(payment.id(), 0));
            }
        }
    }

    /** A handler that finds neither its request nor anybody who could claim for it. */
    @ReactiveApplication
    @Import(Unprotectable.Handler.class)
    static class Unprotectable {
        @RestController
        static class Handler {
            @PostMapping("/orders")
            @Idempotent(operation = "order", key = "#payment.id")
            public ReactiveShop.Receipt order(@RequestBody ReactiveShop.Payment payment) {
                return new ReactiveShop.Receipt(payment.id(), 0);
            }
        }
    }
}
