package io.onefold.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Method;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.scheduling.support.CronTrigger;
import org.springframework.scheduling.support.SimpleTriggerContext;

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
    void a_day_on_which_an_hour_comes_twice_has_two_slots_of_that_hour_on_every_node() {
        // as Spring plans it: a node that was started in between agrees
        for (String started : List.of("2026-10-24T12:00:00Z", "2026-10-25T01:10:00Z")) {
            Node node = new Node("halfPastTwoInBerlin", started);
            node.goOn(Duration.between(node.now, Instant.parse("2026-10-25T01:30:00Z")));
            assertThat(node.slot()).isEqualTo("2026-10-25T01:30:00Z");
        }
    }

    @ParameterizedTest
    @CsvSource({"hourly, PT3H", "everyTenSeconds, PT20M", "inBerlin, PT24H"})
    void nodes_whose_clocks_differ_have_the_same_slots_one_after_another(String job, Duration time) {
        Instant start = Instant.parse("2026-03-10T07:30:03Z");
        List<List<Instant>> all = new ArrayList<>();
        for (Duration ahead : List.of(
                Duration.ZERO,
                Duration.ofMillis(3),
                Duration.ofMillis(-3),
                Duration.ofSeconds(29),
                Duration.ofMinutes(-25),
                Duration.ofMinutes(10))) {
            Node node = new Node(job, start.plus(ahead).toString());
            List<Instant> slots = new ArrayList<>();
            // by its own clock it fires at each planned time, a little early or late
            for (Instant planned = node.planned(); planned.isBefore(start.plus(time)); planned = node.planned()) {
                node.goOn(Duration.between(node.now, planned).plusMillis(slots.size() % 3 - 1));
                slots.add(node.fire(planned));
                assertThat(slots).endsWith(planned);
            }
            slots.removeIf(slot -> slot.isBefore(start.plus(Duration.ofMinutes(10))));
            assertThat(slots).isNotEmpty();
            all.add(slots);
        }
        assertThat(all).allSatisfy(slots -> assertThat(slots).isEqualTo(all.get(0)));
    }

    @ParameterizedTest
    @CsvSource({"hourly, PT10M", "hourly, PT31S", "everyTenSeconds, PT10M", "everySecond, PT3S", "hourly, PT26H"})
    void a_clock_that_is_set_back_costs_no_slot_and_repeats_none(String job, Duration back) {
        Node node = new Node(job, "2026-03-10T07:30:00.5Z");
        List<Instant> planned = new ArrayList<>();
        List<Instant> slots = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            Instant next = node.planned();
            Duration timer = Duration.between(node.now, next);
            if (i == 0 || i == 3) {
                // when the timer is set already
                node.goOn(timer.dividedBy(2));
                node.setBack(back);
                node.goOn(timer.minus(timer.dividedBy(2)));
            } else {
                node.goOn(timer);
            }
            planned.add(next);
            slots.add(node.fire(next));
        }
        assertThat(slots).isEqualTo(planned).doesNotHaveDuplicates();
    }

    @Test
    void a_clock_that_is_set_back_while_the_job_runs_costs_no_slot_and_repeats_none() {
        Node node = new Node("hourly", "2026-03-10T07:30:00Z");
        List<Instant> slots = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            Instant planned = node.planned();
            node.goOn(Duration.between(node.now, planned));
            Instant began = node.now;
            slots.add(node.slot());
            node.setBack(Duration.ofMinutes(i == 1 ? 90 : 0));
            node.context.update(planned, began, node.now);
        }
        assertThat(slots)
                .containsExactly(
                        Instant.parse("2026-03-10T08:00:00Z"),
                        Instant.parse("2026-03-10T09:00:00Z"),
                        Instant.parse("2026-03-10T10:00:00Z"),
                        Instant.parse("2026-03-10T11:00:00Z"));
    }

    @Test
    void a_clock_that_is_set_forward_leaves_out_what_was_planned_meanwhile_and_repeats_nothing() {
        Node node = new Node("hourly", "2026-03-10T07:30:00Z");
        node.setBack(Duration.ofHours(-1));
        node.goOn(Duration.ofMinutes(30));
        assertThat(node.slot()).isEqualTo("2026-03-10T09:00:00Z");
        node.goOn(Duration.ofHours(1));
        assertThat(node.slot()).isEqualTo("2026-03-10T10:00:00Z");
    }

    @Test
    void who_fires_twice_for_a_time_counts_for_it_twice() {
        Node node = new Node("hourly", "2026-03-10T07:30:00Z");
        node.goOn(Duration.ofMinutes(30));
        assertThat(node.slot()).isEqualTo("2026-03-10T08:00:00Z");
        node.goOn(Duration.ofMinutes(50));
        assertThat(node.slot()).as("who calls it directly").isEqualTo("2026-03-10T08:00:00Z");
    }

    @Test
    void a_clock_of_tests_that_is_set_to_an_earlier_day_has_the_slots_of_that_day() {
        Node node = new Node("hourly", "2026-03-10T08:00:00Z");
        assertThat(node.slot()).isEqualTo("2026-03-10T08:00:00Z");
        node.setBack(Duration.ofDays(30));
        assertThat(node.slot()).isEqualTo("2026-02-08T08:00:00Z");
    }

    @ParameterizedTest
    @CsvSource({"hourly, PT1H", "everySecond, PT1S", "inBerlin, PT24H", "inOfficeHours, PT16H", "newYear, PT24H"})
    void a_job_may_be_late_until_the_next_one_but_not_for_longer_than_a_day(String job, Duration latest) {
        assertThat(slots(job, Instant.parse("2026-03-10T08:00:00Z")).latest()).isEqualTo(latest);
    }

    @Test
    void a_zone_is_read_as_spring_reads_it() {
        assertThat(slot("inNewYork", Instant.parse("2026-01-10T08:00:01Z"))).isEqualTo("2026-01-10T08:00:00Z");
    }

    /** One with a clock of its own, on which time passes when told to; Spring says when its job is due. */
    private static final class Node extends Clock {
        private final CronTrigger trigger;
        private final SimpleTriggerContext context = new SimpleTriggerContext(this);
        private final ScheduledSlot slots;
        private Instant now;
        private long nanos;

        Node(String job, String started) {
            this.now = Instant.parse(started);
            Scheduled scheduled = Objects.requireNonNull(method(job).getAnnotation(Scheduled.class));
            this.trigger = new CronTrigger(scheduled.cron(), ZoneId.of(scheduled.zone()));
            this.slots = ScheduledSlot.of(method(job), UnaryOperator.identity(), this, () -> nanos);
        }

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Instant instant() {
            return now;
        }

        void goOn(Duration time) {
            now = now.plus(time);
            nanos += time.toNanos();
        }

        void setBack(Duration time) {
            now = now.minus(time);
        }

        /** For when the job is planned next. */
        Instant planned() {
            return Objects.requireNonNull(trigger.nextExecution(context));
        }

        /** The slot of a job that fires now, and ends a moment later. */
        Instant fire(Instant planned) {
            Instant began = now;
            Instant slot = slot();
            goOn(Duration.ofMillis(5));
            context.update(planned, began, now);
            return slot;
        }

        Instant slot() {
            return Instant.parse(slots.current());
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

    private static Method method(String job) {
        return Arrays.stream(Jobs.class.getDeclaredMethods())
                .filter(one -> one.getName().equals(job))
                .findFirst()
                .orElseThrow();
    }

    private static ScheduledSlot slots(String job, Instant now) {
        return ScheduledSlot.of(method(job), UnaryOperator.identity(), Clock.fixed(now, ZoneOffset.UTC), () -> 0);
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

        @Scheduled(cron = "*/10 * * * * *", zone = "UTC")
        void everyTenSeconds() {}

        @Scheduled(cron = "0 0 9-17 * * *", zone = "UTC")
        void inOfficeHours() {}

        @Scheduled(cron = "0 0 3 * * *", zone = "EST")
        void inNewYork() {}

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
