package io.onefold.spring.message;

import static org.assertj.core.api.Assertions.assertThat;

import io.onefold.Key;
import io.onefold.Onefold;
import io.onefold.Operation;
import io.onefold.Verdict;
import io.onefold.servers.RabbitServer;
import io.onefold.spring.Idempotent;
import io.onefold.spring.ListenerSettings;
import io.onefold.spring.ListenerSettings.DeadLetterPolicy;
import io.onefold.spring.ListenerSettings.ParkingTarget;
import io.onefold.store.Status;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.amqp.core.BindingBuilder;
import org.springframework.amqp.core.DirectExchange;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageBuilder;
import org.springframework.amqp.core.MessageBuilderSupport;
import org.springframework.amqp.core.MessageDeliveryMode;
import org.springframework.amqp.core.Queue;
import org.springframework.amqp.core.QueueBuilder;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.rabbit.core.RabbitAdmin;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.amqp.rabbit.listener.RabbitListenerEndpointRegistry;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Messages whose outcome stays unknown: the queue goes on where somebody takes them, and keeps them where nobody does. */
class RabbitDeadLetterTest {
    /** As many as there are consumers: they would stop the queue. */
    private static final int ALL = 2;

    @Test
    void as_many_as_there_are_consumers_go_to_the_dead_letters_with_key_and_reason_and_the_queue_goes_on() {
        try (Shop shop = new Shop(ListenerSettings.DEFAULT.unknownLimit(Duration.ofSeconds(1)));
                UnknownOutcomeLines lines = new UnknownOutcomeLines()) {
            for (int i = 0; i < ALL; i++) {
                shop.log.failOnce("poison " + i);
                shop.send("orders", "k" + i, "poison " + i);
            }
            shop.send("orders", "k9", "after them");
            Map<String, Message> dead = shop.dead("orders.dead", ALL);
            Log.await("the queue goes on", () -> shop.log.runs("after them") == 1);
            Log.await("all are acknowledged", () -> shop.log.acknowledgements() == ALL + 1);
            lines.only("orders", "k1");

            Message letter = Objects.requireNonNull(dead.get("poison 1"));
            assertThat(letter.getMessageProperties().getHeaders())
                    .containsEntry("Idempotency-Key", "k1")
                    .containsEntry("onefold-operation", "orders")
                    .containsEntry("onefold-key", "k1")
                    .containsEntry("onefold-reason", "unknown-outcome")
                    .containsEntry("onefold-exception", IllegalStateException.class.getName())
                    .containsEntry("onefold-exception-message", "told to fail");
            assertThat(letter.getMessageProperties().getExpiration())
                    .as("it does not expire among the dead letters")
                    .isNull();
            assertThat(letter.getMessageProperties().getReceivedDeliveryMode())
                    .as("a restart of the broker does not lose it")
                    .isEqualTo(MessageDeliveryMode.PERSISTENT);
            assertThat(shop.log.runs("poison 1")).isEqualTo(1);
            assertThat(shop.is(Status.UNKNOWN, "orders", "k1")).isTrue();

            shop.settle("orders", "k1", Verdict.canNoLongerHappen());
            shop.send("orders", "k1", "poison 1");
            Log.await("one that is settled and sent again by hand runs", () -> shop.is(Status.SUCCESS, "orders", "k1"));
            assertThat(shop.log.runs("poison 1")).isEqualTo(2);
        }
    }

    @Test
    void an_exchange_that_is_missing_keeps_it_and_gets_it_whole_when_it_is_there() {
        DirectExchange late = new DirectExchange(RabbitApplication.queue("late"), false, true);
        try (Shop shop = new Shop(ListenerSettings.DEFAULT
                .unknownLimit(Duration.ZERO)
                .parking(new ParkingTarget(late.getName(), "{queue}.parked")))) {
            shop.log.failOnce("poison");
            shop.send("bare", "k1", "poison");
            Log.await("it has come again and again", () -> shop.log.deliveries("poison") >= 6);
            assertThat(shop.log.acknowledgements()).isZero();
            RabbitAdmin admin = shop.context.getBean(RabbitAdmin.class);
            admin.declareExchange(late);
            Queue parked = shop.context.getBean("parked", Queue.class);
            admin.declareBinding(BindingBuilder.bind(parked).to(late).with(parked.getName()));

            Message letter = Objects.requireNonNull(shop.dead("bare.parked", 1).get("poison"));
            Log.await("it is acknowledged", () -> shop.log.acknowledgements() == 1);
            assertThat(letter.getMessageProperties().getContentType()).isEqualTo("text/plain");
            assertThat(letter.getMessageProperties().getCorrelationId()).isEqualTo("correlation of poison");
            assertThat(letter.getMessageProperties().getHeaders()).containsEntry("customer", "customer of poison");
            assertThat(shop.log.runs("poison")).isEqualTo(1);
            admin.deleteExchange(late.getName());
        }
    }

    @Test
    void a_queue_without_dead_letters_keeps_it_until_it_is_settled() {
        try (Shop shop = new Shop(ListenerSettings.DEFAULT.unknownLimit(Duration.ZERO))) {
            shop.stays("bare");
        }
    }

    @Test
    void dead_letters_that_lead_nowhere_keep_it_as_well() {
        try (Shop shop = new Shop(ListenerSettings.DEFAULT
                .unknownLimit(Duration.ZERO)
                .parking(new ParkingTarget("", "{queue}.that-nobody-has-declared")))) {
            shop.stays("bare");
        }
    }

    @Test
    void so_does_an_application_that_wants_none() {
        try (Shop shop =
                new Shop(ListenerSettings.DEFAULT.unknownLimit(Duration.ZERO).deadLetters(DeadLetterPolicy.NEVER))) {
            shop.stays("orders");
        }
    }

