package io.onefold.spring.message;

import static org.assertj.core.api.Assertions.assertThat;

import io.onefold.Key;
import io.onefold.Onefold;
import io.onefold.Operation;
import io.onefold.Verdict;
import io.onefold.store.Status;
import io.onefold.store.StoredRecord;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageBuilder;
import org.springframework.amqp.core.Queue;
import org.springframework.amqp.rabbit.core.RabbitAdmin;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.amqp.rabbit.listener.RabbitListenerEndpointRegistry;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;

class RabbitListenerTest {
    private static final String HEADER = "Idempotency-Key";
    private static AnnotationConfigApplicationContext context;
    private static Log log;
    private static int sent;

    /** Of those, how many were not to be acknowledged. */
    private static int refused;

    @BeforeAll
    static void start() {
        context = new AnnotationConfigApplicationContext(RabbitApplication.class);
        log = context.getBean(Log.class);
        sent = 0;
        refused = 0;
    }

    /** What was not acknowledged is back in its queue when nobody consumes any more: there must be none. */
    @AfterAll
    static void all_messages_were_acknowledged_in_the_end() {
        log.gate.countDown();
        context.getBean(RabbitListenerEndpointRegistry.class).stop();
        RabbitAdmin admin = context.getBean(RabbitAdmin.class);
        for (Queue queue : context.getBean(RabbitApplication.Queues.class).all()) {
            assertThat(Objects.requireNonNull(admin.getQueueInfo(queue.getName()))
                            .getMessageCount())
                    .as(queue.getName())
                    .isZero();
            admin.deleteQueue(queue.getName());
        }
        context.close();
    }

    @Test
    void two_messages_with_one_key_run_once_though_the_method_takes_the_payload_alone() {
        send("leased", HEADER, "k1", "twice");
        send("leased", HEADER, "k1", "twice");
        Log.await("both are delivered", () -> log.deliveries("twice") >= 2);
        Log.await("it has succeeded", () -> is(Status.SUCCESS, "leased", "k1"));

        assertThat(log.runs("twice")).isEqualTo(1);
    }

    @Test
    void a_class_that_listens_runs_once_too() {
        send("handled", HEADER, "k9", "handled");
        send("handled", HEADER, "k9", "handled");
        Log.await("both are delivered", () -> log.deliveries("handled") >= 2);
        Log.await("it has succeeded", () -> is(Status.SUCCESS, "handled", "k9"));

        assertThat(log.runs("handled")).isEqualTo(1);
    }

    @Test
    void a_message_without_the_usual_header_has_its_id_for_a_key() {
        for (int i = 0; i < 2; i++) {
            send(
                    "leased",
                    MessageBuilder.withBody("by id".getBytes(StandardCharsets.UTF_8))
                            .setMessageId("id-1")
                            .build());
        }
        Log.await("both are delivered", () -> log.deliveries("by id") >= 2);
        Log.await("it has succeeded", () -> is(Status.SUCCESS, "leased", "id-1"));

        assertThat(log.runs("by id")).isEqualTo(1);
    }

    @Test
    void a_listener_that_throws_is_run_again_and_its_effect_is_there_once() {
        log.failOnce("fails once");
        send("joined", HEADER, "k3", "fails once");
        Log.await("it has succeeded", () -> is(Status.SUCCESS, "joined", "k3"));

        assertThat(log.runs("fails once")).isEqualTo(2);
        assertThat(log.effects("fails once")).isEqualTo(1);
    }

    @Test
    void a_message_whose_transaction_was_given_up_comes_again_and_it_is_no_attempt() {
        log.giveUpOnce("given up");
        send("joined", HEADER, "k10", "given up");
        Log.await("it has succeeded", () -> is(Status.SUCCESS, "joined", "k10"));

        assertThat(log.deliveries("given up")).isEqualTo(2);
        assertThat(log.runs("given up")).isEqualTo(2);
        assertThat(log.effects("given up")).isEqualTo(1);
        assertThat(find("joined", "k10").orElseThrow().attempts()).isEqualTo(1);
    }

    @Test
    void a_crash_between_the_commit_and_the_acknowledgement_is_a_replay() {
        log.crashOnce("crashes");
        send("joined", HEADER, "k4", "crashes");
        Log.await("it has come again", () -> log.deliveries("crashes") == 2);
        passed();

        assertThat(log.deliveries("crashes")).isEqualTo(2);
        assertThat(log.runs("crashes")).isEqualTo(1);
        assertThat(log.effects("crashes")).isEqualTo(1);
    }

