package io.onefold.spring;

import java.lang.reflect.Method;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.scheduling.support.CronExpression;
import org.springframework.util.StringUtils;

/**
 * The planned times of a scheduled job. All nodes that fire for one planned time bring the same key. Only a cron expression plans times
 * that nodes agree on: a rate or a delay counts from the start of a node.
 *
 * <p>Each node fires, and computes its slots, by its own clock. Nodes whose clocks differ bring the same keys at different moments.
 */
final class ScheduledSlot {
    private static final List<Duration> LOOK_BACK = List.of(
            Duration.ofMinutes(1),
            Duration.ofHours(1),
            Duration.ofDays(1),
            Duration.ofDays(32),
            Duration.ofDays(367),
            Duration.ofDays(4 * 366),
            Duration.ofDays(40 * 366));

    /** The longest time that a job may fire before its planned time: its timer runs on another clock, which drifts. */
    private static final Duration EARLY = Duration.ofSeconds(30);

    private static final int EARLY_PART = 10;

    /**
     * The number of planned times that are compared to find the longest gap: enough for all hours of a day and the first one of the next.
     */
    private static final int AHEAD = 25;

    /** The longest delay of a node that causes a warning. */
    private static final Duration LATEST = Duration.ofDays(1);

    private final CronExpression cron;
    private final ZoneId zone;
    private final Clock clock;
    private final LongSupplier nanos;
    private Firing last;

    private ScheduledSlot(CronExpression cron, ZoneId zone, Clock clock, LongSupplier nanos) {
        this.cron = cron;
        this.zone = zone;
        this.clock = clock;
        this.nanos = nanos;
        Instant now = clock.instant();
        this.last = new Firing(at(now), now, nanos.getAsLong());
    }

    /**
     * The last firing of the job; at first, the moment when this object was made.
     *
     * @param slot the planned time that it counted for
     * @param at the time by the clock
     * @param nanos the time by the monotonic clock
     */
    private record Firing(Instant slot, Instant at, long nanos) {}

    /** @throws IllegalArgumentException if the job has no planned times */
    static ScheduledSlot of(Method method, UnaryOperator<String> placeholders, Clock clock, LongSupplier nanos) {
        List<Scheduled> all =
                List.copyOf(AnnotatedElementUtils.getMergedRepeatableAnnotations(method, Scheduled.class));
        if (all.size() != 1 || all.get(0).cron().isEmpty()) {
            throw new IllegalArgumentException(IdempotentMetadata.name(method)
                    + " has no planned times that could be its keys: these need one @Scheduled with a cron expression; or say a"
                    + " key");
        }
        String zone = placeholders.apply(all.get(0).zone());
        String cron = placeholders.apply(all.get(0).cron());
        if (cron.equals(Scheduled.CRON_DISABLED)) {
            cron = "0 0 0 1 1 *"; // never asked
        }
        ZoneId in = zone.isEmpty()
                ? ZoneId.systemDefault()
                : StringUtils.parseTimeZoneString(zone).toZoneId(); // as Spring reads it
        return new ScheduledSlot(CronExpression.parse(cron), in, clock, nanos);
    }

    /**
     * The planned time that a job which fires now counts for. Spring's timer counts monotonic time. If the clock was set back since the
     * last firing, the job fires before its planned time by the clock. Its slot would be the one before, which is done, and a planned time
     * would be skipped. So the slot is then computed from the time of the last firing plus the monotonic time since.
     */
    synchronized String current() {
        Instant now = clock.instant();
        long monotonic = nanos.getAsLong();
        Instant slot = at(now);
        if (!slot.isAfter(last.slot)) {
            Instant byTimer = at(last.at.plusNanos(monotonic - last.nanos));
            slot = byTimer.isAfter(last.slot) ? byTimer : slot;
        }
        last = new Firing(slot, now, monotonic);
        return slot.toString();
    }

    /**
     * The longest delay after which a job still counts for its planned time: the longest gap between the next planned times, at most one
     * day.
     */
    Duration latest() {
        Duration latest = Duration.ZERO;
        ZonedDateTime planned = cron.next(clock.instant().atZone(zone));
        for (int i = 0; i < AHEAD && planned != null; i++) {
            ZonedDateTime next = cron.next(planned);
            Duration apart = next == null ? LATEST : Duration.between(planned, next);
            latest = apart.compareTo(latest) > 0 ? apart : latest;
            planned = next;
        }
        return latest.compareTo(LATEST) < 0 ? latest : LATEST;
    }

    /**
     * The last planned time that is not after a moment: the job fires at its planned time, or a little later. If the next planned time is
     * almost there, it counts instead. Otherwise the job would count for the last one, which was done long ago, and be skipped.
     */
    private Instant at(Instant moment) {
        ZonedDateTime now = moment.atZone(zone);
        ZonedDateTime planned = last(now);
        ZonedDateTime next = cron.next(now);
        if (next != null && (planned == null || isNear(now, planned, next))) {
            planned = next;
        }
        return (planned == null ? now : planned).toInstant();
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
