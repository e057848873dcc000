package io.onefold.shop;

import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
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
}
