package io.onefold.spring.message;

import static org.assertj.core.api.Assertions.assertThat;

import io.onefold.spring.Idempotent;
import io.onefold.spring.ListenerSettings;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.kafka.annotation.EnableKafka;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.annotation.RetryableTopic;
import org.springframework.kafka.config.ConcurrentKafkaListenerContainerFactory;
import org.springframework.kafka.config.KafkaListenerEndpointRegistry;
import org.springframework.kafka.core.DefaultKafkaConsumerFactory;
import org.springframework.kafka.core.DefaultKafkaProducerFactory;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.kafka.listener.ConcurrentMessageListenerContainer;
import org.springframework.kafka.listener.DefaultErrorHandler;
import org.springframework.kafka.listener.KafkaMessageListenerContainer;
import org.springframework.kafka.retrytopic.RetryTopicConfigurationSupport;
import org.springframework.kafka.test.EmbeddedKafkaBroker;
import org.springframework.kafka.test.EmbeddedKafkaKraftBroker;
import org.springframework.kafka.transaction.KafkaTransactionManager;
import org.springframework.scheduling.TaskScheduler;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;
import org.springframework.util.backoff.FixedBackOff;

/** Kafka drops a record after ten tries, unless the container is patient. */
class KafkaPatienceTest {
    private static final List<String> TOPICS = List.of("plain", "owned", "without-retries", "transactional", "retried");
    private static final int MORE_THAN_TEN = 12;

