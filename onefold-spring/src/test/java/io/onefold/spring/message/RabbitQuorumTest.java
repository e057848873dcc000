package io.onefold.spring.message;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.onefold.Key;
import io.onefold.Onefold;
import io.onefold.Operation;
import io.onefold.Verdict;
import io.onefold.servers.RabbitServer;
import io.onefold.spring.Idempotent;
import io.onefold.store.BatchItemResult;
import io.onefold.store.Claim;
import io.onefold.store.ClaimResult;
import io.onefold.store.ForwardingStore;
import io.onefold.store.MemoryStore;
import io.onefold.store.StoreException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import org.springframework.amqp.core.Declarables;
import org.springframework.amqp.core.MessageBuilder;
import org.springframework.amqp.core.Queue;
import org.springframework.amqp.core.QueueBuilder;
import org.springframework.amqp.rabbit.annotation.EnableRabbit;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.rabbit.config.SimpleRabbitListenerContainerFactory;
import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.amqp.rabbit.core.RabbitAdmin;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.amqp.rabbit.listener.RabbitListenerEndpointRegistry;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Primary;

/**
 * Queues that count deliveries and drop a message after {@value #LIMIT}: what is not settled must not use them up. The stand-in has no such
 * queues, and drops nothing; there the same must hold on its ordinary ones.
 */
class RabbitQuorumTest {
    private static final int LIMIT = 2;

    /** A message that was given back each time would be gone by then: the engine asks a store that fails four times in a row. */
    private static final int OFTEN = 4 * (LIMIT + 2);

    private AnnotationConfigApplicationContext context;
    private Log log;
    private SwitchedStore store;

    @BeforeEach
    void start() {
        context = new AnnotationConfigApplicationContext(Containers.class, Listeners.class);
        log = context.getBean(Log.class);
        store = context.getBean(SwitchedStore.class);
    }

    @AfterEach
    void stop() {
        log.gate.countDown();
        context.getBean(RabbitListenerEndpointRegistry.class).stop();
        context.getBeansOfType(Queue.class)
                .values()
                .forEach(queue -> context.getBean(RabbitAdmin.class).deleteQueue(queue.getName()));
        context.close();
    }

    @Test
    void no_message_is_lost_while_the_store_cannot_be_asked() {
        store.down = true;
        for (String queue : List.of("counted", "undeclared", "later")) {
            int before = store.asked.get();
            send(queue, "k1", "first of " + queue);
            send(queue, "k2", "second of " + queue);
            Log.await("both were asked for often", () -> store.asked.get() >= before + 2 * OFTEN);
        }
        wasDelivered("first of counted", 1);
        wasDelivered("first of later", 1);
        // nobody knew of what kind the queue is until it came again
        wasDelivered("first of undeclared", 2);
        store.down = false;
        for (String queue : List.of("counted", "undeclared", "later")) {
            Log.await("both have run", () -> ran(queue));
        }
        assertThat(log.runs("first of counted")).isEqualTo(1);
    }

    /** Where deliveries are counted. */
    private void wasDelivered(String payload, int times) {
        if (RabbitServer.shared().hasQuorumQueues()) {
            assertThat(log.deliveries(payload)).as(payload).isEqualTo(times);
        }
    }

    private boolean ran(String queue) {
        return log.runs("first of " + queue) == 1 && log.runs("second of " + queue) == 1;
    }

    @Test
    void no_message_is_lost_while_another_consumer_is_at_work_on_it() {
        send("busy", "k1", "first");
        Log.await("the first is at work", () -> log.runs("first") == 1);
        int before = store.asked.get();
        send("busy", "k1", "second");
        Log.await("the second was asked for often", () -> store.asked.get() >= before + OFTEN);
        wasDelivered("second", 1);
        log.gate.countDown();
        Log.await("both are acknowledged", () -> log.acknowledgements() == 2);
        assertThat(log.runs("second")).isZero();
    }

    @Test
    void no_message_is_lost_whose_outcome_is_unknown_until_it_is_settled() {
        log.failOnce("unknown");
        send("counted", "k1", "unknown");
        Log.await("it was asked for often", () -> store.asked.get() >= LIMIT + 4);
        wasDelivered("unknown", 2);
        assertThat(context.getBean(Onefold.class)
                        .settle(
                                Operation.of("counted"),
                                Key.of("k1").in(RabbitApplication.queue("counted")),
                                Verdict.executed(null)))
                .isTrue();
        Log.await("it is acknowledged", () -> log.acknowledgements() == 1);
        assertThat(log.runs("unknown")).isEqualTo(1);
    }

    @Test
    void a_container_that_stops_gives_its_messages_back() {
        store.down = true;
        send("counted", "k1", "given back");
        Log.await("it was asked for", () -> store.asked.get() > 1);
        RabbitListenerEndpointRegistry registry = context.getBean(RabbitListenerEndpointRegistry.class);
        registry.stop();
        store.down = false;
        registry.start();
        Log.await("it has run", () -> log.runs("given back") == 1);
    }

