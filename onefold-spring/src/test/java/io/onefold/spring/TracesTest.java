package io.onefold.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.common.KeyValue;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.contextpropagation.ObservationThreadLocalAccessor;
import io.onefold.Attempt;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import reactor.core.publisher.Mono;

/** What spans say of the attempts that are made in them. */
class TracesTest {
    private static final String CARD = "4000-0012-3456-7899";

    private final AnnotationConfigApplicationContext context =
            Context.inMemory(Paying.class, Charging.class, Registry.class);
    private final Paying paying = context.getBean(Paying.class);
    private final Observation observation = Observation.start("request", context.getBean(ObservationRegistry.class));

    @AfterEach
    void stop() {
        context.close();
    }

    static class Registry {
        @Bean
        ObservationRegistry registry() {
            ObservationRegistry registry = ObservationRegistry.create();
            registry.observationConfig().observationHandler(any -> true);
            return registry;
        }
    }

    static class Charging {
        @Idempotent(operation = "charge", key = "'inner'")
        public void charge() {}
    }

    static class Paying {
        private final Charging charging;

        Paying(Charging charging) {
            this.charging = charging;
        }

        @Idempotent(operation = "pay", key = "#card")
        public String now(String card) {
            charging.charge();
            return safeKey();
        }

        @Idempotent(operation = "pay-soon", key = "#card")
        public CompletableFuture<String> soon(String card) {
            return CompletableFuture.completedFuture(safeKey());
        }

        @Idempotent(operation = "pay-later", key = "#card")
        public Mono<String> later(String card) {
            return Mono.deferContextual(within ->
                    Mono.just(within.<Attempt>get(CurrentAttempt.CONTEXT).safeKey()));
        }

        private static String safeKey() {
            return Objects.requireNonNull(CurrentAttempt.get()).safeKey();
        }
    }

    private Map<String, String> said() {
        Map<String, String> said = new TreeMap<>();
        for (KeyValue each : observation.getContext().getAllKeyValues()) {
            said.put(each.getKey(), each.getValue());
        }
        return said;
    }

    @Test
    void the_operation_and_the_safe_form_of_the_key_of_the_outermost_and_never_the_key() {
        String safe = observation.observe(() -> paying.now(CARD));
        assertThat(said()).isEqualTo(Map.of("onefold.operation", "pay", "onefold.key", safe));
        assertThat(safe).doesNotContain(CARD);
        assertThat(observation.getContext().getLowCardinalityKeyValues())
                .as("those would be tags of metrics")
                .isEmpty();
    }

    @Test
    void so_it_is_with_a_future() {
        String safe = observation.observe(() -> paying.soon(CARD)).join();
        assertThat(said()).isEqualTo(Map.of("onefold.operation", "pay-soon", "onefold.key", safe));
    }

    @Test
    void a_mono_has_its_observation_in_its_context() {
        String safe = paying.later(CARD)
                .contextWrite(within -> within.put(ObservationThreadLocalAccessor.KEY, observation))
                .block();
        assertThat(said()).isEqualTo(Map.of("onefold.operation", "pay-later", "onefold.key", safe));
    }

    @Test
    void without_an_observation_nothing_is_told() {
        assertThat(paying.now(CARD)).isNotEmpty();
        assertThat(said()).isEmpty();
    }
}
