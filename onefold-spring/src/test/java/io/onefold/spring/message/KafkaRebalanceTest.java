package io.onefold.spring.message;

import static org.assertj.core.api.Assertions.assertThat;

import io.onefold.Key;
import io.onefold.Onefold;
import io.onefold.Operation;
import io.onefold.spring.Idempotent;
import io.onefold.store.Status;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.CooperativeStickyAssignor;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.kafka.annotation.EnableKafka;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.config.ConcurrentKafkaListenerContainerFactory;
import org.springframework.kafka.core.DefaultKafkaConsumerFactory;
import org.springframework.kafka.core.DefaultKafkaProducerFactory;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.kafka.listener.ContainerProperties.AckMode;
import org.springframework.kafka.listener.DeadLetterPublishingRecoverer;
import org.springframework.kafka.listener.DefaultErrorHandler;
import org.springframework.kafka.test.EmbeddedKafkaBroker;
import org.springframework.kafka.test.EmbeddedKafkaKraftBroker;
import org.springframework.util.backoff.FixedBackOff;

/**
 * Work that takes longer than {@code max.poll.interval.ms}. The group expels its consumer in mid-work, and another consumer gets the partition
 * and the record.
 */
class KafkaRebalanceTest {
    private static final int INTERVAL_MILLIS = 2_000;
    private static final int PAUSE_MILLIS = 1_000;
    private static final List<String> TOPICS = List.of("eager", "cooperative", "strict", "overlong", "waiting");
    private static final List<String> LATER = List.of("second", "third");