    /** The application's word counts, whatever the broker makes of it: a container does not ask it. */
    @Test
    void a_quorum_queue_without_a_dead_letter_exchange_is_warned_of_at_the_start() {
        Logger logger = (Logger) LoggerFactory.getLogger(RabbitQueues.class);
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        lines.start();
        logger.addAppender(lines);
        logger.setLevel(Level.WARN);
        try (AnnotationConfigApplicationContext other = new AnnotationConfigApplicationContext(Declared.class)) {
            assertThat(other.getBean(RabbitListenerEndpointRegistry.class).getListenerContainerIds())
                    .isNotEmpty();
            assertThat(lines.list)
                    .extracting(ILoggingEvent::getFormattedMessage)
                    .filteredOn(line -> line.contains("-bare"))
                    .singleElement()
                    .asString()
                    .contains("has no dead letter exchange")
                    .contains("5 at most");
            assertThat(lines.list)
                    .extracting(ILoggingEvent::getFormattedMessage)
                    .noneMatch(line -> line.contains("-safe") || line.contains("-classic"));
        } finally {
            logger.detachAppender(lines);
            logger.setLevel(null);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableRabbit
    @Import(Application.class)
    static class Declared {
        @Bean
        SimpleRabbitListenerContainerFactory rabbitListenerContainerFactory() {
            SimpleRabbitListenerContainerFactory factory = new SimpleRabbitListenerContainerFactory();
            // nobody connects to it
            factory.setConnectionFactory(new CachingConnectionFactory("127.0.0.1", 1));
            factory.setAutoStartup(false);
            return factory;
        }

        @Bean
        Queue bare() {
            return QueueBuilder.durable("orders-bare").quorum().deliveryLimit(5).build();
        }

        @Bean
        Declarables others() {
            return new Declarables(
                    QueueBuilder.durable("orders-safe")
                            .quorum()
                            .deadLetterExchange("dead")
                            .build(),
                    QueueBuilder.durable("orders-classic").build());
        }

        @Bean
        Annotated annotated() {
            return new Annotated();
        }
    }

    static class Annotated {
        @RabbitListener(queues = {"orders-bare", "orders-safe", "orders-classic"})
        @Idempotent(operation = "on")
        public void on(String order) {}
    }

    private void send(String queue, String key, String payload) {
        context.getBean(RabbitTemplate.class)
                .send(
                        RabbitApplication.queue(queue),
                        MessageBuilder.withBody(payload.getBytes(StandardCharsets.UTF_8))
                                .setHeader("Idempotency-Key", key)
                                .build());
    }

    static final class SwitchedStore extends ForwardingStore {
        final AtomicInteger asked = new AtomicInteger();
        volatile boolean down;

        SwitchedStore() {
            super(new MemoryStore());
        }

        @Override
        public List<BatchItemResult<ClaimResult>> claimAll(List<Claim> claims) {
            asked.incrementAndGet();
            if (down) {
                throw new StoreException("down");
            }
            return super.claimAll(claims);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @Import(RabbitApplication.class)
    static class Containers {
        @Bean
        @Primary
        SwitchedStore switched() {
            return new SwitchedStore();
        }

        @Bean
        @Primary
        Onefold switchedOnefold(SwitchedStore store) {
            return Onefold.on(store);
        }

        @Bean
        Queue counted() {
            return queue("counted");
        }

        @Bean
        Queue busy() {
            return queue("busy");
        }

        @Bean
        Queue later() {
            return queue("later");
        }

        /** The application does not say of what kind it is: its messages do. */
        @Bean
        Object undeclared(RabbitAdmin admin) {
            return String.valueOf(admin.declareQueue(queue("undeclared")));
        }

        private static Queue queue(String name) {
            String own = RabbitApplication.queue(name);
            return RabbitServer.shared().hasQuorumQueues()
                    ? QueueBuilder.durable(own).quorum().deliveryLimit(LIMIT).build()
                    : QueueBuilder.nonDurable(own).build();
        }
    }

    static class Listeners {
        private final Log log;

        Listeners(Log log) {
            this.log = log;
        }

        @RabbitListener(queues = "#{@counted.name}")
        @Idempotent(operation = "counted", waitFor = "100ms")
        public void counted(String payload) {
            log.run(payload);
        }

        @RabbitListener(queues = "#{@undeclared}")
        @Idempotent(operation = "undeclared", waitFor = "100ms")
        public void undeclared(String payload) {
            log.run(payload);
        }

        @RabbitListener(queues = "#{@busy.name}")
        @Idempotent(operation = "busy", waitFor = "100ms", matching = "'any'")
        public void busy(String payload) throws InterruptedException {
            log.runBehindGate(payload);
        }

        @RabbitListener(queues = "#{@later.name}")
        @Idempotent(operation = "later", waitFor = "100ms")
        public CompletableFuture<Void> later(String payload) {
            return CompletableFuture.runAsync(() -> log.run(payload), task -> new Thread(task).start());
        }
    }
}
