package io.onefold.spring.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.rabbitmq.client.Channel;
import io.onefold.Onefold;
import io.onefold.spring.EnableIdempotent;
import io.onefold.spring.Idempotent;
import io.onefold.spring.IdempotentMethodRegistry;
import io.onefold.store.MemoryStore;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.aopalliance.intercept.MethodInterceptor;
import org.junit.jupiter.api.Test;
import org.springframework.amqp.core.AcknowledgeMode;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.rabbit.config.SimpleRabbitListenerContainerFactory;
import org.springframework.amqp.rabbit.listener.RabbitListenerContainerFactory;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.annotation.RetryableTopic;
import org.springframework.kafka.config.ConcurrentKafkaListenerContainerFactory;
import org.springframework.kafka.config.KafkaListenerContainerFactory;
import org.springframework.kafka.listener.CommonLoggingErrorHandler;
import org.springframework.kafka.support.Acknowledgment;
import org.springframework.messaging.Message;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Without brokers: what is wrong with a listener is told when the application starts. */
class RefusedListenersTest {
    @Test
    void a_batch_is_refused() {
        refused(Batch.class, "Batch.on takes a batch of messages", "one message at a time");
        refused(RabbitBatch.class, "RabbitBatch.on takes a batch of messages", "one message at a time");
    }

    @Test
    void so_is_one_that_the_containers_factory_makes_unless_the_listener_says_otherwise() {
        for (Class<?> listener : List.of(ByKafkaFactory.class, ByRabbitFactory.class)) {
            assertThatThrownBy(() -> context(WithMessages.class, Batching.class, listener))
                    .hasStackTraceContaining(listener.getSimpleName() + ".on takes a batch of messages");
        }
        try (AnnotationConfigApplicationContext context = context(WithMessages.class, Batching.class, OneByOne.class)) {
            assertThat(context.getBean(IdempotentMethodRegistry.class).all()).hasSize(2);
        }
    }

    @Test
    void a_list_in_a_single_message_is_none() {
        try (AnnotationConfigApplicationContext context = context(WithMessages.class, ListPayload.class)) {
            assertThat(context.getBean(IdempotentMethodRegistry.class).all()).hasSize(1);
        }
    }

    @Test
    void a_listener_that_acknowledges_by_itself_is_refused() {
        refused(KafkaAcknowledging.class, "acknowledges its messages by itself", "leave that to the container");
        refused(RabbitAcknowledging.class, "acknowledges its messages by itself", "leave that to the container");
        refused(ManualMode.class, "acknowledges its messages by itself", "leave that to the container");
    }

    @Test
    void a_listener_whose_messages_the_broker_forgets_is_refused() {
        refused(Forgotten.class, "Forgotten.on gets messages that RabbitMQ forgets", "mode AUTO");
        assertThatThrownBy(() -> context(WithMessages.class, Forgetting.class, ByFactory.class))
                .hasStackTraceContaining("ByFactory.on gets messages that RabbitMQ forgets");
        try (AnnotationConfigApplicationContext context =
                context(WithMessages.class, Forgetting.class, OverFactory.class)) {
            assertThat(context.getBean(IdempotentMethodRegistry.class).all()).hasSize(1);
        }
    }

    @Test
    void a_listener_whose_failures_are_logged_and_forgotten_is_refused() {
        assertThatThrownBy(() -> context(WithMessages.class, Logging.class, Logged.class))
                .hasStackTraceContaining("Logged.on has a container whose error handler logs failures and goes on");
    }

    @Test
    void a_listener_of_kafka_that_goes_on_after_it_has_returned_is_refused() {
        refused(KafkaFuture.class, "KafkaFuture.on goes on after it has returned", "join()");
        refused(KafkaMono.class, "KafkaMono.on goes on after it has returned", "join()");
    }

    @Test
    void a_listener_of_rabbitmq_that_goes_on_is_refused_if_its_container_would_not_wait() {
        refused(RabbitStage.class, "RabbitStage.on goes on after it has returned", "CompletableFuture or a Mono");
        refused(RabbitFlux.class, "RabbitFlux.on goes on after it has returned", "CompletableFuture or a Mono");
        try (AnnotationConfigApplicationContext context = context(WithMessages.class, RabbitFuture.class)) {
            assertThat(context.getBean(IdempotentMethodRegistry.class).all()).hasSize(1);
        }
    }

