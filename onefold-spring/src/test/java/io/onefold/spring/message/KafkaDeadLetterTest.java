package io.onefold.spring.message;

import static org.assertj.core.api.Assertions.assertThat;

import io.onefold.Key;
import io.onefold.Onefold;
import io.onefold.Operation;
import io.onefold.Verdict;
import io.onefold.spring.Idempotent;
import io.onefold.spring.ListenerSettings;
import io.onefold.spring.ListenerSettings.DeadLetterPolicy;
import io.onefold.store.Status;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.config.ConfigResource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.config.ConcurrentKafkaListenerContainerFactory;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.kafka.listener.DefaultErrorHandler;
import org.springframework.kafka.test.EmbeddedKafkaBroker;
import org.springframework.kafka.test.EmbeddedKafkaKraftBroker;
import org.springframework.util.backoff.FixedBackOff;

/** Records whose outcome stays unknown: the partition goes on where somebody takes them, and waits where nobody does. */
class KafkaDeadLetterTest {
    private static final List<String> TOPICS = List.of("recovered", "bare", "stateful");
    private static final byte[] BYTES = {0, (byte) 0xff, 7};
    private static EmbeddedKafkaBroker broker;

    @BeforeAll
    static void start() {
        broker = new EmbeddedKafkaKraftBroker(1, 1).brokerProperties(Map.of("group.initial.rebalance.delay.ms", "0"));
        broker.afterPropertiesSet();
    }

    @AfterAll
    static void stop() {
        broker.destroy();
    }

    @Test
    void one_that_stays_unknown_goes_to_the_dead_letters_with_key_and_reason_and_the_partition_goes_on() {
        try (Shop shop = new Shop("one", ListenerSettings.DEFAULT.unknownLimit(Duration.ofSeconds(1)));
                UnknownOutcomeLines lines = new UnknownOutcomeLines()) {
            shop.log.failOnce("poison");
            shop.send("recovered", "k1", "poison");
            shop.send("recovered", "k2", "after it");
            Log.await("the partition goes on", () -> shop.log.runs("after it") == 1);
            Log.await("it is a dead letter", () -> shop.dead().containsKey("poison"));
            lines.only("recovered-one", "k1");

            assertThat(shop.log.runs("poison")).isEqualTo(1);
            assertThat(shop.log.deliveries("poison"))
                    .as("the limit was given it")
                    .isGreaterThan(1);
            assertThat(shop.dead().get("poison"))
                    .containsEntry("Idempotency-Key", "k1")
                    .containsEntry("onefold-operation", "recovered-one")
                    .containsEntry("onefold-key", "k1")
                    .containsEntry("onefold-reason", "unknown-outcome")
                    .containsEntry("onefold-exception", IllegalStateException.class.getName())
                    .containsEntry("onefold-exception-message", "told to fail");
            assertThat(shop.is(Status.UNKNOWN, "recovered", "k1")).isTrue();
        }
    }

    @Test
    void one_that_is_settled_and_sent_again_by_hand_runs_and_is_given_the_whole_limit_anew() {
        try (Shop shop = new Shop("six", ListenerSettings.DEFAULT.unknownLimit(Duration.ofSeconds(1)))) {
            shop.log.failOnce("poison");
            shop.send("recovered", "k1", "poison");
            Log.await("it is a dead letter", () -> shop.letters("poison") == 1);
            long before = shop.log.deliveries("poison");

            shop.settle("recovered", "k1", Verdict.canNoLongerHappen());
            shop.log.failOnce("poison");
            shop.send("recovered", "k1", "poison");
            Log.await("it is a dead letter again", () -> shop.letters("poison") == 2);
            assertThat(shop.log.runs("poison")).isEqualTo(2);
            assertThat(shop.log.deliveries("poison") - before)
                    .as("one that runs, one that begins the limit, one that ends it, and that of the dead letter")
                    .isGreaterThanOrEqualTo(4);

            shop.settle("recovered", "k1", Verdict.canNoLongerHappen());
            shop.send("recovered", "k1", "poison");
            Log.await("it is done", () -> shop.is(Status.SUCCESS, "recovered", "k1"));
            shop.send("recovered", "k1", "poison");
            shop.send("recovered", "k2", "after it");
            Log.await("the partition goes on", () -> shop.log.runs("after it") == 1);
            assertThat(shop.log.runs("poison")).isEqualTo(3);
            assertThat(shop.letters("poison")).isEqualTo(2);
        }
    }

