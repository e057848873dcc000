package io.onefold.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onefold.spring.Idempotent;
import io.onefold.spring.ListenerSettings;
import io.onefold.spring.ListenerSettings.DeadLetterPolicy;
import io.onefold.spring.ListenerSettings.ParkingTarget;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Import;
import org.springframework.kafka.annotation.KafkaListener;

/** What {@code onefold.listeners.*} says; nobody listens yet. */
class ListenerSettingsTest {
    @Test
    void without_a_word_they_are_the_usual_ones() {
        try (ConfigurableApplicationContext context = start()) {
            assertThat(context.getBean(ListenerSettings.class))
                    .usingRecursiveComparison()
                    .isEqualTo(ListenerSettings.DEFAULT);
        }
    }

    @Test
    void each_has_its_property() {
        try (ConfigurableApplicationContext context = start(
                "unknown-limit=5s",
                "lost-limit=3",
                "hold=10m",
                "dead-letters=always",
                "parking-exchange=parked",
                "parking-routing-key={queue}.parked",
                "kafka-transactions=true")) {
            assertThat(context.getBean(ListenerSettings.class))
                    .usingRecursiveComparison()
                    .isEqualTo(ListenerSettings.DEFAULT
                            .unknownLimit(Duration.ofSeconds(5))
                            .lostLimit(3)
                            .hold(Duration.ofMinutes(10))
                            .deadLetters(DeadLetterPolicy.ALWAYS)
                            .parking(new ParkingTarget("parked", "{queue}.parked"))
                            .kafkaTransactions(true));
        }
    }

    @Test
    void a_limit_that_is_none_is_refused_by_its_name() {
        assertThatThrownBy(() -> start("lost-limit=0"))
                .hasStackTraceContaining("onefold.listeners.lost-limit must be at least 1");
    }

    /** Spring Boot makes a transaction manager of it, and gives it to all containers. */
    @Test
    void a_prefix_for_kafka_transactions_is_refused_unless_they_are_allowed() {
        String prefix = "--spring.kafka.producer.transaction-id-prefix=tx-";
        assertThatThrownBy(() -> start(prefix))
                .hasStackTraceContaining("Kafka transactions")
                .hasStackTraceContaining("onefold.listeners.kafka-transactions=true");
        start(prefix, "kafka-transactions=true").close();
    }

    private static ConfigurableApplicationContext start(String... settings) {
        List<String> all = new ArrayList<>(List.of(
                "--spring.main.web-application-type=none",
                "--onefold.store=memory",
                "--spring.kafka.listener.auto-startup=false"));
        for (String setting : settings) {
            all.add(setting.startsWith("--") ? setting : "--onefold.listeners." + setting);
        }
        return new SpringApplication(Shop.class).run(all.toArray(String[]::new));
    }

    @BrokeredApplication
    @Import(Listener.class)
    static class Shop {}

    static class Listener {
        @KafkaListener(topics = "orders", groupId = "shop")
        @Idempotent(operation = "order")
        public void on(String order) {}
    }
}
