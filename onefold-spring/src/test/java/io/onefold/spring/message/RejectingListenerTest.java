package io.onefold.spring.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onefold.InProgressException;
import io.onefold.Onefold;
import io.onefold.spring.DuplicatePolicy;
import io.onefold.spring.EnableIdempotent;
import io.onefold.spring.Idempotent;
import io.onefold.spring.OperationSettings;
import io.onefold.spring.OperationSettingsRegistry;
import io.onefold.spring.UnsettledMessageException;
import io.onefold.store.MemoryStore;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

/** A listener that rejects duplicates, called as its container would. */
class RejectingListenerTest {
    @Test
    void a_duplicate_is_dropped_when_the_first_has_succeeded_and_not_while_that_is_at_work() throws Exception {
        try (AnnotationConfigApplicationContext context =
                new AnnotationConfigApplicationContext(Application.class, Listener.class)) {
            Listener listener = context.getBean(Listener.class);
            CompletableFuture<String> first =
                    CompletableFuture.supplyAsync(() -> listener.on("k1"), task -> new Thread(task).start());
            assertThat(listener.started().await(30, TimeUnit.SECONDS)).isTrue();

            // the first may still fail: dropped now, the message would be lost
            assertThatThrownBy(() -> listener.on("k1"))
                    .isInstanceOf(UnsettledMessageException.class)
                    .hasCauseInstanceOf(InProgressException.class);

            listener.gate().countDown();
            assertThat(first.get(30, TimeUnit.SECONDS)).isEqualTo("done");
            assertThat(listener.on("k1")).as("the answer to a duplicate").isNull();
        }
    }

    @Test
    void a_duplicate_of_a_listener_that_returns_a_primitive_is_dropped_too() {
        try (AnnotationConfigApplicationContext context =
                new AnnotationConfigApplicationContext(Application.class, Counting.class)) {
            Counting listener = context.getBean(Counting.class);
            assertThat(listener.on("k1")).isEqualTo(7);
            assertThat(listener.on("k1")).isZero();
        }
    }

    static class Counting {
        @RabbitListener(queues = "orders")
        @Idempotent(operation = "on", key = "#order", duplicates = DuplicatePolicy.REJECT)
        public int on(String order) {
            return 7;
        }
    }

    @EnableIdempotent
    @Import(ListenerConfiguration.class)
    static class Application {
        @Bean
        Onefold onefold() {
            return Onefold.on(new MemoryStore());
        }

        @Bean
        OperationSettingsRegistry policies() {
            return new OperationSettingsRegistry(OperationSettings.NONE.waitFor(Duration.ofMillis(50)), Map.of());
        }
    }

    static class Listener {
        private final CountDownLatch started = new CountDownLatch(1);
        private final CountDownLatch gate = new CountDownLatch(1);

        @RabbitListener(queues = "orders")
        @Idempotent(operation = "on", key = "#order", duplicates = DuplicatePolicy.REJECT)
        public String on(String order) {
            started.countDown();
            try {
                if (!gate.await(30, TimeUnit.SECONDS)) {
                    throw new IllegalStateException("the gate stayed closed");
                }
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            return "done";
        }

        public CountDownLatch started() {
            return started;
        }

        public CountDownLatch gate() {
            return gate;
        }
    }
}
