package io.onefold.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.onefold.Key;
import io.onefold.Onefold;
import io.onefold.Operation;
import io.onefold.Verdict;
import io.onefold.spring.Idempotent;
import io.onefold.store.Status;
import io.onefold.store.StoreException;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.beans.DirectFieldAccessor;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootVersion;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.config.KafkaListenerEndpointRegistry;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.kafka.listener.AbstractMessageListenerContainer;
import org.springframework.kafka.listener.CommonErrorHandler;
import org.springframework.kafka.listener.ConcurrentMessageListenerContainer;
import org.springframework.kafka.listener.DefaultErrorHandler;
import org.springframework.kafka.listener.KafkaMessageListenerContainer;
import org.springframework.kafka.listener.RecordInterceptor;
import org.springframework.kafka.listener.adapter.RecordMessagingMessageListenerAdapter;
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
        broker.addTopics(new NewTopic("packed", 2, (short) 1));
        List.of("paid", "plain", "plain-later", "returned")
                .forEach(topic -> broker.addTopics(new NewTopic(topic, 1, (short) 1)));
        context = new SpringApplication(Shop.class)
                .run(
                        "--spring.main.web-application-type=none",
                        "--spring.kafka.bootstrap-servers=" + broker.getBrokersAsString(),
                        "--spring.kafka.consumer.auto-offset-reset=earliest",
                        "--spring.kafka.listener.concurrency=2");
        stockroom = context.getBean(Stockroom.class);
        Until.holds(() -> context.getBean(KafkaListenerEndpointRegistry.class).getListenerContainers().stream()
                .allMatch(container -> isAssigned((ConcurrentMessageListenerContainer<?, ?>) container)));
    }

    /** Each consumer has a partition: else who is at work on one record would hold those of others. */
    static boolean isAssigned(ConcurrentMessageListenerContainer<?, ?> container) {
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

    @Test
    void what_the_store_cannot_record_comes_again_until_it_can_and_runs_once() throws InterruptedException {
        SwitchedDataSource database = context.getBean(SwitchedDataSource.class);
        database.setDown(true);
        try {
            for (int i = 1; i <= 3; i++) {
                send("paid", 0, "down" + i, "unrecorded " + i);
            }
            Until.holds(() -> stockroom.deliveries("unrecorded 1") > TRIES + 1);
        } finally {
            database.setDown(false);
        }
        Until.holds(() -> stockroom.runs("unrecorded 3") == 1);
        for (int i = 1; i <= 3; i++) {
            assertThat(stockroom.runs("unrecorded " + i)).as("message %d", i).isEqualTo(1);
        }
    }

    /** Spring takes a plain {@link RuntimeException} for the same failure as the one before it, and goes on with its retries. */
    @Test
    void one_that_fails_after_an_outage_is_given_up_as_the_application_said() throws InterruptedException {
        SwitchedDataSource database = context.getBean(SwitchedDataSource.class);
        database.setDown(true);
        try {
            send("returned", 0, "k7", "poison");
            send("returned", 0, "k8", "after the poison");
            Until.holds(() -> stockroom.deliveries("poison") > 1);
        } finally {
            database.setDown(false);
        }
        Until.holds(() -> stockroom.runs("after the poison") == 1);
        assertThat(stockroom.runs("poison")).isEqualTo(TRIES + 1);
    }

    @Test
    void a_listener_without_the_annotation_has_the_container_that_it_would_have_without_onefold() {
        for (String plain : List.of("plain", "plain-later")) {
            AbstractMessageListenerContainer<?, ?> container = container(plain);
            assertThat(container.getContainerProperties().getMessageListener())
                    .isExactlyInstanceOf(RecordMessagingMessageListenerAdapter.class);
            assertThat(container.getContainerProperties().getAdviceChain()).isEmpty();
            assertThat(container.getCommonErrorHandler()).isSameAs(context.getBean(CommonErrorHandler.class));
            assertThat(new DirectFieldAccessor(container).getPropertyValue("recordInterceptor"))
                    .isSameAs(context.getBean(RecordInterceptor.class));
        }
        assertThat(container("paid").getContainerProperties().getMessageListener())
                .as("of a listener with the annotation")
                .isExactlyInstanceOf(RecordMessagingMessageListenerAdapter.class);
    }

    private static AbstractMessageListenerContainer<?, ?> container(String id) {
        return (AbstractMessageListenerContainer<?, ?>) Objects.requireNonNull(
                context.getBean(KafkaListenerEndpointRegistry.class).getListenerContainer(id));
    }

    @Test
    void a_listener_without_the_annotation_has_its_failures_given_up_as_the_application_said()
            throws InterruptedException {
        send("plain", 0, "k", "store down");
        send("plain", 0, "k", "after it");
        Until.holds(() -> stockroom.runs("after it") == 1);
        assertThat(stockroom.runs("store down")).isEqualTo(TRIES + 1);
    }

    @Test
    void a_listener_without_the_annotation_that_returns_a_future_gets_a_record_again_that_failed()
            throws InterruptedException {
        stockroom.failOnce("fails later");
        send("plain-later", 0, "k", "fails later");
        Until.holds(() -> stockroom.runs("fails later") > 0);
        if (!Objects.requireNonNull(SpringBootVersion.getVersion()).startsWith("3.")) { // whose Spring Kafka forgets it
            Until.holds(() -> stockroom.runs("fails later") == 2);
        }
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
        SwitchedDataSource database() {
            return new SwitchedDataSource();
        }

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

        @KafkaListener(id = "paid", topics = "paid", groupId = "shop", concurrency = "1")
        @Idempotent(operation = "paid", waitFor = "100ms")
        public void paid(String payload) {
            stockroom.run(payload);
        }

        @KafkaListener(id = "returned", topics = "returned", concurrency = "1")
        @Idempotent(operation = "returned", waitFor = "100ms", retryOn = RuntimeException.class)
        public void returned(String payload) {
            stockroom.run(payload);
            if (payload.equals("poison")) {
                throw new RuntimeException("each time");
            }
        }

        @KafkaListener(id = "plain", topics = "plain", concurrency = "1")
        public void plain(String payload) {
            stockroom.run(payload);
            if (payload.equals("store down")) {
                throw new StoreException("as of a call that this listener makes");
            }
        }

        @KafkaListener(id = "plain-later", topics = "plain-later", concurrency = "1")
        public CompletableFuture<Void> plainLater(String payload) {
            return CompletableFuture.runAsync(() -> stockroom.run(payload), task -> new Thread(task).start());
        }

        @KafkaListener(topics = "packed", groupId = "packers")
        @Idempotent(operation = "packed", waitFor = "0s", matching = "'any'")
        public void packed(String payload) throws InterruptedException {
            stockroom.runBehindGate(payload);
        }
    }
}