    @Test
    void a_listener_whose_containers_nothing_is_known_of_is_refused() {
        for (Class<?> listener : List.of(StrangeKafka.class, StrangeRabbit.class)) {
            assertThatThrownBy(() -> context(WithMessages.class, Strange.class, listener))
                    .hasStackTraceContaining(listener.getSimpleName() + ".on has a container of ")
                    .hasStackTraceContaining("let its factory be one that extends Abstract");
        }
    }

    @Test
    void a_listener_is_refused_for_any_of_its_containers() {
        refused(TwoContainers.class, "TwoContainers.on takes a batch of messages", "one message at a time");
    }

    @Test
    void retry_topics_need_a_scope() {
        refused(Retryable.class, "is retried on other topics", "scope = \"'orders'\"");
        try (AnnotationConfigApplicationContext context = context(WithMessages.class, RetryableInScope.class)) {
            assertThat(context.getBean(IdempotentMethodRegistry.class).all()).hasSize(1);
        }
    }

    @Test
    void a_listener_whose_messages_nothing_finds_is_refused() {
        assertThatThrownBy(() -> context(Basics.class, ListPayload.class))
                .hasStackTraceContaining("import io.onefold.spring.message.ListenerConfiguration");
    }

    private static void refused(Class<?> listener, String what, String allowed) {
        assertThatThrownBy(() -> context(WithMessages.class, listener))
                .hasStackTraceContaining(what)
                .hasStackTraceContaining(allowed);
    }

    private static AnnotationConfigApplicationContext context(Class<?>... beans) {
        return new AnnotationConfigApplicationContext(beans);
    }

    @EnableIdempotent
    static class Basics {
        @Bean
        Onefold onefold() {
            return Onefold.on(new MemoryStore());
        }
    }

    @Import({Basics.class, ListenerConfiguration.class})
    static class WithMessages {}

    static class Batch {
        @KafkaListener(topics = "orders")
        @Idempotent(operation = "on")
        public void on(List<String> orders) {}
    }

    static class RabbitBatch {
        @RabbitListener(queues = "orders", batch = "true")
        @Idempotent(operation = "on")
        public void on(String[] orders) {}
    }

    static class ListPayload {
        @KafkaListener(topics = "orders", batch = "false")
        @Idempotent(operation = "on")
        public void on(List<String> lines) {}
    }

    /** Under their usual names, as {@code spring.kafka.listener.type=batch} makes them. */
    static class Batching {
        @Bean
        ConcurrentKafkaListenerContainerFactory<String, String> kafkaListenerContainerFactory() {
            ConcurrentKafkaListenerContainerFactory<String, String> factory =
                    new ConcurrentKafkaListenerContainerFactory<>();
            factory.setBatchListener(true);
            return factory;
        }

        @Bean
        SimpleRabbitListenerContainerFactory rabbitListenerContainerFactory() {
            SimpleRabbitListenerContainerFactory factory = new SimpleRabbitListenerContainerFactory();
            factory.setBatchListener(true);
            return factory;
        }
    }

    static class ByKafkaFactory {
        @KafkaListener(topics = "orders")
        @Idempotent(operation = "on")
        public void on(Message<List<String>> orders) {}
    }

    static class ByRabbitFactory {
        @RabbitListener(queues = "orders")
        @Idempotent(operation = "on")
        public void on(String[] orders) {}
    }

    static class OneByOne {
        @KafkaListener(topics = "orders", batch = "false")
        @Idempotent(operation = "kafka")
        public void fromKafka(String[] lines) {}

        @RabbitListener(queues = "orders", batch = "false")
        @Idempotent(operation = "rabbit")
        public void fromRabbit(String[] lines) {}
    }

    static class KafkaAcknowledging {
        @KafkaListener(topics = "orders")
        @Idempotent(operation = "on")
        public void on(String order, Acknowledgment acknowledgment) {}
    }

