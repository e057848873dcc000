package io.onefold.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.onefold.servers.PostgresServer;
import io.onefold.servers.RabbitServer;
import io.onefold.servers.TcpProxy;
import io.onefold.spring.Idempotent;
import io.onefold.store.Status;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.springframework.amqp.core.AmqpAdmin;
import org.springframework.amqp.core.Declarables;
import org.springframework.amqp.core.MessageBuilder;
import org.springframework.amqp.core.Queue;
import org.springframework.amqp.core.QueueBuilder;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.amqp.rabbit.listener.RabbitListenerEndpointRegistry;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.config.KafkaListenerEndpointRegistry;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.kafka.listener.CommonErrorHandler;
import org.springframework.kafka.listener.ConcurrentMessageListenerContainer;
import org.springframework.kafka.listener.DeadLetterPublishingRecoverer;
import org.springframework.kafka.listener.DefaultErrorHandler;
import org.springframework.kafka.listener.RecordInterceptor;
import org.springframework.kafka.test.EmbeddedKafkaBroker;
import org.springframework.kafka.test.EmbeddedKafkaKraftBroker;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.util.backoff.FixedBackOff;

/**
 * The database hangs, and is not there, while messages come from Kafka, from a classic queue and from a quorum queue. Their error handlers
 * make a dead letter of what fails twice, and the quorum queue drops what it has delivered twice.
 */
class MessageOutageTest {
    private static final int DELIVERY_LIMIT = 1;

    /** More often than Kafka's error handler or the quorum queue would let it come. */
    private static final int OFTEN = 3;

    private static final List<String> KAFKA = List.of("kafka-leased", "kafka-joined");
    private static final List<String> RABBIT =
            List.of("classic-leased", "classic-joined", "quorum-leased", "quorum-joined");
    private static final List<String> ALL =
            Stream.concat(KAFKA.stream(), RABBIT.stream()).toList();
    private static final int EACH = 2;

    private final List<String> sent = new ArrayList<>();

    @Test
    void no_message_is_lost_runs_twice_or_becomes_a_dead_letter_while_the_database_hangs_or_is_gone() throws Exception {
        EmbeddedKafkaBroker broker =
                new EmbeddedKafkaKraftBroker(1, 1).brokerProperties(Map.of("group.initial.rebalance.delay.ms", "0"));
        broker.afterPropertiesSet();
        for (String topic : KAFKA) {
            broker.addTopics(new NewTopic(topic, 2, (short) 1), new NewTopic(topic + "-dlt", 2, (short) 1));
        }
        PostgresServer server = PostgresServer.shared();
        String database = server.newDatabase();
        new JdbcTemplate(server.dataSource(database)).execute("create table effect(what varchar(100) not null)");
        try (TcpProxy proxy = TcpProxy.to(server.port());
                ConfigurableApplicationContext context = start(broker, server.url(database, proxy.port()));
                Admin admin = Admin.create(Map.of("bootstrap.servers", broker.getBrokersAsString()))) {
            Stockroom stockroom = context.getBean(Stockroom.class);
            try {
                outages(context, admin, stockroom, proxy);
                all(context, admin, stockroom, new JdbcTemplate(server.dataSource(database)));
            } finally {
                proxy.flow();
                proxy.accept();
                stockroom.openGate();
                context.getBean(RabbitListenerEndpointRegistry.class).stop();
                Shop.queues(context.getEnvironment())
                        .forEach(queue -> context.getBean(AmqpAdmin.class).deleteQueue(queue.getName()));
            }
        } finally {
            broker.destroy();
        }
    }

    private void outages(ConfigurableApplicationContext context, Admin admin, Stockroom stockroom, TcpProxy proxy)
            throws InterruptedException {
        for (String topic : KAFKA) {
            Object container =
                    context.getBean(KafkaListenerEndpointRegistry.class).getListenerContainer(topic);
            Until.holds(() ->
                    KafkaTest.isAssigned((ConcurrentMessageListenerContainer<?, ?>) Objects.requireNonNull(container)));
        }
        for (String channel : ALL) {
            send(context, channel, 0, "at work on " + channel);
            send(context, channel, 1, "before in " + channel);
        }
        for (String channel : ALL) {
            Until.holds(() -> stockroom.runs("at work on " + channel) == 1);
            Until.holds(() -> stockroom.runs("before in " + channel) == 1);
        }
        // else as many as there are consumers may come again before the others
        Until.holds(() -> stockroom.acknowledgements() == RABBIT.size());
        Until.holds(() -> KAFKA.stream().allMatch(topic -> offset(admin, topic, 1) == 1));
        proxy.stall();
        stockroom.openGate(); // those at work end while nothing can be recorded
        for (String channel : ALL) {
            for (int i = 0; i < EACH; i++) {
                send(context, channel, 1, "during " + i + " in " + channel);
            }
        }
        comeAgain(stockroom, OFTEN - 1);
        proxy.refuse();
        proxy.flow(); // what was sent before the connections were given up reaches the database late
        proxy.cut();
        comeAgain(stockroom, OFTEN);
        assertThat(sent)
                .filteredOn(one -> one.startsWith("during"))
                .allSatisfy(one -> assertThat(stockroom.runs(one)).as(one).isZero());
        proxy.accept();
    }