    @Test
    @SuppressWarnings("unchecked") // there is one template
    void a_record_whose_consumer_is_expelled_in_mid_work_runs_once_and_its_partition_goes_on() throws Exception {
        EmbeddedKafkaBroker broker =
                new EmbeddedKafkaKraftBroker(1, 1).brokerProperties(Map.of("group.initial.rebalance.delay.ms", "0"));
        broker.afterPropertiesSet();
        TOPICS.forEach(topic -> broker.addTopics(new NewTopic(topic, 1, (short) 1)));
        broker.addTopics(new NewTopic("strict-dlt", 1, (short) 1));
        try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
                Admin admin = Admin.create(Map.of("bootstrap.servers", broker.getBrokersAsString()))) {
            context.registerBean(EmbeddedKafkaBroker.class, () -> broker);
            context.register(Containers.class, Listeners.class);
            context.refresh();
            runsOnce(context, context.getBean(Log.class), context.getBean(KafkaTemplate.class), admin);
        } finally {
            broker.destroy();
        }
    }

    private static void runsOnce(
            AnnotationConfigApplicationContext context, Log log, KafkaTemplate<String, String> template, Admin admin)
            throws Exception {
        long began = System.nanoTime();
        for (String topic : TOPICS) {
            send(template, topic, "first");
            LATER.forEach(each -> send(template, topic, each));
        }
        for (String topic : TOPICS) {
            Log.await(
                    topic + ": another consumer has got it again and again",
                    () -> log.deliveries("first of " + topic) >= 3);
            assertThat(log.deliveries("second of " + topic)).as(topic).isZero();
        }
        assertThat(status(context, "eager")).isEqualTo(Status.PROCESSING);
        assertThat(status(context, "overlong")).isEqualTo(Status.UNKNOWN);
        log.gate.countDown();
        for (String topic : TOPICS) {
            Log.await(topic + " goes on", () -> log.runs("third of " + topic) >= 1);
        }
        TOPICS.forEach(topic -> send(template, topic, "last"));
        for (String topic : TOPICS) {
            Log.await("all of " + topic + " is acknowledged", () -> offset(admin, topic) == LATER.size() + 2);
        }
        long most = 2 + TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began) / PAUSE_MILLIS;
        for (String topic : TOPICS) {
            for (String each : List.of("first", "second", "third", "last")) {
                assertThat(log.runs(each + " of " + topic))
                        .as(each + " of " + topic)
                        .isEqualTo(1);
            }
            assertThat(log.deliveries("first of " + topic)).as("no hot loop").isLessThanOrEqualTo(most);
            assertThat(status(context, topic)).as(topic).isEqualTo(Status.SUCCESS);
        }
        assertThat(log.runs("dead letter")).isZero();
    }

    private static Status status(AnnotationConfigApplicationContext context, String topic) {
        return context.getBean(Onefold.class)
                .find(Operation.of(topic), Key.of("first").in(topic, topic))
                .orElseThrow()
                .status();
    }

    private static long offset(Admin admin, String topic) {
        try {
            OffsetAndMetadata committed = admin.listConsumerGroupOffsets(topic)
                    .partitionsToOffsetAndMetadata()
                    .get(10, TimeUnit.SECONDS)
                    .get(new TopicPartition(topic, 0));
            return committed == null ? 0 : committed.offset();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static void send(KafkaTemplate<String, String> template, String topic, String name) {
        ProducerRecord<String, String> message = new ProducerRecord<>(topic, name + " of " + topic);
        message.headers().add("Idempotency-Key", name.getBytes(StandardCharsets.UTF_8));
        template.send(message).join();
    }

    @Configuration(proxyBeanMethods = false)
    @EnableKafka
    @Import(Application.class)
    static class Containers {
        @Bean
        KafkaTemplate<String, String> template(EmbeddedKafkaBroker broker) {
            return new KafkaTemplate<>(new DefaultKafkaProducerFactory<>(
                    Map.of(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, broker.getBrokersAsString()),
                    new StringSerializer(),
                    new StringSerializer()));
        }

        /** Two consumers for one partition: one has it, the other is there to take it over. */
        @Bean
        ConcurrentKafkaListenerContainerFactory<String, String> kafkaListenerContainerFactory(
                EmbeddedKafkaBroker broker, Log log) {
            return factory(broker, log, Map.of());
        }

        @Bean
        ConcurrentKafkaListenerContainerFactory<String, String> cooperative(EmbeddedKafkaBroker broker, Log log) {
            ConcurrentKafkaListenerContainerFactory<String, String> factory = factory(
                    broker,
                    log,
                    Map.of(
                            ConsumerConfig.PARTITION_ASSIGNMENT_STRATEGY_CONFIG,
                            CooperativeStickyAssignor.class.getName()));
            factory.getContainerProperties().setAckMode(AckMode.RECORD);
            return factory;
        }

        /** The commit of each record fails in the consumer that was expelled, and whatever fails is a dead letter at once. */
        @Bean
        ConcurrentKafkaListenerContainerFactory<String, String> strict(
                EmbeddedKafkaBroker broker, Log log, KafkaTemplate<String, String> template) {
            ConcurrentKafkaListenerContainerFactory<String, String> factory = factory(broker, log, Map.of());
            factory.getContainerProperties().setAckMode(AckMode.RECORD);
            factory.setCommonErrorHandler(
                    new DefaultErrorHandler(new DeadLetterPublishingRecoverer(template), new FixedBackOff(0, 0)));
            return factory;
        }

        private static ConcurrentKafkaListenerContainerFactory<String, String> factory(
                EmbeddedKafkaBroker broker, Log log, Map<String, Object> more) {
            Map<String, Object> settings = new HashMap<>(more);
            settings.put(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, broker.getBrokersAsString());
            settings.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
            settings.put(ConsumerConfig.MAX_POLL_INTERVAL_MS_CONFIG, INTERVAL_MILLIS);
            ConcurrentKafkaListenerContainerFactory<String, String> factory =
                    new ConcurrentKafkaListenerContainerFactory<>();
            factory.setConsumerFactory(
                    new DefaultKafkaConsumerFactory<>(settings, new StringDeserializer(), new StringDeserializer()));
            factory.getContainerProperties()
                    .setAdviceChain(log.advice(
                            ConsumerRecord.class, received -> received.value().toString()));
            factory.setConcurrency(2);
            return factory;
        }
    }

    static class Listeners {
        private final Log log;

        Listeners(Log log) {
            this.log = log;
        }

        private void run(String payload) throws InterruptedException {
            if (payload.startsWith("first")) {
                log.runBehindGate(payload);
            } else {
                log.run(payload);
            }
        }

        @KafkaListener(id = "eager", topics = "eager")
        @Idempotent(operation = "eager", waitFor = "100ms")
        public void eager(String payload) throws InterruptedException {
            run(payload);
        }

        @KafkaListener(id = "cooperative", topics = "cooperative", containerFactory = "cooperative")
        @Idempotent(operation = "cooperative", waitFor = "100ms")
        public void cooperative(String payload) throws InterruptedException {
            run(payload);
        }

        @KafkaListener(id = "strict", topics = "strict", containerFactory = "strict")
        @Idempotent(operation = "strict", waitFor = "100ms")
        public void strict(String payload) throws InterruptedException {
            run(payload);
        }

        /** Its lease ends before it does. */
        @KafkaListener(id = "overlong", topics = "overlong")
        @Idempotent(operation = "overlong", waitFor = "100ms", lease = "1s", maxRun = "1s")
        public void overlong(String payload) throws InterruptedException {
            run(payload);
        }

        /** Who waits for the first is expelled, too. */
        @KafkaListener(id = "waiting", topics = "waiting")
        @Idempotent(operation = "waiting", waitFor = "3s")
        public void waiting(String payload) throws InterruptedException {
            run(payload);
        }

        @KafkaListener(id = "dead", topics = "strict-dlt")
        public void dead(String payload) {
            log.run("dead letter");
        }
    }
}
