package io.onefold.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onefold.Key;
import io.onefold.Onefold;
import io.onefold.Operation;
import io.onefold.Outcome;
import io.onefold.UnknownOutcomeException;
import io.onefold.Verdict;
import io.onefold.spring.ForOperation;
import io.onefold.spring.Idempotent;
import io.onefold.spring.IdempotentMethodRegistry;
import io.onefold.store.Claim;
import io.onefold.store.MemoryStore;
import io.onefold.store.RecordId;
import io.onefold.store.StoreException;
import io.onefold.upkeep.MaintenanceSettings;
import io.onefold.upkeep.OutcomeProbe;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.ResolvableType;

/** What is stuck: found, probed, settled, and shown. */
class UpkeepTest {
    private static final Operation<String> SHIP = Operation.of("ship", String.class);

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    OnefoldAutoConfiguration.class,
                    MaintenanceAutoConfiguration.class,
                    ReportAutoConfiguration.class,
                    StoreHealthAutoConfiguration.class,
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
    void maintenance_is_as_the_properties_say() {
        runner.withPropertyValues(
                        "onefold.upkeep.reconcile-batch=11",
                        "onefold.upkeep.sweep-every=3m",
                        "onefold.upkeep.sweep-batch=12",
                        "onefold.upkeep.lease=20s",
                        "onefold.upkeep.probe-timeout=4s",
                        "onefold.upkeep.probe-threads=5",
                        "onefold.upkeep.probes-per-round=13",
                        "onefold.upkeep.probe-pause=7s",
                        "onefold.upkeep.stuck-after=6m")
                .run(context -> {
                    MaintenanceSettings settings =
                            context.getBean(OnefoldProperties.class).upkeep().settings();
                    assertThat(settings.reconcileEvery()).isEqualTo(Duration.ofMillis(20));
                    assertThat(settings.reconcileBatch()).isEqualTo(11);
                    assertThat(settings.sweepEvery()).isEqualTo(Duration.ofMinutes(3));
                    assertThat(settings.sweepBatch()).isEqualTo(12);
                    assertThat(settings.lease()).isEqualTo(Duration.ofSeconds(20));
                    assertThat(settings.probeTimeout()).isEqualTo(Duration.ofSeconds(4));
                    assertThat(settings.probeThreads()).isEqualTo(5);
                    assertThat(settings.probesPerRound()).isEqualTo(13);
                    assertThat(settings.probePause()).isEqualTo(Duration.ofSeconds(7));
                    assertThat(settings.stuckAfter()).isEqualTo(Duration.ofMinutes(6));
                });
    }

    @Test
    void a_lock_whose_holder_crashed_is_not_counted_as_stuck() {
        AtomicLong clock = new AtomicLong(1_800_000_000_000_000L);
        MemoryStore store = new MemoryStore(clock::get);
        RecordId lock = RecordId.hold("lock", "payout-7");
        var unused = store.claim(Claim.of(lock, UUID.randomUUID(), Duration.ofSeconds(30)));
        clock.addAndGet(60_000_000);
        assertThat(new StoreHealthIndicator(store).health().getDetails()).containsEntry("stuck", "0");
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
        MaintenanceLifecycle[] upkeep = new MaintenanceLifecycle[1];
        runner.run(context -> {
            upkeep[0] = context.getBean(MaintenanceLifecycle.class);
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
            Health health = context.getBean(StoreHealthIndicator.class).health();
            assertThat(health.getStatus()).isEqualTo(Status.UP);
            assertThat(health.getDetails()).containsEntry("stuck", "1");
            OnefoldEndpoint endpoint = new OnefoldEndpoint(
                    context.getBean(Onefold.class),
                    new OperationCatalog(
                            context.getBean(IdempotentMethodRegistry.class),
                            context.getBeanProvider(HttpReport.class),
                            context.getBeanProvider(ResolvableType.forClass(Operation.class))));
            OnefoldEndpoint.EndpointOverview seen = endpoint.overview();
            assertThat(seen.operations())
                    .extracting(each -> each.name() + ": " + each.guarantee())
                    .containsExactly("pack: leased (at most once)", "ship: as it is called");
            assertThat(seen.stuck()).hasSize(1);
            assertThat(seen.toString()).doesNotContain("secret-key");
            assertThat(records(endpoint, "secret-key")).hasSize(1);
            assertThat(records(endpoint, "other")).isEmpty();
            assertThat(records(endpoint, null)).hasSize(1);
        });
    }

    private static List<?> records(OnefoldEndpoint endpoint, @Nullable String key) {
        return (List<?>) endpoint.show("pack", key, null, null, null, null);
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
        StoreHealthIndicator health = new StoreHealthIndicator(store);
        assertThat(health.health().getStatus()).isEqualTo(Status.UP);
        broken.set(true);
        assertThat(health.health().getStatus()).isEqualTo(Status.DOWN);
    }

    @Test
    void a_store_that_can_be_asked_is_up_whatever_else_is_wrong() {
        StoreHealthIndicator health = new StoreHealthIndicator(new MemoryStore(() -> {
            throw new IllegalStateException("a record that cannot be read");
        }));
        assertThat(health.health().getStatus()).isEqualTo(Status.UP);
        assertThat(health.health().getDetails()).containsEntry("stuck", "not known: IllegalStateException");
    }

    @Test
    void a_probe_that_does_not_end_does_not_hold_up_the_end_of_the_application() {
        CountDownLatch probing = new CountDownLatch(1);
        CountDownLatch given = new CountDownLatch(1);
        runner.withBean("pack", OutcomeProbe.class, () -> stuck -> {
                    probing.countDown();
                    try {
                        new CountDownLatch(1).await();
                    } finally {
                        given.countDown();
                    }
                    return Verdict.unknown();
                })
                .withPropertyValues("warehouse.probed=false")
                .run(context -> {
                    assertThatThrownBy(() -> context.getBean(Shipping.class).pack("o"))
                            .hasMessage("the line went dead");
                    assertThat(probing.await(20, TimeUnit.SECONDS)).isTrue();
                    CountDownLatch stopped = new CountDownLatch(1);
                    context.getBean(MaintenanceLifecycle.class).stop(stopped::countDown);
                    assertThat(stopped.await(20, TimeUnit.SECONDS)).isTrue();
                    assertThat(given.getCount()).isZero();
                });
    }

    @Configuration(proxyBeanMethods = false)
    static class Warehouse {
        @Bean
        Shipping shipping() {
            return new Shipping();
        }

        @Bean
        @ForOperation("pack")
        @ConditionalOnProperty(name = "warehouse.probed", matchIfMissing = true)
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
