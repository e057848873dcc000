package io.onefold.shop;

import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringSerializer;
import org.springframework.kafka.test.EmbeddedKafkaBroker;
import org.springframework.kafka.test.EmbeddedKafkaKraftBroker;

/** Kafka, one for all tests. Its topics have one partition each, so that of two consumers the second takes over from the first. */
final class Broker {
    private static final EmbeddedKafkaBroker KAFKA = start();
    private static final KafkaProducer<String, String> PRODUCER = new KafkaProducer<>(
            Map.of(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, KAFKA.getBrokersAsString()),
            new StringSerializer(),
            new StringSerializer());

    private static final Admin ADMIN =
            Admin.create(Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, KAFKA.getBrokersAsString()));

    private Broker() {}

    private static EmbeddedKafkaBroker start() {
        EmbeddedKafkaBroker broker = new EmbeddedKafkaKraftBroker(
                        1, 1, "order-paid", "payment-due", "naive-order-paid", "naive-payment-due")
                .brokerProperties(Map.of("group.initial.rebalance.delay.ms", "0"));
        broker.afterPropertiesSet();
        Runtime.getRuntime().addShutdownHook(new Thread(broker::destroy));
        return broker;
    }

    static String address() {
        return KAFKA.getBrokersAsString();
    }

    static void send(String topic, String message) throws Exception {
        PRODUCER.send(new ProducerRecord<>(topic, message)).get(60, TimeUnit.SECONDS);
    }

    /** Whether all that was sent is acknowledged, so that none of it comes again. */
    static boolean isQuiet(String topic, String group) {
        TopicPartition partition = new TopicPartition(topic, 0);
        try {
            long end = ADMIN.listOffsets(Map.of(partition, OffsetSpec.latest()))
                    .partitionResult(partition)
                    .get(60, TimeUnit.SECONDS)
                    .offset();
            OffsetAndMetadata acknowledged = ADMIN.listConsumerGroupOffsets(group)
                    .partitionsToOffsetAndMetadata()
                    .get(60, TimeUnit.SECONDS)
                    .get(partition);
            return end == 0 || (acknowledged != null && acknowledged.offset() == end);
        } catch (ExecutionException | TimeoutException e) {
            throw new IllegalStateException("the broker does not say what is acknowledged", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