    static class RabbitAcknowledging {
        @RabbitListener(queues = "orders")
        @Idempotent(operation = "on")
        public void on(String order, Channel channel) {}
    }

    static class ManualMode {
        @RabbitListener(queues = "orders", ackMode = "MANUAL")
        @Idempotent(operation = "on")
        public void on(String order) {}
    }

    static class Forgotten {
        @RabbitListener(queues = "orders", ackMode = "NONE")
        @Idempotent(operation = "on")
        public void on(String order) {}
    }

    static class Forgetting {
        @Bean
        SimpleRabbitListenerContainerFactory forgetful() {
            SimpleRabbitListenerContainerFactory factory = new SimpleRabbitListenerContainerFactory();
            factory.setAcknowledgeMode(AcknowledgeMode.NONE);
            return factory;
        }
    }

    static class Logging {
        @Bean
        ConcurrentKafkaListenerContainerFactory<String, String> forgetful() {
            ConcurrentKafkaListenerContainerFactory<String, String> factory =
                    new ConcurrentKafkaListenerContainerFactory<>();
            factory.setCommonErrorHandler(new CommonLoggingErrorHandler());
            return factory;
        }
    }

    static class Logged {
        @KafkaListener(topics = "orders", containerFactory = "forgetful")
        @Idempotent(operation = "on")
        public void on(String order) {}
    }

    /** As those of share groups and streams are. */
    static class Strange {
        @Bean
        KafkaListenerContainerFactory<?> strangeKafka() {
            return ProxyFactory.getProxy(KafkaListenerContainerFactory.class, (MethodInterceptor) call -> null);
        }

        @Bean
        RabbitListenerContainerFactory<?> strangeRabbit() {
            return ProxyFactory.getProxy(RabbitListenerContainerFactory.class, (MethodInterceptor) call -> null);
        }
    }

    static class StrangeKafka {
        @KafkaListener(topics = "orders", containerFactory = "strangeKafka")
        @Idempotent(operation = "on")
        public void on(String order) {}
    }

    static class StrangeRabbit {
        @RabbitListener(queues = "orders", containerFactory = "strangeRabbit")
        @Idempotent(operation = "on")
        public void on(String order) {}
    }

    static class KafkaFuture {
        @KafkaListener(topics = "orders")
        @Idempotent(operation = "on")
        public CompletableFuture<Void> on(String order) {
            return CompletableFuture.completedFuture(null);
        }
    }

    static class KafkaMono {
        @KafkaListener(topics = "orders")
        @Idempotent(operation = "on")
        public Mono<Void> on(String order) {
            return Mono.empty();
        }
    }

    static class RabbitStage {
        @RabbitListener(queues = "orders")
        @Idempotent(operation = "on")
        public CompletionStage<Void> on(String order) {
            return CompletableFuture.completedFuture(null);
        }
    }

    static class RabbitFlux {
        @RabbitListener(queues = "orders")
        @Idempotent(operation = "on")
        public Flux<String> on(String order) {
            return Flux.empty();
        }
    }

    static class RabbitFuture {
        @RabbitListener(queues = "orders")
        @Idempotent(operation = "on")
        public CompletableFuture<Void> on(String order) {
            return CompletableFuture.completedFuture(null);
        }
    }

    static class TwoContainers {
        @KafkaListener(topics = "orders")
        @KafkaListener(topics = "more", batch = "true")
        @Idempotent(operation = "on")
        public void on(String order) {}
    }

    static class ByFactory {
        @RabbitListener(queues = "orders", containerFactory = "#{@forgetful}")
        @Idempotent(operation = "on")
        public void on(String order) {}
    }

    static class OverFactory {
        @RabbitListener(queues = "orders", containerFactory = "forgetful", ackMode = "AUTO")
        @Idempotent(operation = "on")
        public void on(String order) {}
    }

    static class Retryable {
        @RetryableTopic
        @KafkaListener(topics = "orders")
        @Idempotent(operation = "on")
        public void on(String order) {}
    }

    static class RetryableInScope {
        @RetryableTopic
        @KafkaListener(topics = "orders")
        @Idempotent(operation = "on", scope = "'orders'")
        public void on(String order) {}
    }
}
