package io.onefold.spring;

import java.lang.reflect.Method;
import java.time.Clock;
import java.time.Duration;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.scheduling.support.CronExpression;

/**
 * The planned times of a scheduled job: all nodes that fire for one of them bring the same key. Only a cron expression plans times that
 * nodes agree on; a rate or a delay counts from when a node was started.
 */
final class Slots {
    private static final List<Duration> LOOK_BACK = List.of(
            Duration.ofMinutes(1),
            Duration.ofHours(1),
            Duration.ofDays(1),
            Duration.ofDays(32),
            Duration.ofDays(367),
            Duration.ofDays(4 * 366),
            Duration.ofDays(40 * 366));

    /** How much earlier than planned a job may fire: its timer runs on another clock, which wanders. */
    private static final Duration EARLY = Duration.ofSeconds(30);

    private static final int EARLY_PART = 10;

    private final CronExpression cron;
    private final ZoneId zone;
    private final Clock clock;

    private Slots(CronExpression cron, ZoneId zone, Clock clock) {
        this.cron = cron;
        this.zone = zone;
        this.clock = clock;
    }

    /** @throws IllegalArgumentException if the job has no planned times */
    static Slots of(Method method, UnaryOperator<String> placeholders, Clock clock) {
        List<Scheduled> all =
                List.copyOf(AnnotatedElementUtils.getMergedRepeatableAnnotations(method, Scheduled.class));
        if (all.size() != 1 || all.get(0).cron().isEmpty()) {
            throw new IllegalArgumentException(Declared.name(method)
                    + " has no planned times that could be its keys: these need one @Scheduled with a cron expression; or say a"
                    + " key");
        }
        String zone = placeholders.apply(all.get(0).zone());
        String cron = placeholders.apply(all.get(0).cron());
        if (cron.equals(Scheduled.CRON_DISABLED)) {
            cron = "0 0 0 1 1 *"; // never asked
        }
        return new Slots(CronExpression.parse(cron), zone.isEmpty() ? ZoneId.systemDefault() : ZoneId.of(zone), clock);
    }

    /**
     * The last planned time that is not after now: the job fires at its planned time, or a little later. If the next one is all but
     * there, it is that: the job would else be taken for the last one, which was done long ago, and be left out.
     */
    String current() {
        ZonedDateTime now = clock.instant().atZone(zone);
        ZonedDateTime last = last(now);
        ZonedDateTime next = cron.next(now);
        if (next != null && (last == null || isNear(now, last, next))) {
            last = next;
        }
        return (last == null ? now : last).toInstant().toString();
    }

    private static boolean isNear(ZonedDateTime now, ZonedDateTime last, ZonedDateTime next) {
        Duration part = Duration.between(last, next).dividedBy(EARLY_PART);
        Duration early = Duration.between(now, next);
        return early.compareTo(part.compareTo(EARLY) < 0 ? part : EARLY) <= 0;
    }

    private @Nullable ZonedDateTime last(ZonedDateTime now) {
        for (Duration back : LOOK_BACK) {
            ZonedDateTime slot = last(now.minus(back), now);
            if (slot != null) {
                return slot;
            }
        }
        return null;
    }

    private @Nullable ZonedDateTime last(ZonedDateTime after, ZonedDateTime now) {
        ZonedDateTime last = null;
        for (ZonedDateTime next = cron.next(after); next != null && !next.isAfter(now); next = cron.next(next)) {
            last = next;
        }
        return last;
    }
}
