package io.onefold.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.onefold.Key;
import io.onefold.Onefold;
import io.onefold.Operation;
import io.onefold.Verdict;
import io.onefold.servers.RabbitServer;
import io.onefold.spring.Idempotent;
import io.onefold.store.Status;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.amqp.core.AmqpAdmin;
import org.springframework.amqp.core.Declarables;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageBuilder;
import org.springframework.amqp.core.QueueBuilder;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.rabbit.config.AbstractRabbitListenerContainerFactory;
import org.springframework.amqp.rabbit.config.BaseRabbitListenerContainerFactory;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.amqp.rabbit.listener.RabbitListenerEndpointRegistry;
import org.springframework.beans.DirectFieldAccessor;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;
import reactor.core.publisher.Mono;

/** Listeners in the containers that Spring Boot makes of {@code spring.rabbitmq.*}, those that drop what fails among them. */
class RabbitTest {
    private static final List<String> QUEUES = List.of("paid", "packed", "plain", "shipped", "mailed");

    /** Their containers acknowledge what the method does at once, in a future, and in a Mono. */
    private static final List<String> RECORDING = List.of("paid", "shipped", "mailed");

    private static final List<String> LATER = List.of("shipped", "mailed");

    /** More than a retry of Spring Boot tries. */
    private static final int OFTEN = 5;

