package io.onefold.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Method;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.scheduling.annotation.Scheduled;

class SlotsTest {
    @ParameterizedTest
    @CsvSource({
        // at its time, a little late, and as late as almost the whole way to the next
        "hourly, 2026-03-10T08:00:00Z, 2026-03-10T08:00:00Z",
        "hourly, 2026-03-10T08:00:00.250Z, 2026-03-10T08:00:00Z",
        "hourly, 2026-03-10T08:59:00Z, 2026-03-10T08:00:00Z",
        // early, as the clocks that timers run on wander
        "hourly, 2026-03-10T08:59:59.998Z, 2026-03-10T09:00:00Z",
        "hourly, 2026-03-10T08:59:35Z, 2026-03-10T09:00:00Z",
        "everySecond, 2026-03-10T08:00:07.899Z, 2026-03-10T08:00:07Z",
        "everySecond, 2026-03-10T08:00:07.995Z, 2026-03-10T08:00:08Z",
        // three in the morning is another time in another zone, and in summer
        "inBerlin, 2026-01-10T02:00:01Z, 2026-01-10T02:00:00Z",
        "inBerlin, 2026-07-10T01:00:01Z, 2026-07-10T01:00:00Z",
        "inBerlin, 2026-07-10T00:59:00Z, 2026-07-09T01:00:00Z",
        "inTokyo, 2026-01-10T02:00:01Z, 2026-01-09T18:00:00Z",
        // once a year, every leap year, and on leap days that are a Monday
        "newYear, 2026-12-31T12:00:00Z, 2026-01-01T00:00:00Z",
        "leapDay, 2027-03-01T00:00:00Z, 2024-02-29T00:00:00Z",
        "leapMonday, 2044-02-29T00:00:03Z, 2044-02-29T00:00:00Z",
        "leapMonday, 2071-01-01T00:00:00Z, 2044-02-29T00:00:00Z"
    })
    void the_slot_is_the_planned_time(String job, Instant now, Instant slot) {
        assertThat(slot(job, now)).isEqualTo(slot);
    }

    @Test
    void an_hour_that_comes_twice_has_two_slots_each_time_only_if_it_is_planned_twice() {
        // clocks go back from 3:00 to 2:00 on 25 October, so that 2:30 comes at 0:30 and at 1:30 UTC
        Instant first = slot("halfPastTwoInBerlin", Instant.parse("2026-10-25T00:30:01Z"));
        assertThat(first).isEqualTo("2026-10-25T00:30:00Z");

        Instant everyHour = slot("halfPastInBerlin", Instant.parse("2026-10-25T00:30:01Z"));
        Instant anHourLater = slot("halfPastInBerlin", Instant.parse("2026-10-25T01:30:01Z"));
        assertThat(everyHour).isEqualTo("2026-10-25T00:30:00Z");
        assertThat(anHourLater).isEqualTo("2026-10-25T01:30:00Z");
    }

    @Test
    void an_hour_that_is_left_out_has_no_slot() {
        // clocks go from 2:00 to 3:00 on 29 March, so that there is no 2:30
        Instant afterwards = slot("halfPastTwoInBerlin", Instant.parse("2026-03-29T12:00:00Z"));
        Instant nextDay = slot("halfPastTwoInBerlin", Instant.parse("2026-03-30T00:30:01Z"));

        assertThat(afterwards).isBefore("2026-03-29T02:00:00Z");
        assertThat(nextDay).isEqualTo("2026-03-30T00:30:00Z");
    }

    @Test
    void nodes_that_fire_a_little_apart_have_one_slot() {
        Instant planned = Instant.parse("2026-03-10T08:00:00Z");
        for (int millis = -90; millis < 900; millis += 30) {
            assertThat(slot("everySecond", planned.plusMillis(millis))).isEqualTo(planned);
        }
    }

    @Test
    void a_rate_plans_no_times_that_nodes_agree_on() {
        assertThatThrownBy(() -> slots("rate", Instant.EPOCH))
                .hasMessageContaining("Jobs.rate")
                .hasMessageContaining("one @Scheduled with a cron expression");
    }

    private static Instant slot(String job, Instant now) {
        return Instant.parse(slots(job, now).current());
    }

    private static Slots slots(String job, Instant now) {
        Method method = Arrays.stream(Jobs.class.getDeclaredMethods())
                .filter(one -> one.getName().equals(job))
                .findFirst()
                .orElseThrow();
        return Slots.of(method, UnaryOperator.identity(), Clock.fixed(now, ZoneOffset.UTC));
    }

    static class Jobs {
        @Scheduled(cron = "0 0 * * * *", zone = "UTC")
        void hourly() {}

        @Scheduled(cron = "* * * * * *", zone = "UTC")
        void everySecond() {}

        @Scheduled(cron = "0 0 3 * * *", zone = "Europe/Berlin")
        void inBerlin() {}

        @Scheduled(cron = "0 0 3 * * *", zone = "Asia/Tokyo")
        void inTokyo() {}

        @Scheduled(cron = "0 30 2 * * *", zone = "Europe/Berlin")
        void halfPastTwoInBerlin() {}

        @Scheduled(cron = "0 30 * * * *", zone = "Europe/Berlin")
        void halfPastInBerlin() {}

        @Scheduled(cron = "@yearly", zone = "UTC")
        void newYear() {}

        @Scheduled(cron = "0 0 0 29 2 *", zone = "UTC")
        void leapDay() {}

        @Scheduled(cron = "0 0 0 29 2 MON", zone = "UTC")
        void leapMonday() {}

        @Scheduled(fixedRate = 1000)
        void rate() {}
    }
}
