package io.onefold.spring.boot;

import static io.onefold.spring.boot.ReactiveShopTest.MEMORY;
import static io.onefold.spring.boot.ReactiveShopTest.REACTIVE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onefold.spring.Idempotent;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

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
                other.bean(PolicyRefresher.class).refresh();
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