    private static final long REST_MILLIS = 100;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "simple.concurrency=2 simple.prefetch=1",
                "simple.concurrency=2 simple.prefetch=1 simple.retry.enabled=true simple.retry.initial-interval=1ms",
                "simple.concurrency=2 simple.prefetch=1 simple.default-requeue-rejected=false",
                "type=direct direct.consumers-per-queue=2 direct.prefetch=1 direct.retry.enabled=true"
                        + " direct.retry.initial-interval=1ms direct.default-requeue-rejected=false"
            })
    void what_is_not_settled_comes_again_after_a_rest_and_what_was_done_is_acknowledged(String listener)
            throws Exception {
        try (ConfigurableApplicationContext context = start(listener)) {
            Packing packing = new Packing(context);
            try {
                packing.a_listener_without_the_annotation_has_the_container_that_it_would_have_without_onefold();
                packing.duplicates_are_acknowledged();
                packing.one_that_another_is_at_work_on_comes_again();
                // an application that has what fails dropped loses the one whose outcome is unknown, but not its
                // duplicate
                boolean first = listener.contains("retry") || !listener.contains("rejected=false");
                packing.an_unknown_one_comes_again_until_it_is_settled(first ? 1 : 2);
                packing.what_the_store_cannot_record_comes_again_until_it_can_and_runs_once();
                packing.one_without_a_key_is_rejected_by_listeners_that_go_on_after_they_have_returned();
            } finally {
                packing.stop();
            }
            packing.nothing_is_left();
        }
    }

    private static ConfigurableApplicationContext start(String listener) {
        RabbitServer server = RabbitServer.shared();
        List<String> settings = new ArrayList<>(List.of(
                "--spring.main.web-application-type=none",
                "--queues=" + UUID.randomUUID(),
                "--spring.rabbitmq.host=" + server.host(),
                "--spring.rabbitmq.port=" + server.port(),
                "--spring.rabbitmq.username=" + server.user(),
                "--spring.rabbitmq.password=" + server.password(),
                "--spring.rabbitmq.virtual-host=" + server.virtualHost()));
        for (String setting : listener.split(" ", -1)) {
            settings.add("--spring.rabbitmq.listener." + setting);
        }
        return new SpringApplication(Shop.class).run(settings.toArray(String[]::new));
    }

    /** What happens in one application. */
    private record Packing(
            ConfigurableApplicationContext context,
            Stockroom stockroom,
            RabbitTemplate template,
            AtomicInteger acknowledged) {
        Packing(ConfigurableApplicationContext context) {
            this(context, context.getBean(Stockroom.class), context.getBean(RabbitTemplate.class), new AtomicInteger());
        }

        void a_listener_without_the_annotation_has_the_container_that_it_would_have_without_onefold() {
            assertThat(advice(context.getBean(BaseRabbitListenerContainerFactory.class)))
                    .noneMatch(Packing::isOnefolds);
            assertThat(advice(container("plain")))
                    .containsExactly(advice(context.getBean(BaseRabbitListenerContainerFactory.class)));
            assertThat(advice(container("paid"))).anyMatch(Packing::isOnefolds);
        }

        /** By its field: the getter has another type in Spring AMQP 3. */
        private Object container(String id) {
            Object all = new DirectFieldAccessor(context.getBean(RabbitListenerEndpointRegistry.class))
                    .getPropertyValue("listenerContainers");
            return Objects.requireNonNull(((Map<?, ?>) Objects.requireNonNull(all)).get(id));
        }

        private static Object[] advice(Object container) {
            Object chain = new DirectFieldAccessor(container).getPropertyValue("adviceChain");
            return chain == null ? new Object[0] : (Object[]) chain;
        }

        private static boolean isOnefolds(Object advice) {
            return advice.getClass().getName().startsWith("io.onefold.");
        }

        void duplicates_are_acknowledged() throws InterruptedException {
            send("paid", "k1", "twice");
            send("paid", "k1", "twice");
            Until.holds(() -> stockroom.deliveries("twice") >= 2);
            Until.holds(() -> stockroom.is(Status.SUCCESS, "paid", key("paid", "k1")));
            acknowledged(2);
            assertThat(stockroom.runs("twice")).isEqualTo(1);
        }

        void one_that_another_is_at_work_on_comes_again() throws InterruptedException {
            send("packed", "k2", "first");
            Until.holds(() -> stockroom.runs("first") == 1);
            long began = System.nanoTime();
            send("packed", "k2", "second");
            Until.holds(() -> stockroom.deliveries("second") >= OFTEN);
            hasRested(began, OFTEN - 1);
            stockroom.openGate();
            acknowledged(2);
            assertThat(stockroom.runs("second")).isZero();
        }

        void an_unknown_one_comes_again_until_it_is_settled(int times) throws InterruptedException {
            stockroom.failOnce("unknown");
            for (int i = 0; i < times; i++) {
                send("paid", "k3", "unknown");
            }
            Until.holds(() -> stockroom.is(Status.UNKNOWN, "paid", key("paid", "k3")));
            Until.holds(() -> stockroom.deliveries("unknown") >= OFTEN);
            assertThat(context.getBean(Onefold.class)
                            .settle(Operation.of("paid"), key("paid", "k3"), Verdict.executed(null)))
                    .isTrue();
            acknowledged(1);
            assertThat(stockroom.runs("unknown")).isEqualTo(1);
        }

        void what_the_store_cannot_record_comes_again_until_it_can_and_runs_once() throws InterruptedException {
            SwitchedDataSource database = context.getBean(SwitchedDataSource.class);
            database.setDown(true);
            long began = System.nanoTime();
            try {
                for (String queue : RECORDING) {
                    for (int i = 1; i <= 3; i++) {
                        send(queue, "down" + i, queue + " unrecorded " + i);
                    }
                }
                for (String queue : RECORDING) {
                    Until.holds(() -> stockroom.deliveries(queue + " unrecorded 1") >= OFTEN);
                }
            } finally {
                database.setDown(false);
            }
            hasRested(began, OFTEN - 1);
            acknowledged(3);
            for (String queue : RECORDING) {
                for (int i = 1; i <= 3; i++) {
                    String unrecorded = queue + " unrecorded " + i;
                    Until.holds(() -> stockroom.runs(unrecorded) > 0);
                    assertThat(stockroom.runs(unrecorded)).as(unrecorded).isEqualTo(1);
                }
            }
        }

        /** It would stay with its consumer for ever if it were neither acknowledged nor rejected. */
        void one_without_a_key_is_rejected_by_listeners_that_go_on_after_they_have_returned()
                throws InterruptedException {
            for (String queue : LATER) {
                for (int i = 0; i < 3; i++) {
                    send(queue, "", "keyless " + i);
                }
                send(queue, "k4", queue + " after them");
                Until.holds(() -> stockroom.runs(queue + " after them") == 1);
            }
        }

        private static void hasRested(long began, int times) {
            assertThat(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began))
                    .as("no hot loop")
                    .isGreaterThanOrEqualTo(times * REST_MILLIS);
        }

        void stop() {
            stockroom.openGate();
            context.getBean(RabbitListenerEndpointRegistry.class).stop();
        }

        /** What was not acknowledged is back in its queue by now. A container that waits for futures may have been stopped just before it did. */
        void nothing_is_left() {
            for (String queue : QUEUES) {
                if (!LATER.contains(queue)) {
                    assertThat(left(queue)).as(queue).isZero();
                }
                context.getBean(AmqpAdmin.class).deleteQueue(name(queue));
            }
        }

        private void acknowledged(int more) throws InterruptedException {
            int all = acknowledged.addAndGet(more);
            Until.holds(() -> stockroom.acknowledgements() == all);
        }

        private long left(String queue) {
            return Objects.requireNonNull(template.execute(channel -> channel.messageCount(name(queue))));
        }

        private String name(String queue) {
            return context.getEnvironment().getRequiredProperty("queues") + "." + queue;
        }

        private Key key(String queue, String key) {
            return Key.of(key).in(name(queue));
        }

        private void send(String queue, String key, String payload) {
            template.send(
                    name(queue),
                    MessageBuilder.withBody(payload.getBytes(StandardCharsets.UTF_8))
                            .setContentType("text/plain")
                            .setHeader("Idempotency-Key", key)
                            .build());
        }
    }

    @BrokeredApplication
    @Import({Stockroom.class, Deliveries.class, Listeners.class})
    static class Shop {
        @Bean
        SwitchedDataSource database() {
            return new SwitchedDataSource();
        }

        @Bean
        Declarables queues(Environment environment) {
            String own = environment.getRequiredProperty("queues") + ".";
            return new Declarables(QUEUES.stream()
                    .map(queue -> QueueBuilder.nonDurable(own + queue).build())
                    .toList());
        }
    }

    static class Deliveries {
        /** Around the advice of the containers: each delivery once, however often it is tried, and each acknowledgement. */
        @Bean
        static BeanPostProcessor deliveries(ObjectProvider<Stockroom> stockroom) {
            return new BeanPostProcessor() {
                @Override
                public Object postProcessBeforeInitialization(Object bean, String name) {
                    if (bean instanceof AbstractRabbitListenerContainerFactory<?> factory) {
                        factory.setAfterReceivePostProcessors(message -> {
                            stockroom.getObject().comes(text(message));
                            return message;
                        });
                        factory.setMessageAckListener(
                                (success, tag, cause) -> stockroom.getObject().acknowledged());
                    }
                    return bean;
                }
            };
        }

        private static String text(Message message) {
            return new String(message.getBody(), StandardCharsets.UTF_8);
        }
    }

    static class Listeners {
        private final Stockroom stockroom;

        Listeners(Stockroom stockroom) {
            this.stockroom = stockroom;
        }

        @RabbitListener(id = "paid", queues = "${queues}.paid")
        @Idempotent(operation = "paid", waitFor = "100ms")
        public void paid(String payload) {
            stockroom.run(payload);
        }

        @RabbitListener(id = "plain", queues = "${queues}.plain")
        public void plain(String payload) {
            stockroom.run(payload);
        }

        @RabbitListener(queues = "${queues}.shipped")
        @Idempotent(operation = "shipped", waitFor = "100ms")
        public CompletableFuture<Void> shipped(String payload) {
            return CompletableFuture.runAsync(() -> stockroom.run(payload), task -> new Thread(task).start());
        }

        @RabbitListener(queues = "${queues}.mailed")
        @Idempotent(operation = "mailed", waitFor = "100ms")
        public Mono<Void> mailed(String payload) {
            return Mono.fromRunnable(() -> stockroom.run(payload));
        }

        @RabbitListener(queues = "${queues}.packed")
        @Idempotent(operation = "packed", waitFor = "100ms", matching = "'any'")
        public void packed(String payload) throws InterruptedException {
            stockroom.runBehindGate(payload);
        }
    }
}
