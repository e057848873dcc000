package io.onefold.spring.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onefold.InProgressException;
import io.onefold.spring.Idempotent;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionTemplate;

/** A listener that its container calls in a transaction of the database. */
class CallersTransactionTest {
    @Test
    void it_holds_no_connection_while_another_is_at_work() throws Exception {
        try (AnnotationConfigApplicationContext context =
                new AnnotationConfigApplicationContext(Application.class, Listener.class)) {
            Listener listener = context.getBean(Listener.class);
            Log log = context.getBean(Log.class);
            TransactionTemplate transaction =
                    new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
            CompletableFuture<Void> first =
                    CompletableFuture.runAsync(() -> listener.on("order"), task -> new Thread(task).start());
            Log.await("the first is at work", () -> log.runs("order") == 1);

            long began = System.nanoTime();
            assertThatThrownBy(() -> transaction.executeWithoutResult(status -> listener.on("order")))
                    .hasCauseInstanceOf(InProgressException.class);
            assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Listener.WAIT);

            log.gate.countDown();
            first.get(30, TimeUnit.SECONDS);
        }
    }

    static class Listener {
        static final Duration WAIT = Duration.ofSeconds(10);

        private final Log log;

        Listener(Log log) {
            this.log = log;
        }

        @RabbitListener(queues = "orders")
        @Idempotent(operation = "on", key = "#order", waitFor = "10s")
        @Transactional
        public void on(String order) {
            try {
                log.runBehindGate(order);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