    @Test
    void a_message_is_parked_where_the_application_says() {
        try (Shop shop = new Shop(ListenerSettings.DEFAULT
                .unknownLimit(Duration.ZERO)
                .parking(new ParkingTarget("", "{queue}.parked")))) {
            shop.log.failOnce("parked");
            shop.send("bare", "k1", "parked");
            assertThat(Objects.requireNonNull(shop.dead("bare.parked", 1).get("parked"))
                            .getMessageProperties()
                            .getHeaders())
                    .containsEntry("onefold-key", "k1");
            Log.await("it is acknowledged", () -> shop.log.acknowledgements() == 1);
        }
    }

    @Test
    void the_broker_gets_it_rejected_where_the_application_says_that_there_are_dead_letters() {
        try (Shop shop =
                new Shop(ListenerSettings.DEFAULT.unknownLimit(Duration.ZERO).deadLetters(DeadLetterPolicy.ALWAYS))) {
            shop.log.failOnce("rejected");
            shop.send("bare", "k1", "rejected");
            Log.await("it has come again", () -> shop.log.deliveries("rejected") == 2);
            for (int i = 0; i <= ALL; i++) {
                shop.send("bare", "k" + (2 + i), "after it");
            }
            Log.await("the queue goes on", () -> shop.log.runs("after it") == ALL + 1);
            assertThat(shop.log.deliveries("rejected")).isEqualTo(2);
        }
    }

    private static final class Shop implements AutoCloseable {
        private final AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
        private final Log log;

        Shop(ListenerSettings settings) {
            context.registerBean(ListenerSettings.class, () -> settings);
            context.register(Containers.class, Listeners.class);
            context.refresh();
            log = context.getBean(Log.class);
        }

        void stays(String queue) {
            log.failOnce("poison");
            send(queue, "k1", "poison");
            Log.await("it has come again and again", () -> log.deliveries("poison") >= 6);
            settle(queue, "k1", Verdict.executed(null));
            Log.await("it is acknowledged", () -> log.acknowledgements() == 1);
            assertThat(log.runs("poison")).isEqualTo(1);
            assertThat(receive("orders.dead")).isNull();
        }

        void settle(String queue, String key, Verdict<Void> verdict) {
            assertThat(context.getBean(Onefold.class).settle(Operation.of(queue), key(queue, key), verdict))
                    .isTrue();
        }

        boolean is(Status status, String queue, String key) {
            return context.getBean(Onefold.class)
                    .find(Operation.of(queue), key(queue, key))
                    .filter(found -> found.status() == status)
                    .isPresent();
        }

        private static Key key(String queue, String key) {
            return Key.of(key).in(RabbitApplication.queue(queue));
        }

        /** So many letters, by their payloads. */
        Map<String, Message> dead(String queue, int letters) {
            Map<String, Message> found = new HashMap<>();
            Log.await(letters + " are in " + queue, () -> {
                Message letter = receive(queue);
                if (letter != null) {
                    found.put(new String(letter.getBody(), StandardCharsets.UTF_8), letter);
                }
                return found.size() == letters;
            });
            return found;
        }

        private @Nullable Message receive(String queue) {
            return context.getBean(RabbitTemplate.class).receive(RabbitApplication.queue(queue));
        }

        void send(String queue, String key, String payload) {
            MessageBuilderSupport<Message> message = MessageBuilder.withBody(payload.getBytes(StandardCharsets.UTF_8))
                    .setContentType("text/plain")
                    .setCorrelationId("correlation of " + payload)
                    .setHeader("customer", "customer of " + payload)
                    .setHeader("Idempotency-Key", key);
            if (RabbitServer.shared().hasQuorumQueues()) {
                // the stand-in takes it for a point in time, which is over
                message.setExpiration("600000");
            }
            context.getBean(RabbitTemplate.class).send(RabbitApplication.queue(queue), message.build());
        }

        @Override
        public void close() {
            context.getBean(RabbitListenerEndpointRegistry.class).stop();
            context.getBeansOfType(Queue.class)
                    .values()
                    .forEach(queue -> context.getBean(RabbitAdmin.class).deleteQueue(queue.getName()));
            context.close();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @Import(RabbitApplication.class)
    static class Containers {
        /** The stand-in knows no dead letter exchanges, and refuses a queue with one: the application's word is all that counts. */
        @Bean
        Queue orders(RabbitAdmin admin) {
            Queue declared = QueueBuilder.nonDurable(RabbitApplication.queue("orders"))
                    .deadLetterExchange("")
                    .deadLetterRoutingKey(RabbitApplication.queue("orders.dead"))
                    .build();
            declared.setShouldDeclare(false);
            admin.declareQueue(
                    RabbitServer.shared().hasQuorumQueues()
                            ? declared
                            : QueueBuilder.nonDurable(declared.getName()).build());
            return declared;
        }

        @Bean
        Queue ordersDead() {
            return QueueBuilder.nonDurable(RabbitApplication.queue("orders.dead"))
                    .build();
        }

        @Bean
        Queue bare() {
            return QueueBuilder.nonDurable(RabbitApplication.queue("bare")).build();
        }

        @Bean
        Queue parked() {
            return QueueBuilder.nonDurable(RabbitApplication.queue("bare.parked"))
                    .build();
        }
    }

    static class Listeners {
        private final Log log;

        Listeners(Log log) {
            this.log = log;
        }

        @RabbitListener(queues = "#{@orders.name}")
        @Idempotent(operation = "orders", waitFor = "100ms")
        public void orders(String payload) {
            log.run(payload);
        }

        @RabbitListener(queues = "#{@bare.name}")
        @Idempotent(operation = "bare", waitFor = "100ms")
        public void bare(String payload) {
            log.run(payload);
        }
    }
}
