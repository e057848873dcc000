package io.onefold.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onefold.Verdict;
import io.onefold.spring.ForOperation;
import io.onefold.spring.Idempotent;
import io.onefold.spring.IdempotentMethodRegistry;
import io.onefold.store.MemoryStore;
import io.onefold.test.CrashPoint;
import io.onefold.test.FaultInjectingStore;
import io.onefold.test.MovableClock;
import io.onefold.test.SimulatedCrash;
import io.onefold.upkeep.OutcomeProbe;
import io.onefold.upkeep.Reconciler;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Lazy;

/** A bean that is declared by its interface, and made when it is first needed: until then nobody knows its operations. */
@ExtendWith(OutputCaptureExtension.class)
class LazyBeansTest {
    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    OnefoldAutoConfiguration.class, MaintenanceAutoConfiguration.class, ReportAutoConfiguration.class));

    @Test
    void what_is_said_of_it_is_not_refused_and_holds_when_it_is_there(CapturedOutput output) {
        runner.withUserConfiguration(Lazily.class)
                .withPropertyValues("onefold.operations.pay.keep=2h", "onefold.operations.pay.max-attempts=7")
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertThat(output)
                            .contains("onefold.operations.pay is for an operation that is not known yet")
                            .contains("[payments]");
                    Payments payments = context.getBean(Payments.class);
                    context.getBean(FaultInjectingStore.class)
                            .crash(CrashPoint.BEFORE_COMPLETE)
                            .once();
                    assertThatThrownBy(() -> payments.pay("k")).isInstanceOf(SimulatedCrash.class);
                    assertThat(context.getBean(IdempotentMethodRegistry.class)
                                    .all()
                                    .get(0)
                                    .settings()
                                    .keep())
                            .isEqualTo(Duration.ofHours(2));

                    context.getBean(MovableClock.class).advance(Duration.ofHours(1));
                    AtomicInteger asked = context.getBean(AtomicInteger.class);
                    Until.holds(() -> {
                        context.getBean(Reconciler.class).runOnce(() -> true);
                        return asked.get() > 0;
                    });
                    assertThat(payments.pay("k")).isEqualTo("found out");
                });
    }

    @Test
    void where_all_is_known_it_is_refused_as_before() {
        runner.withBean(Stripe.class)
                .withPropertyValues("onefold.store=memory", "onefold.operations.other.keep=2h")
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .hasMessageContaining("onefold.operations.other is for an operation that neither"));
    }

    interface Payments {
        String pay(String id);
    }

    static class Stripe implements Payments {
        @Override
        @Idempotent(operation = "pay", key = "#id")
        public String pay(String id) {
            return "paid";
        }
    }

    static class Lazily {
        @Bean
        @Lazy
        Payments payments() {
            return new Stripe();
        }

        @Bean
        AtomicInteger asked() {
            return new AtomicInteger();
        }

        @Bean
        @ForOperation("pay")
        OutcomeProbe<String> probe(AtomicInteger asked) {
            return stuck -> {
                asked.incrementAndGet();
                return Verdict.executed("found out");
            };
        }

        @Bean
        MovableClock clock() {
            return MovableClock.running();
        }

        @Bean
        FaultInjectingStore store(MovableClock clock) {
            return FaultInjectingStore.around(new MemoryStore(clock::micros));
        }
    }
}