    /** Any of them: a classic queue may deliver one again and again before it delivers another. */
    private void comeAgain(Stockroom stockroom, int times) throws InterruptedException {
        for (String channel : ALL) {
            boolean held = channel.startsWith("quorum") && RabbitServer.shared().hasQuorumQueues();
            Until.holds(() -> sent.stream()
                            .filter(one -> one.startsWith("during") && one.endsWith(channel))
                            .mapToLong(stockroom::deliveries)
                            .sum()
                    >= (held ? 1 : times));
        }
    }

    private void all(ConfigurableApplicationContext context, Admin admin, Stockroom stockroom, JdbcTemplate direct)
            throws InterruptedException {
        for (String one : sent) {
            String channel = one.substring(one.lastIndexOf(' ') + 1);
            Until.holds(() -> stockroom.runs(one) > 0);
            if (channel.endsWith("-joined")) {
                Until.holds(() -> effects(direct, one) > 0);
            }
        }
        Until.holds(() -> stockroom.acknowledgements() == RABBIT.size() * (2 + EACH));
        for (String topic : KAFKA) {
            Until.holds(() -> offset(admin, topic, 0) == 1 && offset(admin, topic, 1) == 1 + EACH);
        }
        for (String one : sent) {
            if (one.endsWith("-joined")) {
                assertThat(effects(direct, one)).as(one).isEqualTo(1);
            } else {
                assertThat(stockroom.runs(one)).as(one).isEqualTo(1);
            }
        }
        assertThat(direct.queryForObject("select count(*) from idempotent_record where status = 1", Integer.class))
                .as("all are a " + Status.SUCCESS)
                .isEqualTo(sent.size());
        assertThat(stockroom.runs("dead letter")).isZero();
        for (String queue : RABBIT) {
            assertThat(context.getBean(RabbitTemplate.class)
                            .receive(Shop.name(context.getEnvironment(), queue) + ".parked"))
                    .as("dead letter of " + queue)
                    .isNull();
        }
    }

    private static int effects(JdbcTemplate direct, String what) {
        return Objects.requireNonNull(
                direct.queryForObject("select count(*) from effect where what = ?", Integer.class, what));
    }