    @Test
    @SuppressWarnings("unchecked") // there is one template
    void a_record_that_another_consumer_is_at_work_on_outlasts_ten_tries() {
        EmbeddedKafkaBroker broker = new EmbeddedKafkaKraftBroker(1, 1)
                .brokerProperties(Map.of(
                        "transaction.state.log.replication.factor", "1",
                        "transaction.state.log.min.isr", "1",
                        "group.initial.rebalance.delay.ms", "0"));
        broker.afterPropertiesSet();
        TOPICS.forEach(topic -> broker.addTopics(new NewTopic(topic, 2, (short) 1)));
        try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
            context.registerBean(EmbeddedKafkaBroker.class, () -> broker);
            context.register(Containers.class, Listeners.class);
            context.refresh();
            KafkaListenerEndpointRegistry registry = context.getBean(KafkaListenerEndpointRegistry.class);
            Log.await("each consumer has its partition", () -> all(topic -> isShared(registry, topic)));
            outlasts(context.getBean(Log.class), context.getBean(KafkaTemplate.class));
        } finally {
            broker.destroy();
        }
    }

    private static void outlasts(Log log, KafkaTemplate<String, String> template) {
        TOPICS.forEach(topic -> send(template, topic, 0, "k1", "first of " + topic));
        Log.await("the first are at work", () -> all(topic -> log.runs("first of " + topic) == 1));
        TOPICS.forEach(topic -> send(template, topic, 1, "k1", "second of " + topic));
        TOPICS.forEach(topic -> send(template, topic, 1, "k2", "third of " + topic));
        for (String topic : TOPICS) {
            String second = "second of " + topic;
            Log.await(second + " has come again and again", () -> log.deliveries(second) >= MORE_THAN_TEN);
        }

        for (String topic : TOPICS) {
            assertThat(log.deliveries("third of " + topic))
                    .as(topic + " waits for the second")
                    .isZero();
        }
        log.gate.countDown();
        Log.await("the third have run", () -> all(topic -> log.runs("third of " + topic) == 1));
        for (String topic : TOPICS) {
            assertThat(log.runs("first of " + topic)).as(topic).isEqualTo(1);
            assertThat(log.runs("second of " + topic)).as(topic).isZero();
        }
    }

    /** Else the first would hold both partitions while it is at work. */
    private static boolean isShared(KafkaListenerEndpointRegistry registry, String id) {
        ConcurrentMessageListenerContainer<?, ?> container =
                (ConcurrentMessageListenerContainer<?, ?>) Objects.requireNonNull(registry.getListenerContainer(id));
        return container.getContainers().stream()
                .map(KafkaMessageListenerContainer::getAssignedPartitions)
                .allMatch(assigned -> assigned != null && assigned.size() == 1);
    }

    private static boolean all(Predicate<String> what) {
        return TOPICS.stream().allMatch(what);
    }

    private static void send(
            KafkaTemplate<String, String> template, String topic, int partition, String key, String payload) {
        ProducerRecord<String, String> message = new ProducerRecord<>(topic, partition, null, payload);
        message.headers().add("Idempotency-Key", key.getBytes(StandardCharsets.UTF_8));
        template.send(message).join();
    }

    /** Retry topics have an error handler of their own, which is to be made patient by hand. */
    @Configuration(proxyBeanMethods = false)
    @EnableKafka
    @Import(Application.class)
    static class Containers extends RetryTopicConfigurationSupport {
        @Override
        protected void configureCustomizers(CustomizersConfigurer customizers) {
            customizers.customizeErrorHandler(RedeliveringErrorHandler::patient);
        }

        @Bean
        TaskScheduler scheduler() {
            return new ThreadPoolTaskScheduler();
        }

        @Bean
        KafkaTemplate<String, String> template(EmbeddedKafkaBroker broker) {
            return new KafkaTemplate<>(producers(broker));
        }

        @Bean
        ConcurrentKafkaListenerContainerFactory<String, String> kafkaListenerContainerFactory(
                EmbeddedKafkaBroker broker, Log log) {
            ConcurrentKafkaListenerContainerFactory<String, String> factory =
                    new ConcurrentKafkaListenerContainerFactory<>();
            factory.setConsumerFactory(new DefaultKafkaConsumerFactory<>(
                    Map.of(
                            ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG,
                            broker.getBrokersAsString(),
                            ConsumerConfig.AUTO_OFFSET_RESET_CONFIG,
                            "earliest"),
                    new StringDeserializer(),
                    new StringDeserializer()));
            factory.getContainerProperties()
                    .setAdviceChain(log.advice(
                            ConsumerRecord.class, received -> received.value().toString()));
            factory.setConcurrency(2);
            return factory;
        }

        /** As applications have it: what fails three times is recovered. */
        @Bean
        ConcurrentKafkaListenerContainerFactory<String, String> withHandler(EmbeddedKafkaBroker broker, Log log) {
            ConcurrentKafkaListenerContainerFactory<String, String> factory =
                    kafkaListenerContainerFactory(broker, log);
            factory.setCommonErrorHandler(new DefaultErrorHandler((failed, thrown) -> {}, new FixedBackOff(0, 2)));
            return factory;
        }

        @Bean
        ConcurrentKafkaListenerContainerFactory<String, String> inTransactions(EmbeddedKafkaBroker broker, Log log) {
            ConcurrentKafkaListenerContainerFactory<String, String> factory =
                    kafkaListenerContainerFactory(broker, log);
            DefaultKafkaProducerFactory<String, String> producers = producers(broker);
            producers.setTransactionIdPrefix("patience-");
            factory.getContainerProperties().setKafkaAwareTransactionManager(new KafkaTransactionManager<>(producers));
            return factory;
        }

        /** As applications have it that want dead letters at once: whoever fails once is recovered. */
        @Bean
        ConcurrentKafkaListenerContainerFactory<String, String> withoutRetries(EmbeddedKafkaBroker broker, Log log) {
            ConcurrentKafkaListenerContainerFactory<String, String> factory =
                    kafkaListenerContainerFactory(broker, log);
            factory.setCommonErrorHandler(new DefaultErrorHandler((failed, thrown) -> {}, new FixedBackOff(0, 0)));
            return factory;
        }

        @Bean
        ListenerSettings settings() {
            return ListenerSettings.DEFAULT.kafkaTransactions(true);
        }

        private static DefaultKafkaProducerFactory<String, String> producers(EmbeddedKafkaBroker broker) {
            return new DefaultKafkaProducerFactory<>(
                    Map.of(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, broker.getBrokersAsString()),
                    new StringSerializer(),
                    new StringSerializer());
        }
    }

    static class Listeners {
        private final Log log;

        Listeners(Log log) {
            this.log = log;
        }

        @KafkaListener(id = "plain", topics = "plain")
        @Idempotent(operation = "plain", waitFor = "0s", matching = "'any'")
        public void plain(String payload) throws InterruptedException {
            log.runBehindGate(payload);
        }

        @KafkaListener(id = "owned", topics = "owned", containerFactory = "withHandler")
        @Idempotent(operation = "owned", waitFor = "0s", matching = "'any'")
        public void owned(String payload) throws InterruptedException {
            log.runBehindGate(payload);
        }

        @KafkaListener(id = "without-retries", topics = "without-retries", containerFactory = "withoutRetries")
        @Idempotent(operation = "without-retries", waitFor = "0s", matching = "'any'")
        public void withoutRetries(String payload) throws InterruptedException {
            log.runBehindGate(payload);
        }

        @KafkaListener(id = "transactional", topics = "transactional", containerFactory = "inTransactions")
        @Idempotent(operation = "transactional", waitFor = "0s", matching = "'any'")
        public void transactional(String payload) throws InterruptedException {
            log.runBehindGate(payload);
        }

        @RetryableTopic(kafkaTemplate = "template", autoCreateTopics = "false")
        @KafkaListener(id = "retried", topics = "retried")
        @Idempotent(operation = "retried", scope = "'retried'", waitFor = "0s", matching = "'any'")
        public void retried(String payload) throws InterruptedException {
            log.runBehindGate(payload);
        }
    }
}
