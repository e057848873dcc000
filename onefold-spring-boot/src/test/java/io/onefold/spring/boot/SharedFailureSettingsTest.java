package io.onefold.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.onefold.spring.Idempotent;
import io.onefold.store.Store;
import java.net.http.HttpResponse;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** What {@code waiters-share-failure} does, whether the filter claims or the handler. */
class SharedFailureSettingsTest {
    @ParameterizedTest
    @CsvSource({
        "/early, onefold.operations.early.waiters-share-failure=true, true",
        "/late,  onefold.operations.late.waiters-share-failure=true,  true",
        "/early, onefold.defaults.waiters-share-failure=true,         true",
        "/late,  onefold.defaults.waiters-share-failure=true,         true",
        "/early, onefold.operations.late.waiters-share-failure=true,  false",
        "/late,  onefold.operations.early.waiters-share-failure=true, false"
    })
    void a_duplicate_that_waits_hears_of_the_failure_if_so_configured_and_else_takes_its_turn(
            String path, String property, boolean shared) throws Exception {
        try (Running shop = Running.start(Shop.class, "--onefold.defaults.wait-for=30s", "--" + property)) {
            LegacyWaitersTest.State state = shop.bean(LegacyWaitersTest.State.class);
            CompletableFuture<HttpResponse<String>> first = shop.postLater(path, "k1", "\"x\"");
            assertThat(state.started.await(30, TimeUnit.SECONDS)).isTrue();
            CompletableFuture<HttpResponse<String>> second = shop.postLater(path, "k1", "\"x\"");
            Until.holds(() -> shop.bean(LegacyWaitersTest.WaiterStore.class).waiters() == 1);
            state.gate.countDown();

            assertThat(first.get(30, TimeUnit.SECONDS).statusCode()).isEqualTo(500);
            HttpResponse<String> told = second.get(30, TimeUnit.SECONDS);
            assertThat(told.statusCode()).isEqualTo(shared ? 503 : 200);
            assertThat(told.body()).contains(shared ? "urn:onefold:problem:attempt-failed" : "run 2");
            assertThat(state.runs).hasValue(shared ? 1 : 2);
        }
    }

    @Application
    @Import(Shop.Orders.class)
    static class Shop {
        @Bean
        Store store() {
            return new LegacyWaitersTest.WaiterStore();
        }

        @Bean
        LegacyWaitersTest.State state() {
            return new LegacyWaitersTest.State();
        }

        @RestController
        static class Orders {
            private final LegacyWaitersTest.State state;

            Orders(LegacyWaitersTest.State state) {
                this.state = state;
            }

            @PostMapping("/early")
            @Idempotent(operation = "early", retryOn = IllegalStateException.class)
            public String early(@RequestBody String order) throws InterruptedException {
                return run();
            }

            @PostMapping("/late")
            @Idempotent(operation = "late", key = "#order", retryOn = IllegalStateException.class)
            public String late(@RequestBody String order) throws InterruptedException {
                return run();
            }

            private String run() throws InterruptedException {
                int run = state.runs.incrementAndGet();
                state.started.countDown();
                if (run == 1 && state.gate.await(60, TimeUnit.SECONDS)) {
                    throw new IllegalStateException("out of stock");
                }
                return "run " + run;
            }
        }
    }
}