    private static long offset(Admin admin, String topic, int partition) {
        try {
            OffsetAndMetadata committed = admin.listConsumerGroupOffsets(topic)
                    .partitionsToOffsetAndMetadata()
                    .get(10, TimeUnit.SECONDS)
                    .get(new TopicPartition(topic, partition));
            return committed == null ? 0 : committed.offset();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @SuppressWarnings("unchecked") // there is one template
    private void send(ConfigurableApplicationContext context, String channel, int partition, String payload) {
        sent.add(payload);
        if (KAFKA.contains(channel)) {
            ProducerRecord<Object, Object> message = new ProducerRecord<>(channel, partition, null, payload);
            message.headers().add("Idempotency-Key", payload.getBytes(StandardCharsets.UTF_8));
            ((KafkaTemplate<Object, Object>) context.getBean(KafkaTemplate.class))
                    .send(message)
                    .join();
        } else {
            context.getBean(RabbitTemplate.class)
                    .send(
                            Shop.name(context.getEnvironment(), channel),
                            MessageBuilder.withBody(payload.getBytes(StandardCharsets.UTF_8))
                                    .setContentType("text/plain")
                                    .setHeader("Idempotency-Key", payload)
                                    .build());
        }
    }

    private static ConfigurableApplicationContext start(EmbeddedKafkaBroker broker, String url) {
        RabbitServer rabbit = RabbitServer.shared();
        return new SpringApplication(Shop.class)
                .run(
                        "--spring.main.web-application-type=none",
                        // the application's own statements, and what Spring sends for its transactions, end as well
                        "--spring.datasource.url=" + url + "?socketTimeout=3",
                        "--spring.datasource.username="
                                + PostgresServer.shared().user(),
                        "--spring.datasource.password="
                                + PostgresServer.shared().password(),
                        "--spring.datasource.hikari.connection-timeout=500",
                        "--onefold.jdbc.initialize-schema=always",
                        "--onefold.jdbc.timeout=1s",
                        "--spring.kafka.bootstrap-servers=" + broker.getBrokersAsString(),
                        "--spring.kafka.consumer.auto-offset-reset=earliest",
                        "--spring.kafka.listener.concurrency=2",
                        "--queues=" + UUID.randomUUID(),
                        "--spring.rabbitmq.host=" + rabbit.host(),
                        "--spring.rabbitmq.port=" + rabbit.port(),
                        "--spring.rabbitmq.username=" + rabbit.user(),
                        "--spring.rabbitmq.password=" + rabbit.password(),
                        "--spring.rabbitmq.virtual-host=" + rabbit.virtualHost(),
                        "--spring.rabbitmq.listener.simple.concurrency=2",
                        "--spring.rabbitmq.listener.simple.prefetch=1",
                        "--spring.rabbitmq.listener.simple.default-requeue-rejected=false",
                        "--onefold.listeners.parking-routing-key={queue}.parked");
    }

    @BrokeredApplication
    @Import({Stockroom.class, RabbitTest.Deliveries.class, Listeners.class})
    static class Shop {
        static String name(Environment environment, String queue) {
            return environment.getRequiredProperty("queues") + "." + queue;
        }

        static List<Queue> queues(Environment environment) {
            List<Queue> queues = new ArrayList<>();
            for (String queue : RABBIT) {
                String name = name(environment, queue);
                queues.add(
                        queue.startsWith("quorum") && RabbitServer.shared().hasQuorumQueues()
                                ? QueueBuilder.durable(name)
                                        .quorum()
                                        .deliveryLimit(DELIVERY_LIMIT)
                                        .build()
                                : QueueBuilder.nonDurable(name).build());
                queues.add(QueueBuilder.nonDurable(name + ".parked").build());
            }
            return queues;
        }

        @Bean
        Declarables declared(Environment environment) {
            return new Declarables(queues(environment));
        }

        @Bean
        CommonErrorHandler impatient(KafkaTemplate<?, ?> template) {
            return new DefaultErrorHandler(new DeadLetterPublishingRecoverer(template), new FixedBackOff(0, 1));
        }

        @Bean
        RecordInterceptor<Object, Object> records(Stockroom stockroom) {
            return (message, consumer) -> {
                stockroom.comes(message.value().toString());
                return message;
            };
        }
    }

    static class Listeners {
        private final Stockroom stockroom;
        private final JdbcTemplate jdbc;

        Listeners(Stockroom stockroom, JdbcTemplate jdbc) {
            this.stockroom = stockroom;
            this.jdbc = jdbc;
        }

        private void work(String payload) throws InterruptedException {
            if (payload.startsWith("at work")) {
                stockroom.runBehindGate(payload);
            } else {
                stockroom.run(payload);
            }
        }

        private void join(String payload) throws InterruptedException {
            jdbc.update("insert into effect(what) values (?)", payload);
            work(payload);
        }

        @KafkaListener(id = "kafka-leased", topics = "kafka-leased")
        @Idempotent(operation = "kafka-leased", waitFor = "100ms")
        public void kafkaLeased(String payload) throws InterruptedException {
            work(payload);
        }

        @KafkaListener(id = "kafka-joined", topics = "kafka-joined")
        @Idempotent(operation = "kafka-joined", waitFor = "100ms")
        @Transactional
        public void kafkaJoined(String payload) throws InterruptedException {
            join(payload);
        }

        @RabbitListener(queues = "${queues}.classic-leased")
        @Idempotent(operation = "classic-leased", waitFor = "100ms")
        public void classicLeased(String payload) throws InterruptedException {
            work(payload);
        }

        @RabbitListener(queues = "${queues}.classic-joined")
        @Idempotent(operation = "classic-joined", waitFor = "100ms")
        @Transactional
        public void classicJoined(String payload) throws InterruptedException {
            join(payload);
        }

        @RabbitListener(queues = "${queues}.quorum-leased")
        @Idempotent(operation = "quorum-leased", waitFor = "100ms")
        public void quorumLeased(String payload) throws InterruptedException {
            work(payload);
        }

        @RabbitListener(queues = "${queues}.quorum-joined")
        @Idempotent(operation = "quorum-joined", waitFor = "100ms")
        @Transactional
        public void quorumJoined(String payload) throws InterruptedException {
            join(payload);
        }

        @KafkaListener(
                topics = {"kafka-leased-dlt", "kafka-joined-dlt"},
                groupId = "dead")
        public void dead(String payload) {
            stockroom.run("dead letter");
        }
    }
}
