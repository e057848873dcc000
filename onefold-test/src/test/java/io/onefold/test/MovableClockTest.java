package io.onefold.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onefold.Key;
import io.onefold.Onefold;
import io.onefold.Operation;
import io.onefold.Outcome;
import io.onefold.Timer;
import io.onefold.store.MemoryStore;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class MovableClockTest {
    private static final Instant START = Instant.parse("2026-11-01T10:00:00Z");
    private static final Operation<String> PAY =
            Operation.of("pay", String.class).keepFor(Duration.ofDays(1)).lease(Duration.ofSeconds(30));

    private final MovableClock clock = MovableClock.stoppedAt(START);

    @Test
    void a_stopped_clock_moves_only_when_moved_in_all_its_zones() {
        Clock tokyo = clock.withZone(ZoneId.of("Asia/Tokyo"));
        long nanos = clock.timer().nanos();

        clock.advance(Duration.ofHours(3));

        assertThat(clock.instant()).isEqualTo(START.plus(Duration.ofHours(3)));
        assertThat(tokyo.instant()).isEqualTo(clock.instant());
        assertThat(tokyo.getZone()).isEqualTo(ZoneId.of("Asia/Tokyo"));
        assertThat(clock.micros()).isEqualTo(START.plus(Duration.ofHours(3)).toEpochMilli() * 1_000);
        assertThat(clock.timer().nanos() - nanos).isEqualTo(Duration.ofHours(3).toNanos());
    }

    @Test
    void alarms_are_done_in_their_order_each_at_its_time_also_those_that_are_set_on_the_way() {
        List<String> heard = new ArrayList<>();
        clock.timer().after(Duration.ofSeconds(20), () -> heard.add("second " + clock.instant()));
        clock.timer().after(Duration.ofSeconds(10), () -> {
            heard.add("first " + clock.instant());
            clock.timer().after(Duration.ofSeconds(5), () -> heard.add("between " + clock.instant()));
        });
        clock.timer().after(Duration.ofSeconds(31), () -> heard.add("too late"));
        clock.timer()
                .after(Duration.ofSeconds(15), () -> heard.add("cancelled"))
                .cancel();

        clock.advance(Duration.ofSeconds(30));

        assertThat(heard)
                .containsExactly(
                        "first 2026-11-01T10:00:10Z", "between 2026-11-01T10:00:15Z", "second 2026-11-01T10:00:20Z");
    }

    @Test
    void a_running_clock_does_what_is_due_without_being_moved() throws Exception {
        CountDownLatch rang = new CountDownLatch(1);

        MovableClock.running().timer().after(Duration.ofMillis(1), rang::countDown);

        assertThat(rang.await(10, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void an_alarm_of_a_running_clock_comes_earlier_by_what_it_was_moved() throws Exception {
        MovableClock running = MovableClock.running();
        CountDownLatch rang = new CountDownLatch(1);
        running.timer().after(Duration.ofHours(1), rang::countDown);

        running.advance(Duration.ofHours(1).minusMillis(5));

        assertThat(rang.await(10, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void an_alarm_of_a_running_clock_rings_once() throws Exception {
        MovableClock running = MovableClock.running();
        Timer timer = running.timer();
        List<String> heard = new ArrayList<>();
        timer.after(Duration.ofMillis(20), () -> heard.add("rang"));

        running.advance(Duration.ofSeconds(1));
        CountDownLatch later = new CountDownLatch(1);
        timer.after(Duration.ofMillis(40), later::countDown);

        assertThat(later.await(10, TimeUnit.SECONDS)).isTrue();
        assertThat(heard).containsExactly("rang");
    }

    @Test
    void a_clock_is_not_moved_back() {
        assertThatThrownBy(() -> clock.advance(Duration.ofSeconds(-1))).hasMessageContaining("PT-1S");
    }

    @Test
    void the_end_of_a_keep_is_passed_without_waiting() throws Exception {
        Onefold onefold = onefold();
        onefold.attempt(PAY, Key.of("k"), attempt -> "first");
        clock.advance(Duration.ofHours(23));
        assertThat(onefold.attempt(PAY, Key.of("k"), attempt -> "second"))
                .isEqualTo(new Outcome.Replayed<>("first", true));

        clock.advance(Duration.ofHours(2));

        assertThat(onefold.attempt(PAY, Key.of("k"), attempt -> "second"))
                .isEqualTo(new Outcome.Executed<>("second", true));
    }

    @Test
    void leases_are_renewed_while_the_clock_is_moved() throws Exception {
        Outcome<String> outcome = onefold().attempt(PAY, Key.of("k"), attempt -> {
            clock.advance(Duration.ofMinutes(5));
            assertThat(attempt.leaseLost()).isFalse();
            return "done";
        });

        assertThat(outcome).isEqualTo(new Outcome.Executed<>("done", true));
    }

    private Onefold onefold() {
        return Onefold.builder(new MemoryStore(clock::micros))
                .timer(clock.timer())
                .build();
    }
}
