package io.onefold.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.onefold.spring.Idempotent;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** What a duplicate hears while the first is at work, whoever has claimed for it. */
class BusyMessageTest {
    @Test
    void the_message_of_the_annotation() throws Exception {
        try (Running shop = Running.start(Slow.class, "--onefold.store=memory")) {
            List<String> paths = List.of("/by-filter", "/by-handler");
            List<CompletableFuture<HttpResponse<String>>> first = paths.stream()
                    .map(path -> shop.postLater(path, "k1", "\"x\""))
                    .toList();
            Slow.Gate gate = shop.bean(Slow.Gate.class);
            assertThat(gate.started.await(30, TimeUnit.SECONDS)).isTrue();
            for (String path : paths) {
                HttpResponse<String> second = shop.post(path, "k1", "\"x\"");
                assertThat(second.statusCode()).as(path).isEqualTo(409);
                assertThat(second.body())
                        .as(path)
                        .contains("urn:onefold:problem:in-progress")
                        .contains("Your order is on its way.");
            }
            gate.open.countDown();
            for (CompletableFuture<HttpResponse<String>> answer : first) {
                assertThat(answer.get(30, TimeUnit.SECONDS).statusCode()).isEqualTo(200);
            }
        }
    }

    @Application
    @Import(Slow.Orders.class)
    static class Slow {
        @Bean
        Gate gate() {
            return new Gate();
        }

        static class Gate {
            final CountDownLatch started = new CountDownLatch(2);
            final CountDownLatch open = new CountDownLatch(1);

            void pass() throws InterruptedException {
                started.countDown();
                if (!open.await(30, TimeUnit.SECONDS)) {
                    throw new IllegalStateException("the gate stayed closed");
                }
            }
        }

        @RestController
        static class Orders {
            private final Gate gate;

            Orders(Gate gate) {
                this.gate = gate;
            }

            @PostMapping("/by-filter")
            @Idempotent(operation = "by-filter", waitFor = "0s", message = "Your order is on its way.")
            public String byFilter(@RequestBody String order) throws InterruptedException {
                gate.pass();
                return order;
            }

            @PostMapping("/by-handler")
            @Idempotent(operation = "by-handler", key = "#order", message = "Your order is on its way.")
            public String byHandler(@RequestBody String order) throws InterruptedException {
                gate.pass();
                return order;
            }
        }
    }
}