    @Test
    void a_message_that_another_consumer_is_at_work_on_comes_again_until_that_is_done() {
        send("slow", "order", "k5", "first");
        Log.await("the first is at work", () -> log.runs("first") == 1);
        long began = System.nanoTime();
        send("slow", "order", "k5", "second");
        Log.await("the second has come again", () -> log.deliveries("second") >= 3);
        long rested = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began);
        log.gate.countDown();
        passed();

        assertThat(rested).as("no hot loop").isGreaterThanOrEqualTo(200);
        assertThat(log.runs("second")).isZero();
    }

    @Test
    void an_unknown_outcome_comes_again_after_a_rest_until_it_is_settled_and_never_runs_again() {
        log.failOnce("unknown");
        send("leased", HEADER, "k7", "unknown");
        Log.await("it has come again", () -> log.deliveries("unknown") >= 2);
        long began = System.nanoTime();
        long before = log.deliveries("unknown");
        Log.await("it has come again and again", () -> log.deliveries("unknown") >= before + 3);

        assertThat(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began))
                .as("no hot loop")
                .isGreaterThanOrEqualTo(200);
        assertThat(is(Status.UNKNOWN, "leased", "k7")).isTrue();
        assertThat(context.getBean(Onefold.class)
                        .settle(Operation.of("leased"), key("leased", "k7"), Verdict.executed(null)))
                .isTrue();
        passed();
        assertThat(log.runs("unknown")).isEqualTo(1);
    }

    @Test
    void a_message_without_a_key_is_not_requeued() {
        send("leased", "another header", "k", "keyless");
        Log.await("it is delivered", () -> log.deliveries("keyless") == 1);
        refused++;
        others("leased");

        assertThat(log.deliveries("keyless")).isEqualTo(1);
        assertThat(log.runs("keyless")).isZero();
    }

    @Test
    void a_known_key_with_another_payload_is_not_requeued() {
        send("leased", HEADER, "k8", "this");
        Log.await("it has succeeded", () -> is(Status.SUCCESS, "leased", "k8"));
        send("leased", HEADER, "k8", "that");
        Log.await("it is delivered", () -> log.deliveries("that") == 1);
        refused++;
        others("leased");

        assertThat(log.deliveries("that")).isEqualTo(1);
        assertThat(log.runs("that")).isZero();
    }

    @Test
    void the_old_annotation_takes_its_token_from_an_expression() {
        send("old-by-expression", "none", "", "order-1");
        send("old-by-expression", "none", "", "order-1");
        Log.await("both are delivered", () -> log.deliveries("order-1") == 2);
        Log.await("one has run", () -> log.runs("order-1") > 0);
        passed();

        assertThat(log.runs("order-1")).isEqualTo(1);
    }

    @Test
    void the_old_annotation_takes_its_token_from_the_header_and_a_failed_message_is_run_again() {
        log.failOnce("order-2");
        send("old-by-header", "Idempotent-Token", "t1", "order-2");
        Log.await("it is run again", () -> log.runs("order-2") == 2);
        send("old-by-header", "Idempotent-Token", "t1", "order-2");
        Log.await("the duplicate is delivered", () -> log.deliveries("order-2") == 3);
        send("old-by-header", "Idempotent-Token", "t2", "order-3");
        Log.await("another one is run", () -> log.runs("order-3") == 1);

        assertThat(log.runs("order-2")).isEqualTo(2);
    }

    /** Nothing that was sent before comes again. */
    @AfterEach
    void passed() {
        Log.await("all are acknowledged", () -> log.acknowledgements() == sent - refused);
    }

    /** As many as there are consumers, and more: what is requeued comes before them. */
    private static void others(String queue) {
        for (int i = 0; i < 5; i++) {
            String other = "other " + System.nanoTime();
            send(queue, HEADER, other, other);
            Log.await(other, () -> log.runs(other) == 1);
        }
    }

    private static boolean is(Status status, String operation, String key) {
        Optional<StoredRecord> found = find(operation, key);
        return found.isPresent() && found.get().status() == status;
    }

    private static Optional<StoredRecord> find(String operation, String key) {
        return context.getBean(Onefold.class).find(Operation.of(operation), key(operation, key));
    }

    private static Key key(String queue, String key) {
        return Key.of(key).in(RabbitApplication.queue(queue));
    }

    private static void send(String queue, String header, String key, String payload) {
        send(
                queue,
                MessageBuilder.withBody(payload.getBytes(StandardCharsets.UTF_8))
                        .setHeader(header, key)
                        .build());
    }

    private static void send(String queue, Message message) {
        sent++;
        context.getBean(RabbitTemplate.class).send(RabbitApplication.queue(queue), message);
    }
}
