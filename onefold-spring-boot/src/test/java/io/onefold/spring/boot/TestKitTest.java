package io.onefold.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onefold.UnknownOutcomeException;
import io.onefold.spring.Idempotent;
import io.onefold.store.MemoryStore;
import io.onefold.store.Store;
import io.onefold.test.CrashPoint;
import io.onefold.test.FaultInjectingStore;
import io.onefold.test.MovableClock;
import io.onefold.test.SimulatedCrash;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.scheduling.annotation.Scheduled;

/** What the guide for tests says of Spring Boot: a store that fails, and time that moves. */
@SpringBootTest(classes = TestKitTest.Application.class, webEnvironment = WebEnvironment.NONE)
class TestKitTest {
    @Autowired
    private FaultInjectingStore chaos;

    @Autowired
    private Store store;

    @Autowired
    private MovableClock clock;

    @Autowired
    private Work work;

    @Test
    void a_store_that_fails_takes_the_place_of_the_starters() {
        assertThat(store).isSameAs(chaos);
        chaos.crash(CrashPoint.BEFORE_COMPLETE).operation("pay").once();

        assertThatThrownBy(() -> work.pay("crashed")).isInstanceOf(SimulatedCrash.class);
        clock.advance(Duration.ofMinutes(1));

        assertThatThrownBy(() -> work.pay("crashed")).isInstanceOf(UnknownOutcomeException.class);
        assertThat(chaos.struck()).isEqualTo(1);
    }

    @Test
    void records_are_kept_and_jobs_are_due_by_the_clock_of_the_test() {
        int first = work.pay("kept");
        int job = work.nightly();
        assertThat(work.pay("kept")).isEqualTo(first);
        assertThat(work.nightly()).isEqualTo(job);

        clock.advance(Duration.ofHours(1));
        assertThat(work.nightly()).as("of the same night").isEqualTo(job);

        clock.advance(Duration.ofDays(1));
        assertThat(work.nightly()).as("of the next night").isNotEqualTo(job);
        assertThat(work.pay("kept")).isNotEqualTo(first);
    }

    /** As the guide has it. */
    @TestConfiguration
    static class Time {
        @Bean
        MovableClock clock() {
            return MovableClock.stoppedAt(Instant.parse("2026-03-01T12:00:00Z"));
        }

        @Bean
        FaultInjectingStore store(MovableClock clock) {
            return FaultInjectingStore.around(new MemoryStore(clock::micros));
        }

        @Bean
        OnefoldCustomizer byThatClock(MovableClock clock) {
            return onefold -> onefold.timer(clock.timer());
        }
    }

    @ImportAutoConfiguration({OnefoldAutoConfiguration.class, ReportAutoConfiguration.class})
    @Import({Work.class, Time.class})
    static class Application {}

    static class Work {
        private final AtomicInteger runs = new AtomicInteger();

        @Idempotent(operation = "pay", key = "#id", keep = "24h")
        public int pay(String id) {
            return runs.incrementAndGet();
        }

        @Scheduled(cron = "0 0 3 * * *", zone = "UTC")
        @Idempotent(operation = "nightly", keep = "7d")
        public int nightly() {
            return runs.incrementAndGet();
        }
    }
}
