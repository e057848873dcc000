package io.onefold.spring.message;

import io.onefold.spring.Idempotent;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.kafka.annotation.EnableKafka;
import org.springframework.kafka.annotation.KafkaHandler;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.config.ConcurrentKafkaListenerContainerFactory;
import org.springframework.kafka.core.DefaultKafkaConsumerFactory;
import org.springframework.kafka.core.DefaultKafkaProducerFactory;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.kafka.listener.DeadLetterPublishingRecoverer;
import org.springframework.kafka.listener.DefaultErrorHandler;
import org.springframework.kafka.test.EmbeddedKafkaBroker;
import org.springframework.messaging.Message;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.util.backoff.FixedBackOff;

@Configuration(proxyBeanMethods = false)
@EnableKafka
@Import(Application.class)
class KafkaApplication {
    static final String GROUP = "shop";

    @Bean
    KafkaTemplate<String, String> template(EmbeddedKafkaBroker broker) {
        return new KafkaTemplate<>(new DefaultKafkaProducerFactory<>(
                Map.of(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, broker.getBrokersAsString()),
                new StringSerializer(),
                new StringSerializer()));
    }

    @Bean
    ConcurrentKafkaListenerContainerFactory<String, String> kafkaListenerContainerFactory(
            EmbeddedKafkaBroker broker, Log log) {
        ConcurrentKafkaListenerContainerFactory<String, String> factory =
                new ConcurrentKafkaListenerContainerFactory<>();
        factory.setConsumerFactory(new DefaultKafkaConsumerFactory<>(
                Map.of(
                        ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG,
                        broker.getBrokersAsString(),
                        ConsumerConfig.GROUP_ID_CONFIG,
                        GROUP,
                        ConsumerConfig.AUTO_OFFSET_RESET_CONFIG,
                        "earliest"),
                new StringDeserializer(),
                new StringDeserializer()));
        factory.getContainerProperties()
                .setAdviceChain(log.advice(
                        ConsumerRecord.class, received -> received.value().toString()));
        return factory;
    }

    /** With a dead letter topic, and an error handler of the user's own. */
    @Bean
    ConcurrentKafkaListenerContainerFactory<String, String> withDeadLetters(
            EmbeddedKafkaBroker broker, Log log, KafkaTemplate<String, String> template) {
        ConcurrentKafkaListenerContainerFactory<String, String> factory = kafkaListenerContainerFactory(broker, log);
        factory.setCommonErrorHandler(
                new DefaultErrorHandler(new DeadLetterPublishingRecoverer(template), new FixedBackOff(0, 3)));
        return factory;
    }

    @Bean
    Listeners listeners(Log log) {
        return new Listeners(log);
    }

    @Bean
    Handlers handlers(Log log) {
        return new Handlers(log);
    }

    /** A class that listens: which of its methods is called, is up to the payload. */
    @KafkaListener(topics = "handled")
    static class Handlers {
        private final Log log;

        Handlers(Log log) {
            this.log = log;
        }

        @KafkaHandler
        @Idempotent(operation = "handled")
        public void text(String payload) {
            log.run(payload);
        }

        @KafkaHandler(isDefault = true)
        public void other(Object payload) {
            throw new IllegalStateException("all are texts");
        }
    }

    static class Listeners {
        private final Log log;

        Listeners(Log log) {
            this.log = log;
        }

        @KafkaListener(topics = "leased")
        @Idempotent(operation = "leased", waitFor = "100ms")
        public void leased(String payload) {
            log.run(payload);
        }

        @KafkaListener(topics = "joined")
        @Idempotent(operation = "joined")
        @Transactional
        public void joined(String payload) {
            log.runWithEffect(payload);
        }

        @KafkaListener(topics = "slow", concurrency = "2")
        @Idempotent(operation = "slow", waitFor = "100ms", matching = "'any'")
        public void slow(Message<String> message) throws InterruptedException {
            if (message.getPayload().startsWith("after")) {
                log.run(message.getPayload());
            } else {
                log.runBehindGate(message.getPayload());
            }
        }

        @KafkaListener(topics = "strict", containerFactory = "withDeadLetters")
        @Idempotent(operation = "strict", header = "order")
        public void strict(ConsumerRecord<String, String> message) {
            log.run(message.value());
        }

        @KafkaListener(topics = "strict-dlt")
        public void dead(String payload) {
            log.run("dead " + payload);
        }
    }
}