    @Test
    void a_dead_letter_topic_that_refuses_it_keeps_the_record_and_gets_it_whole_when_it_takes_it() {
        try (Shop shop = new Shop("seven", ListenerSettings.DEFAULT.unknownLimit(Duration.ZERO))) {
            shop.allowDeadLetters("recovered", 1);
            shop.log.failOnce("poison");
            shop.send("recovered", "k1", "poison");
            shop.send("recovered", "k2", "after it");
            Log.await("it has come again and again", () -> shop.log.deliveries("poison") >= 6);
            assertThat(shop.log.deliveries("after it")).isZero();
            assertThat(shop.dead()).isEmpty();

            shop.allowDeadLetters("recovered", 1_000_000);
            Log.await("the partition goes on", () -> shop.log.runs("after it") == 1);
            Log.await("it is a dead letter", () -> shop.letters("poison") == 1);
            ConsumerRecord<String, String> letter =
                    shop.context.getBean(Listeners.class).letters().get(0);
            assertThat(letter.key()).isEqualTo("customer of poison");
            assertThat(letter.headers().lastHeader("bytes").value()).isEqualTo(BYTES);
            assertThat(shop.log.runs("poison")).isEqualTo(1);
            assertThat(shop.is(Status.UNKNOWN, "recovered", "k1")).isTrue();
        }
    }

    @Test
    void where_nobody_takes_it_the_partition_waits_until_it_is_settled() {
        try (Shop shop = new Shop("two", ListenerSettings.DEFAULT.unknownLimit(Duration.ZERO))) {
            blocks(shop, "bare");
        }
    }

    /** Its recoverer may only log, for all that is known. */
    @Test
    void a_recoverer_of_an_unknown_kind_does_not_get_it_nor_does_a_state_that_outlives_a_change_of_exceptions() {
        try (Shop shop = new Shop("three", ListenerSettings.DEFAULT.unknownLimit(Duration.ZERO))) {
            blocks(shop, "stateful");
            assertThat(shop.log.runs("recovered by the application")).isZero();
        }
    }

    @Test
    void dead_letters_are_never_written_if_the_application_says_so() {
        try (Shop shop = new Shop(
                "four", ListenerSettings.DEFAULT.unknownLimit(Duration.ZERO).deadLetters(DeadLetterPolicy.NEVER))) {
            blocks(shop, "recovered");
            assertThat(shop.dead()).isEmpty();
        }
    }

    @Test
    void a_container_without_an_error_handler_publishes_dead_letters_if_the_application_wants_them() {
        try (Shop shop = new Shop(
                "five", ListenerSettings.DEFAULT.unknownLimit(Duration.ZERO).deadLetters(DeadLetterPolicy.ALWAYS))) {
            for (String topic : List.of("bare", "stateful")) {
                shop.log.failOnce("poison of " + topic);
                shop.send(topic, "k1", "poison of " + topic);
                shop.send(topic, "k2", "after " + topic);
                Log.await("the partition goes on", () -> shop.log.runs("after " + topic) == 1);
            }
            Log.await("it is a dead letter", () -> shop.dead().containsKey("poison of bare"));
            assertThat(shop.dead().get("poison of bare")).containsEntry("onefold-key", "k1");
            assertThat(shop.log.runs("recovered by the application")).isEqualTo(1);
        }
    }

    private static void blocks(Shop shop, String topic) {
        shop.log.failOnce("poison");
        shop.send(topic, "k1", "poison");
        shop.send(topic, "k2", "after it");
        Log.await("it has come again and again", () -> shop.log.deliveries("poison") >= 6);
        assertThat(shop.log.deliveries("after it")).isZero();
        assertThat(shop.context
                        .getBean(Onefold.class)
                        .settle(shop.operation(topic), shop.key(topic, "k1"), Verdict.executed(null)))
                .isTrue();
        Log.await("the partition goes on", () -> shop.log.runs("after it") == 1);
        assertThat(shop.log.runs("poison")).isEqualTo(1);
    }

    /** An application with topics of its own. */
    private static final class Shop implements AutoCloseable {
        private final String name;
        private final AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
        private final Log log;

        Shop(String name, ListenerSettings settings) {
            this.name = name;
            for (String topic : TOPICS) {
                broker.addTopics(new NewTopic(topic + "-" + name, 1, (short) 1));
                broker.addTopics(new NewTopic(topic + "-" + name + "-dlt", 1, (short) 1));
            }
            // a bean of the context's own would be destroyed with it
            context.getBeanFactory().registerSingleton("broker", broker);
            context.registerBean(ListenerSettings.class, () -> settings);
            context.getBeanFactory().registerSingleton("shopName", name);
            context.register(Containers.class, Listeners.class);
            context.refresh();
            log = context.getBean(Log.class);
        }

