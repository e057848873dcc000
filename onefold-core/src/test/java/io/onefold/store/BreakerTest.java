package io.onefold.store;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import io.onefold.ManualTimer;
import java.time.Duration;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Who may try a front that fails, and when. */
class BreakerTest {
    private final ManualTimer timer = new ManualTimer();
    private final CircuitBreaker breaker = new CircuitBreaker(timer::nanos);

    private boolean letsIn() {
        return breaker.call(() -> "in") != null;
    }

    private void fail() {
        assertThat(breaker.<String>call(() -> {
                    throw new StoreException("not now");
                }))
                .isNull();
    }

    private void passMillis(long millis) {
        timer.pass(Duration.ofMillis(millis));
    }

    @Test
    void a_failure_shuts_it_for_a_second() {
        assertThat(letsIn()).isTrue();
        fail();
        assertThat(breaker.isOpen()).isFalse();
        assertThat(letsIn()).isFalse();
        passMillis(999);
        assertThat(letsIn()).isFalse();
        passMillis(1);
        assertThat(letsIn()).isTrue();
        assertThat(breaker.isOpen()).isTrue();
    }

    static Stream<RuntimeException> ofOneRecord() {
        return Stream.of(
                new UnreadableRecordException("written by a later version"),
                new IllegalStateException("two ids share a digest"));
    }

    @ParameterizedTest
    @MethodSource("ofOneRecord")
    void what_concerns_one_record_does_not_shut_it(RuntimeException failure) {
        assertThat(refused(failure)).isNull();
        assertThat(breaker.isOpen()).isTrue();
        assertThat(breaker.shuts()).isZero();
    }

    @ParameterizedTest
    @MethodSource("ofOneRecord")
    void a_probe_that_meets_such_a_record_has_reached_the_front(RuntimeException failure) {
        fail();
        passMillis(1_000);
        assertThat(refused(failure)).isNull();
        assertThat(breaker.isOpen()).isTrue();
    }

    private @Nullable String refused(RuntimeException failure) {
        return breaker.call(() -> {
            throw failure;
        });
    }

    @Test
    void one_caller_probes_and_the_others_pass_until_it_has_succeeded() {
        fail();
        passMillis(1_000);
        breaker.call(() -> {
            passMillis(5_000);
            assertThat(letsIn()).as("while one probes").isFalse();
            return "at last";
        });
        assertThat(letsIn()).isTrue();
    }

    @Test
    void each_probe_that_fails_doubles_the_pause_up_to_thirty_seconds() {
        fail();
        for (long pause : new long[] {1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000}) {
            passMillis(pause - 1);
            assertThat(letsIn()).as("before %s ms", pause).isFalse();
            passMillis(1);
            fail();
        }
        passMillis(30_000);
        assertThat(letsIn()).isTrue();
        fail();
        passMillis(1_000);
        assertThat(letsIn()).as("open once, the pause is short again").isTrue();
    }

    @Test
    void a_probe_that_is_not_heard_of_gives_way_to_another() {
        fail();
        passMillis(1_000);
        breaker.call(() -> {
            passMillis(29_999);
            assertThat(letsIn()).isFalse();
            passMillis(1);
            assertThat(letsIn()).isTrue();
            throw new StoreException("after all");
        });
        assertThat(breaker.isOpen()).as("the other one's word counts").isTrue();
    }

    @Test
    void what_began_before_it_was_shut_is_old_news() {
        breaker.call(() -> {
            fail();
            return "late";
        });
        assertThat(breaker.isOpen()).as("after a late success").isFalse();
        passMillis(1_000);
        assertThat(letsIn()).isTrue();
        breaker.call(() -> {
            fail();
            passMillis(1_000);
            assertThat(letsIn()).isTrue();
            throw new StoreException("late");
        });
        assertThat(breaker.isOpen()).as("after a late failure").isTrue();
    }

    @Test
    void it_is_counted_by_call_and_logged_by_outage() {
        try (Heard log = new Heard(CircuitBreaker.class)) {
            fail();
            assertThat(letsIn()).isFalse();
            assertThat(letsIn()).isFalse();
            passMillis(1_000);
            fail();
            assertThat(log.levels()).containsExactly(Level.WARN);
            passMillis(2_000);
            assertThat(letsIn()).isTrue();
            assertThat(letsIn()).isTrue();
            assertThat(log.levels()).containsExactly(Level.WARN, Level.INFO);
        }
        assertThat(breaker.shuts()).isEqualTo(1);
        assertThat(breaker.past()).isEqualTo(2);
    }
}
