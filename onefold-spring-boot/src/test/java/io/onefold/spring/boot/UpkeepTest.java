package io.onefold.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.onefold.Key;
import io.onefold.Onefold;
import io.onefold.Operation;
import io.onefold.Outcome;
import io.onefold.UnknownOutcomeException;
import io.onefold.Verdict;
import io.onefold.spring.ForOperation;
import io.onefold.spring.Idempotent;
import io.onefold.store.MemoryStore;
import io.onefold.store.StoreException;
import io.onefold.upkeep.OutcomeProbe;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What is stuck: found, probed, settled, and shown. */
class UpkeepTest {
    private static final Operation<String> SHIP = Operation.of("ship", String.class);

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    OnefoldAutoConfiguration.class,
                    UpkeepAutoConfiguration.class,
                    ReportAutoConfiguration.class,
                    HealthAutoConfiguration.class,
                    EndpointAutoConfiguration.class))
            .withPropertyValues("onefold.store=memory", "onefold.upkeep.reconcile-every=20ms")
            .withUserConfiguration(Warehouse.class);

    @Test
    void a_probe_settles_what_its_operation_has_lost() {
        runner.run(context -> {
            Shipping shipping = context.getBean(Shipping.class);
            try {
                shipping.pack("o1");
            } catch (IllegalStateException lost) {
                assertThat(lost).hasMessage("the line went dead");
            }
            Until.holds(() -> packed(shipping).equals(Optional.of("packed o1")));
        });
    }

    private static Optional<String> packed(Shipping shipping) {
        try {
            return Optional.of(shipping.pack("o1"));
        } catch (UnknownOutcomeException stillUnknown) {
            return Optional.empty();
        }
    }

    @Test
    void a_probe_may_be_for_an_operation_that_is_a_bean() {
        runner.run(context -> {
            Onefold onefold = context.getBean(Onefold.class);
            Key key = Key.of("o2");
            try {
                onefold.run(SHIP, key, attempt -> {
                    throw new IllegalStateException("lost");
                });
            } catch (IllegalStateException lost) {
                assertThat(lost).hasMessage("lost");
            }
            Until.holds(
                    () -> onefold.attempt(SHIP, key, attempt -> "again") instanceof Outcome.Replayed<String> replayed
                            && "shipped".equals(replayed.value()));
        });
    }

    @Test
    void a_probe_for_nothing_is_refused() {
        runner.withBean("lonely", OutcomeProbe.class, () -> stuck -> Verdict.unknown())
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .hasMessageContaining("the probe lonely is for the operation \"lonely\"")
                        .hasMessageContaining("@ForOperation"));
    }

    @Test
    void upkeep_ends_with_the_context() {
        UpkeepLifecycle[] upkeep = new UpkeepLifecycle[1];
        runner.run(context -> {
            upkeep[0] = context.getBean(UpkeepLifecycle.class);
            assertThat(upkeep[0].isRunning()).isTrue();
        });
        assertThat(upkeep[0].isRunning()).isFalse();
    }

    @Test
    void what_is_stuck_is_shown_without_its_key_and_is_no_reason_to_be_down() {
        runner.withPropertyValues("onefold.upkeep.enabled=false").run(context -> {
            try {
                context.getBean(Shipping.class).pack("secret-key");
            } catch (IllegalStateException lost) {
                assertThat(lost).hasMessage("the line went dead");
            }
            Health health = context.getBean(StoreHealth.class).health();
            assertThat(health.getStatus()).isEqualTo(Status.UP);
            assertThat(health.getDetails()).containsEntry("stuck", "1");
            OnefoldEndpoint endpoint = new OnefoldEndpoint(
                    context.getBean(Onefold.class), context.getBean(io.onefold.spring.IdempotentMethods.class));
            OnefoldEndpoint.Overview seen = endpoint.overview();
            assertThat(seen.operations())
                    .extracting(OnefoldEndpoint.OperationView::guarantee)
                    .containsExactly("leased (at most once)");
            assertThat(seen.stuck()).hasSize(1);
            assertThat(seen.toString()).doesNotContain("secret-key");
            assertThat(endpoint.records("pack", "secret-key", null)).hasSize(1);
            assertThat(endpoint.records("pack", "other", null)).isEmpty();
            assertThat(endpoint.records("pack", null, null)).hasSize(1);
        });
    }

    @Test
    void a_store_that_cannot_be_asked_is_down() {
        AtomicBoolean broken = new AtomicBoolean();
        MemoryStore store = new MemoryStore(() -> {
            if (broken.get()) {
                throw new StoreException("gone");
            }
            return 1;
        });
        StoreHealth health = new StoreHealth(store);
        assertThat(health.health().getStatus()).isEqualTo(Status.UP);
        broken.set(true);
        assertThat(health.health().getStatus()).isEqualTo(Status.DOWN);
    }

    @Configuration(proxyBeanMethods = false)
    static class Warehouse {
        @Bean
        Shipping shipping() {
            return new Shipping();
        }

        @Bean
        @ForOperation("pack")
        OutcomeProbe<String> packing() {
            return stuck -> Verdict.executed("packed " + stuck.id().key());
        }

        @Bean
        OutcomeProbe<String> ship() {
            return stuck -> Verdict.executed("shipped");
        }

        @Bean
        Operation<String> shipOperation() {
            return SHIP;
        }
    }

    static class Shipping {
        @Idempotent(operation = "pack", key = "#order")
        public String pack(String order) {
            throw new IllegalStateException("the line went dead");
        }
    }
}
