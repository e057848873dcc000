package io.onefold.spring.boot;

import io.onefold.Attempt;
import io.onefold.spring.CurrentAttempt;
import io.onefold.spring.Idempotent;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.context.annotation.Bean;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;

/** An application that calls others while its operation runs. */
@Application
@EnableAsync
class Errands {
    @Bean
    Orders orders() {
        return new Orders();
    }

    @Bean
    Aside aside() {
        return new Aside();
    }

    static class Orders {
        /** Fails afterwards as often as wanted, so that there is another attempt. */
        @Idempotent(operation = "order", key = "#id", matching = "''", retryOn = IllegalStateException.class)
        public String order(String id, boolean fails, Supplier<@Nullable String> calls) {
            String made = Objects.requireNonNullElse(calls.get(), "nothing");
            if (fails) {
                throw new IllegalStateException("once more");
            }
            return made;
        }
    }

    static class Aside {
        @Async
        public CompletableFuture<String> key() {
            Attempt attempt = CurrentAttempt.get();
            return CompletableFuture.completedFuture(attempt == null ? "none" : attempt.childKey("charge"));
        }

        @Async
        public CompletableFuture<String> thread() {
            return CompletableFuture.completedFuture(Thread.currentThread().getName());
        }
    }
}