        Map<String, Map<String, String>> dead() {
            return context.getBean(Listeners.class).dead();
        }

        long letters(String payload) {
            return context.getBean(Listeners.class).letters().stream()
                    .filter(letter -> letter.value().equals(payload))
                    .count();
        }

        void settle(String topic, String key, Verdict<Void> verdict) {
            assertThat(context.getBean(Onefold.class).settle(operation(topic), key(topic, key), verdict))
                    .isTrue();
        }

        /** The broker refuses those that are larger. */
        void allowDeadLetters(String topic, int bytes) {
            try (Admin admin = Admin.create(Map.of("bootstrap.servers", broker.getBrokersAsString()))) {
                admin.incrementalAlterConfigs(Map.of(
                                new ConfigResource(ConfigResource.Type.TOPIC, topic + "-" + name + "-dlt"),
                                List.of(new AlterConfigOp(
                                        new ConfigEntry("max.message.bytes", String.valueOf(bytes)),
                                        AlterConfigOp.OpType.SET))))
                        .all()
                        .toCompletionStage()
                        .toCompletableFuture()
                        .join();
            }
        }

        @SuppressWarnings("unchecked") // there is one template
        void send(String topic, String key, String payload) {
            ProducerRecord<String, String> message =
                    new ProducerRecord<>(topic + "-" + name, "customer of " + payload, payload);
            message.headers().add("bytes", BYTES);
            message.headers().add("Idempotency-Key", key.getBytes(StandardCharsets.UTF_8));
            ((KafkaTemplate<String, String>) context.getBean(KafkaTemplate.class))
                    .send(message)
                    .join();
        }

        boolean is(Status status, String topic, String key) {
            return context.getBean(Onefold.class)
                    .find(operation(topic), key(topic, key))
                    .filter(found -> found.status() == status)
                    .isPresent();
        }

        Operation<Void> operation(String topic) {
            return Operation.of(topic + "-one");
        }

        Key key(String topic, String key) {
            return Key.of(key).in(KafkaApplication.GROUP, topic + "-" + name);
        }

        @Override
        public void close() {
            context.close();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @Import(KafkaApplication.class)
    static class Containers {
        /** As those applications have it that would rather not begin anew. */
        @Bean
        ConcurrentKafkaListenerContainerFactory<String, String> stateful(EmbeddedKafkaBroker broker, Log log) {
            ConcurrentKafkaListenerContainerFactory<String, String> factory =
                    new KafkaApplication().kafkaListenerContainerFactory(broker, log);
            DefaultErrorHandler handler = new DefaultErrorHandler(
                    (failed, thrown) -> log.run("recovered by the application"), new FixedBackOff(0, 2));
            handler.setResetStateOnExceptionChange(false);
            factory.setCommonErrorHandler(handler);
            return factory;
        }
    }

    static class Listeners {
        private final Map<String, Map<String, String>> dead = new ConcurrentHashMap<>();
        private final List<ConsumerRecord<String, String>> letters = new CopyOnWriteArrayList<>();
        private final Log log;

        Listeners(Log log) {
            this.log = log;
        }

        @KafkaListener(topics = "recovered-#{@shopName}", containerFactory = "withDeadLetters")
        @Idempotent(operation = "recovered-one", waitFor = "100ms")
        public void recovered(String payload) {
            log.run(payload);
        }

        @KafkaListener(topics = "bare-#{@shopName}")
        @Idempotent(operation = "bare-one", waitFor = "100ms")
        public void bare(String payload) {
            log.run(payload);
        }

        @KafkaListener(topics = "stateful-#{@shopName}", containerFactory = "stateful")
        @Idempotent(operation = "stateful-one", waitFor = "100ms")
        public void stateful(String payload) {
            log.run(payload);
        }

        Map<String, Map<String, String>> dead() {
            return dead;
        }

        List<ConsumerRecord<String, String>> letters() {
            return letters;
        }

        @KafkaListener(topics = {"recovered-#{@shopName}-dlt", "bare-#{@shopName}-dlt"})
        public void dead(ConsumerRecord<String, String> letter) {
            Map<String, String> headers = new HashMap<>();
            letter.headers().forEach(each -> headers.put(each.key(), new String(each.value(), StandardCharsets.UTF_8)));
            dead.put(letter.value(), headers);
            letters.add(letter);
        }
    }
}
