package io.onefold.spring.message;

import static org.assertj.core.api.Assertions.assertThat;

import io.onefold.spring.Idempotent;
import io.onefold.spring.message.RabbitApplication.Orders;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageBuilder;
import org.springframework.amqp.core.QueueBuilder;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.rabbit.config.RetryInterceptorBuilder;
import org.springframework.amqp.rabbit.config.SimpleRabbitListenerContainerFactory;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.amqp.rabbit.core.RabbitAdmin;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.amqp.rabbit.listener.RabbitListenerEndpointRegistry;
import org.springframework.amqp.rabbit.retry.RejectAndDontRequeueRecoverer;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Containers as many applications have them, which drop a message that has failed. */
class RabbitRedeliveryTest {
    private static final List<String> QUEUES = List.of("retrying", "republishing", "dropping", "hasty");
    private static final int OFTEN = 6;

    @Test
    void a_message_that_another_consumer_is_at_work_on_is_never_dropped() {
        try (AnnotationConfigApplicationContext context =
                new AnnotationConfigApplicationContext(RabbitApplication.class, Containers.class, Listeners.class)) {
            Log log = context.getBean(Log.class);
            RabbitTemplate template = context.getBean(RabbitTemplate.class);
            QUEUES.forEach(queue -> send(template, queue, "first of " + queue));
            Log.await("the first are at work", () -> all(queue -> log.runs("first of " + queue) == 1));
            long began = System.nanoTime();
            QUEUES.forEach(queue -> send(template, queue, "second of " + queue));
            Log.await("the second come again and again", () -> all(queue -> came(log, queue) >= OFTEN));

            assertThat(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began))
                    .as("no hot loop, though nobody waits for the first")
                    .isGreaterThanOrEqualTo((OFTEN - 1) * 100L);
            log.gate.countDown();
            Log.await("all are acknowledged", () -> log.acknowledgements() == 2 * QUEUES.size());
            RabbitAdmin admin = context.getBean(RabbitAdmin.class);
            context.getBean(RabbitListenerEndpointRegistry.class).stop();
            for (String queue : QUEUES) {
                assertThat(log.runs("second of " + queue)).as(queue).isZero();
                assertThat(left(admin, queue)).as(queue).isZero();
                admin.deleteQueue(RabbitApplication.queue(queue));
            }
            assertThat(log.runs("republished")).isZero();
        }
    }

    private static boolean all(Predicate<String> what) {
        return QUEUES.stream().allMatch(what);
    }

    private static long came(Log log, String queue) {
        return log.deliveries("second of " + queue);
    }

    private static int left(RabbitAdmin admin, String queue) {
        return (int) Objects.requireNonNull(admin.getQueueInfo(RabbitApplication.queue(queue)))
                .getMessageCount();
    }

    private static void send(RabbitTemplate template, String queue, String payload) {
        template.send(
                RabbitApplication.queue(queue),
                MessageBuilder.withBody(payload.getBytes(StandardCharsets.UTF_8))
                        .setMessageId("k1")
                        .build());
    }

    @Configuration(proxyBeanMethods = false)
    @Import(RabbitApplication.class)
    static class Containers {
        /** The expressions of annotations find the names of queues here. */
        @Bean
        Map<String, String> named(RabbitAdmin admin) {
            Map<String, String> named = new HashMap<>();
            for (String queue : QUEUES) {
                named.put(queue, RabbitApplication.queue(queue));
                admin.declareQueue(
                        QueueBuilder.nonDurable(RabbitApplication.queue(queue)).build());
            }
            return named;
        }

        /** As {@code spring.rabbitmq.listener.simple.retry.enabled} makes it. */
        @Bean
        SimpleRabbitListenerContainerFactory retrying(ConnectionFactory connections, Log log) {
            SimpleRabbitListenerContainerFactory factory = plain(connections, log);
            factory.setAdviceChain(
                    log.advice(Message.class, Orders::text),
                    RetryInterceptorBuilder.stateless()
                            .recoverer(new RejectAndDontRequeueRecoverer())
                            .build());
            return factory;
        }

        @Bean
        SimpleRabbitListenerContainerFactory republishing(ConnectionFactory connections, Log log) {
            SimpleRabbitListenerContainerFactory factory = plain(connections, log);
            factory.setAdviceChain(
                    log.advice(Message.class, Orders::text),
                    RetryInterceptorBuilder.stateless()
                            .recoverer((message, cause) -> log.run("republished"))
                            .build());
            return factory;
        }

        @Bean
        SimpleRabbitListenerContainerFactory dropping(ConnectionFactory connections, Log log) {
            SimpleRabbitListenerContainerFactory factory = plain(connections, log);
            factory.setDefaultRequeueRejected(false);
            factory.setAdviceChain(log.advice(Message.class, Orders::text));
            return factory;
        }

        private static SimpleRabbitListenerContainerFactory plain(ConnectionFactory connections, Log log) {
            SimpleRabbitListenerContainerFactory factory = new SimpleRabbitListenerContainerFactory();
            factory.setConnectionFactory(connections);
            factory.setConcurrentConsumers(2);
            factory.setPrefetchCount(1);
            factory.setMessageConverter(new Orders());
            factory.setMessageAckListener((success, tag, cause) -> log.acknowledged());
            return factory;
        }
    }

    static class Listeners {
        private final Log log;

        Listeners(Log log) {
            this.log = log;
        }

        @RabbitListener(queues = "#{@named['retrying']}", containerFactory = "retrying")
        @Idempotent(operation = "retrying", waitFor = "100ms", matching = "'any'")
        public void retrying(String payload) throws InterruptedException {
            log.runBehindGate(payload);
        }

        @RabbitListener(queues = "#{@named['republishing']}", containerFactory = "republishing")
        @Idempotent(operation = "republishing", waitFor = "100ms", matching = "'any'")
        public void republishing(String payload) throws InterruptedException {
            log.runBehindGate(payload);
        }

        @RabbitListener(queues = "#{@named['dropping']}", containerFactory = "dropping")
        @Idempotent(operation = "dropping", waitFor = "100ms", matching = "'any'")
        public void dropping(String payload) throws InterruptedException {
            log.runBehindGate(payload);
        }

        @RabbitListener(queues = "#{@named['hasty']}", containerFactory = "dropping")
        @Idempotent(operation = "hasty", waitFor = "0s", matching = "'any'")
        public void hasty(String payload) throws InterruptedException {
            log.runBehindGate(payload);
        }
    }
}
