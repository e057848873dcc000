package io.onefold.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.onefold.Key;
import io.onefold.Onefold;
import io.onefold.Operation;
import io.onefold.Verdict;
import io.onefold.spring.Idempotent;
import io.onefold.store.Status;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Map;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.config.KafkaListenerEndpointRegistry;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.kafka.listener.CommonErrorHandler;
import org.springframework.kafka.listener.ConcurrentMessageListenerContainer;
import org.springframework.kafka.listener.DefaultErrorHandler;
import org.springframework.kafka.listener.KafkaMessageListenerContainer;
import org.springframework.kafka.listener.RecordInterceptor;
import org.springframework.kafka.test.EmbeddedKafkaBroker;
import org.springframework.kafka.test.EmbeddedKafkaKraftBroker;
import org.springframework.util.backoff.FixedBackOff;

/** Listeners in the containers that Spring Boot makes of {@code spring.kafka.*}, with the application's own error handler. */
class KafkaTest {
    /** What has failed so often is given up by the application's handler, and the next record of the partition comes. */
    private static final int TRIES = 2;

    private static EmbeddedKafkaBroker broker;
    private static ConfigurableApplicationContext context;
    private static Stockroom stockroom;

    @BeforeAll
    static void start() throws InterruptedException {
        broker = new EmbeddedKafkaKraftBroker(1, 1).brokerProperties(Map.of("group.initial.rebalance.delay.ms", "0"));
        broker.afterPropertiesSet();
        broker.addTopics(new NewTopic("paid", 1, (short) 1), new NewTopic("packed", 2, (short) 1));
        context = new SpringApplication(Shop.class)
                .run(
                        "--spring.main.web-application-type=none",
                        "--spring.datasource.generate-unique-name=true",
                        "--spring.kafka.bootstrap-servers=" + broker.getBrokersAsString(),
                        "--spring.kafka.consumer.auto-offset-reset=earliest",
                        "--spring.kafka.listener.concurrency=2");
        stockroom = context.getBean(Stockroom.class);
        Until.holds(() -> context.getBean(KafkaListenerEndpointRegistry.class).getListenerContainers().stream()
                .allMatch(container -> isAssigned((ConcurrentMessageListenerContainer<?, ?>) container)));
    }

    /** Each consumer has a partition: else who is at work on one record would hold those of others. */
    private static boolean isAssigned(ConcurrentMessageListenerContainer<?, ?> container) {
        return container.getContainers().stream()
                .map(KafkaMessageListenerContainer::getAssignedPartitions)
                .allMatch(KafkaTest::isOne);
    }

    private static boolean isOne(Collection<?> assigned) {
        return assigned != null && assigned.size() == 1;
    }

    @AfterAll
    static void stop() {
        stockroom.openGate();
        context.close();
        broker.destroy();
    }

    @Test
    void a_duplicate_is_acknowledged_without_running() throws InterruptedException {
        send("paid", 0, "k1", "twice");
        send("paid", 0, "k1", "twice");
        send("paid", 0, "k2", "next");
        Until.holds(() -> stockroom.runs("next") == 1);
        assertThat(stockroom.deliveries("twice")).isEqualTo(2);
        assertThat(stockroom.runs("twice")).isEqualTo(1);
    }

    @Test
    void one_that_another_is_at_work_on_comes_again_and_is_never_given_up() throws InterruptedException {
        send("packed", 0, "k3", "first");
        Until.holds(() -> stockroom.runs("first") == 1);
        send("packed", 1, "k3", "second");
        send("packed", 1, "k4", "third");
        Until.holds(() -> stockroom.deliveries("second") > TRIES + 1);
        assertThat(stockroom.deliveries("third")).as("waits for the second").isZero();
        stockroom.openGate();
        Until.holds(() -> stockroom.runs("third") == 1);
        assertThat(stockroom.runs("second")).isZero();
    }

    @Test
    void an_unknown_one_comes_again_until_it_is_settled() throws InterruptedException {
        Key key = Key.of("k5").in("shop", "paid");
        stockroom.failOnce("unknown");
        send("paid", 0, "k5", "unknown");
        send("paid", 0, "k6", "later");
        Until.holds(() -> stockroom.deliveries("unknown") > TRIES + 1);
        assertThat(stockroom.is(Status.UNKNOWN, "paid", key)).isTrue();
        assertThat(stockroom.deliveries("later"))
                .as("waits for the unknown one")
                .isZero();
        assertThat(context.getBean(Onefold.class).settle(Operation.of("paid"), key, Verdict.executed(null)))
                .isTrue();
        Until.holds(() -> stockroom.runs("later") == 1);
        assertThat(stockroom.runs("unknown")).isEqualTo(1);
    }

    @SuppressWarnings("unchecked") // there is one
    private static void send(String topic, int partition, String key, String payload) {
        ProducerRecord<Object, Object> message = new ProducerRecord<>(topic, partition, null, payload);
        message.headers().add("Idempotency-Key", key.getBytes(StandardCharsets.UTF_8));
        ((KafkaTemplate<Object, Object>) context.getBean(KafkaTemplate.class))
                .send(message)
                .join();
    }

    @BrokeredApplication
    @Import({Stockroom.class, Listeners.class})
    static class Shop {
        @Bean
        CommonErrorHandler impatient() {
            return new DefaultErrorHandler(new FixedBackOff(0, TRIES));
        }

        @Bean
        RecordInterceptor<Object, Object> deliveries(Stockroom stockroom) {
            return (message, consumer) -> {
                stockroom.comes(message.value().toString());
                return message;
            };
        }
    }

    static class Listeners {
        private final Stockroom stockroom;

        Listeners(Stockroom stockroom) {
            this.stockroom = stockroom;
        }

        @KafkaListener(topics = "paid", groupId = "shop", concurrency = "1")
        @Idempotent(operation = "paid", waitFor = "100ms")
        public void paid(String payload) {
            stockroom.run(payload);
        }

        @KafkaListener(topics = "packed", groupId = "packers")
        @Idempotent(operation = "packed", waitFor = "0s", matching = "'any'")
        public void packed(String payload) throws InterruptedException {
            stockroom.runBehindGate(payload);
        }
    }
}
