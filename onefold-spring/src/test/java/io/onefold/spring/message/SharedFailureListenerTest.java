package io.onefold.spring.message;

import static org.assertj.core.api.Assertions.assertThat;

import io.onefold.AttemptFailedException;
import io.onefold.Onefold;
import io.onefold.spring.EnableIdempotent;
import io.onefold.spring.Idempotent;
import io.onefold.spring.UnsettledMessageException;
import io.onefold.spring.UnsettledRecordException;
import io.onefold.spring.WaiterCountingStore;
import io.onefold.store.MemoryStore;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.kafka.annotation.KafkaListener;

/** Deliveries that wait for another one of the same message, which fails; listeners are called as their containers would. */
class SharedFailureListenerTest {
    @Test
    void a_delivery_whose_twin_has_failed_on_rabbit_comes_again() throws Exception {
        comesAgain(listener -> listener.rabbit("k"), UnsettledMessageException.class);
    }

    @Test
    void a_delivery_whose_twin_has_failed_on_kafka_comes_again() throws Exception {
        comesAgain(listener -> listener.kafka("k"), UnsettledRecordException.class);
    }

    private static void comesAgain(Consumer<Listener> delivery, Class<? extends Exception> unsettled) throws Exception {
        try (AnnotationConfigApplicationContext context =
                new AnnotationConfigApplicationContext(Application.class, Listener.class)) {
            Listener listener = context.getBean(Listener.class);
            CompletableFuture<Throwable> first = failing(() -> delivery.accept(listener));
            assertThat(listener.started().await(30, TimeUnit.SECONDS)).isTrue();
            CompletableFuture<Throwable> second = failing(() -> delivery.accept(listener));
            context.getBean(WaiterCountingStore.class).awaitWaiters(1);
            listener.gate().countDown();

            assertThat(first.get(30, TimeUnit.SECONDS)).isSameAs(listener.failure());
            assertThat(second.get(30, TimeUnit.SECONDS))
                    .isInstanceOf(unsettled)
                    .hasCauseInstanceOf(AttemptFailedException.class)
                    .hasRootCause(listener.failure());
            assertThat(listener.runs()).isEqualTo(1);

            delivery.accept(listener);
            assertThat(listener.runs()).as("delivered again").isEqualTo(2);
        }
    }

    private static CompletableFuture<Throwable> failing(Runnable call) {
        return CompletableFuture.supplyAsync(
                () -> {
                    try {
                        call.run();
                        return new AssertionError("acknowledged");
                    } catch (RuntimeException e) {
                        return e;
                    }
                },
                task -> new Thread(task).start());
    }

    @EnableIdempotent
    @Import(ListenerConfiguration.class)
    static class Application {
        @Bean
        WaiterCountingStore store() {
            return new WaiterCountingStore(new MemoryStore());
        }

        @Bean
        Onefold onefold(WaiterCountingStore store) {
            return Onefold.on(store);
        }
    }

    static class Listener {
        private final AtomicInteger runs = new AtomicInteger();
        private final CountDownLatch started = new CountDownLatch(1);
        private final CountDownLatch gate = new CountDownLatch(1);
        private final IllegalStateException failure = new IllegalStateException("no");

        @RabbitListener(queues = "orders")
        @Idempotent(
                operation = "rabbit",
                key = "#id",
                waitersShareFailure = true,
                waitFor = "5s",
                retryOn = Exception.class)
        public void rabbit(String id) {
            run();
        }

        @KafkaListener(topics = "orders")
        @Idempotent(
                operation = "kafka",
                key = "#id",
                waitersShareFailure = true,
                waitFor = "5s",
                retryOn = Exception.class)
        public void kafka(String id) {
            run();
        }

        private void run() {
            int run = runs.incrementAndGet();
            started.countDown();
            try {
                if (run == 1 && gate.await(30, TimeUnit.SECONDS)) {
                    throw failure;
                }
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }

        public int runs() {
            return runs.get();
        }

        public CountDownLatch started() {
            return started;
        }

        public CountDownLatch gate() {
            return gate;
        }

        public IllegalStateException failure() {
            return failure;
        }
    }
}
