package io.onefold.spring.message;

import static org.assertj.core.api.Assertions.assertThat;

import io.onefold.Key;
import io.onefold.Onefold;
import io.onefold.Operation;
import io.onefold.Verdict;
import io.onefold.store.Status;
import io.onefold.store.StoredRecord;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.kafka.config.KafkaListenerEndpointRegistry;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.kafka.listener.ConcurrentMessageListenerContainer;
import org.springframework.kafka.listener.MessageListenerContainer;
import org.springframework.kafka.test.EmbeddedKafkaBroker;
import org.springframework.kafka.test.EmbeddedKafkaKraftBroker;

class KafkaListenerTest {
    private static final String HEADER = "Idempotency-Key";
    private static EmbeddedKafkaBroker broker;
    private static AnnotationConfigApplicationContext context;
    private static Log log;

    @BeforeAll
    static void start() {
        broker = new EmbeddedKafkaKraftBroker(1, 1, "leased", "joined", "handled", "strict", "strict-dlt")
                .brokerProperties(Map.of(
                        "transaction.state.log.replication.factor", "1",
                        "transaction.state.log.min.isr", "1",
                        "group.initial.rebalance.delay.ms", "0"));
        broker.afterPropertiesSet();
        broker.addTopics(new NewTopic("slow", 2, (short) 1));
        context = new AnnotationConfigApplicationContext();
        context.registerBean(EmbeddedKafkaBroker.class, () -> broker);
        context.register(KafkaApplication.class);
        context.refresh();
        log = context.getBean(Log.class);
        Log.await("every consumer has its partition", KafkaListenerTest::isAssigned);
    }

    /**
     * All consumers are of one group. One that joins it later has nothing until the others have met it again, and who is at work on a
     * record does not.
     */
    private static boolean isAssigned() {
        return context.getBean(KafkaListenerEndpointRegistry.class).getListenerContainers().stream()
                .map(container -> (ConcurrentMessageListenerContainer<?, ?>) container)
                .allMatch(container -> container.getContainers().size() == container.getConcurrency()
                        && container.getContainers().stream().noneMatch(KafkaListenerTest::isIdle));
    }

    private static boolean isIdle(MessageListenerContainer consumer) {
        Collection<TopicPartition> assigned = consumer.getAssignedPartitions();
        return assigned == null || assigned.isEmpty();
    }

    @AfterAll
    static void stop() {
        log.gate.countDown();
        context.close();
        broker.destroy();
    }

    @Test
    void two_records_with_one_key_run_once_though_the_method_takes_the_payload_alone() {
        send("leased", 0, HEADER, "k1", "twice");
        send("leased", 0, HEADER, "k1", "twice");
        passed("leased", 0);

        assertThat(log.deliveries("twice")).isEqualTo(2);
        assertThat(log.runs("twice")).isEqualTo(1);
    }

    @Test
    void a_class_that_listens_runs_once_too() {
        send("handled", 0, HEADER, "k9", "handled");
        send("handled", 0, HEADER, "k9", "handled");
        passed("handled", 0);

        assertThat(log.deliveries("handled")).isEqualTo(2);
        assertThat(log.runs("handled")).isEqualTo(1);
        assertThat(find("handled", "k9")).isPresent();
    }

    @Test
    void a_key_is_that_of_the_group_and_the_topic() {
        send("leased", 0, HEADER, "k2", "scoped");
        passed("leased", 0);

        assertThat(find("leased", "k2")).isPresent();
    }

    @Test
    void a_listener_that_throws_is_run_again_and_its_effect_is_there_once() {
        log.failOnce("fails once");
        send("joined", 0, HEADER, "k3", "fails once");
        passed("joined", 0);

        assertThat(log.runs("fails once")).isEqualTo(2);
        assertThat(log.effects("fails once")).isEqualTo(1);
    }

    @Test
    void a_record_whose_transaction_was_given_up_comes_again_and_it_is_no_attempt() {
        log.giveUpOnce("given up");
        send("joined", 0, HEADER, "k10", "given up");
        passed("joined", 0);

        assertThat(log.deliveries("given up")).isEqualTo(2);
        assertThat(log.runs("given up")).isEqualTo(2);
        assertThat(log.effects("given up")).isEqualTo(1);
        assertThat(find("joined", "k10").orElseThrow().attempts()).isEqualTo(1);
    }

    @Test
    void a_crash_between_the_commit_and_the_acknowledgement_is_a_replay() {
        log.crashOnce("crashes");
        send("joined", 0, HEADER, "k4", "crashes");
        passed("joined", 0);

        assertThat(log.deliveries("crashes")).isEqualTo(2);
        assertThat(log.runs("crashes")).isEqualTo(1);
        assertThat(log.effects("crashes")).isEqualTo(1);
    }

    @Test
    void a_record_that_another_consumer_is_at_work_on_comes_again_until_that_is_done() {
        send("slow", 0, HEADER, "k5", "first");
        Log.await("the first is at work", () -> log.runs("first") == 1);
        send("slow", 1, HEADER, "k5", "second");
        Log.await("the second has come again", () -> log.deliveries("second") >= 2);
        log.gate.countDown();
        send("slow", 1, HEADER, "k6", "after the second");
        Log.await("the second is done", () -> log.runs("after the second") == 1);

        assertThat(log.runs("first")).isEqualTo(1);
        assertThat(log.runs("second")).isZero();
    }

    @Test
    void an_unknown_outcome_comes_again_until_it_is_settled_and_never_runs_again() {
        log.failOnce("unknown");
        send("leased", 0, HEADER, "k7", "unknown");
        Log.await("it has come again", () -> log.deliveries("unknown") >= 2);

        assertThat(find("leased", "k7"))
                .hasValueSatisfying(one -> assertThat(one.status()).isEqualTo(Status.UNKNOWN));
        Key key = Key.of("k7").in(KafkaApplication.GROUP, "leased");
        assertThat(context.getBean(Onefold.class).settle(Operation.of("leased"), key, Verdict.executed(null)))
                .isTrue();
        passed("leased", 0);
        assertThat(log.runs("unknown")).isEqualTo(1);
    }

    @Test
    void a_record_without_a_key_goes_to_the_dead_letters_at_once() {
        send("strict", 0, HEADER, "wrong header", "keyless");
        Log.await("it is dead", () -> log.runs("dead keyless") == 1);

        assertThat(log.deliveries("keyless")).isEqualTo(2); // one of them that of the dead letter
        assertThat(log.runs("keyless")).isZero();
    }

    @Test
    void a_known_key_with_another_payload_goes_to_the_dead_letters_at_once() {
        send("strict", 0, "order", "k8", "this");
        send("strict", 0, "order", "k8", "that");
        Log.await("it is dead", () -> log.runs("dead that") == 1);

        assertThat(log.runs("this")).isEqualTo(1);
        assertThat(log.deliveries("that")).isEqualTo(2); // one of them that of the dead letter
        assertThat(log.runs("that")).isZero();
    }

    /** Whatever was sent before has been acknowledged when a later one of its partition has run. */
    private static void passed(String topic, int partition) {
        String last = "last of " + topic + " " + System.nanoTime();
        send(topic, partition, HEADER, last, last);
        Log.await(last, () -> log.runs(last) == 1);
    }

    private static Optional<StoredRecord> find(String operation, String key) {
        return context.getBean(Onefold.class)
                .find(Operation.of(operation), Key.of(key).in(KafkaApplication.GROUP, operation));
    }

    private static void send(String topic, int partition, String header, String key, String payload) {
        ProducerRecord<String, String> message = new ProducerRecord<>(topic, partition, null, payload);
        message.headers().add(header, key.getBytes(StandardCharsets.UTF_8));
        template().send(message).join();
    }

    @SuppressWarnings("unchecked") // there is one
    private static KafkaTemplate<String, String> template() {
        return context.getBean(KafkaTemplate.class);
    }
}
