package io.onefold.test;

import io.onefold.Timer;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A clock that can be moved ahead, so that a test need not wait for the end of a lease or of a keep.
 *
 * <pre>{@code
 * MovableClock clock = MovableClock.running();
 * Onefold onefold = Onefold.builder(new MemoryStore(clock::micros)).timer(clock.timer()).build();
 * clock.advance(Duration.ofDays(2));
 * }</pre>
 *
 * Moving it does what falls due on the way, each at its time and on the mover's thread: leases of work that is under way are renewed,
 * as they would be. A store in a database has the clock of its database, which cannot be moved.
 */
public final class MovableClock extends Clock {
    private final ClockTimer face;
    private final ZoneId zone;

    private MovableClock(ClockTimer face, ZoneId zone) {
        this.face = face;
        this.zone = zone;
    }

    /** Shows the time of the system, and runs on by itself. */
    public static MovableClock running() {
        return new MovableClock(new ClockTimer(Instant.now(), System::nanoTime), ZoneOffset.UTC);
    }

    /**
     * Shows this time until it is moved. Who waits on one thread for a clock that the same thread would move waits for ever: a call that
     * a store has failed is tried again a little later by this clock, too.
     */
    public static MovableClock stoppedAt(Instant start) {
        return new MovableClock(new ClockTimer(start, null), ZoneOffset.UTC);
    }

    /** Moves ahead, and does what is due by then. */
    public void advance(Duration duration) {
        if (duration.isNegative()) {
            throw new IllegalArgumentException("a clock is advanced by a positive duration, not " + duration);
        }
        face.advance(duration.toNanos());
    }

    /** For {@code Onefold.builder(store).timer(...)}. */
    public Timer timer() {
        return face;
    }

    /** For {@code new MemoryStore(clock::micros)}. */
    public long micros() {
        return ChronoUnit.MICROS.between(Instant.EPOCH, instant());
    }

    @Override
    public Instant instant() {
        return face.start.plusNanos(face.nanos());
    }

    @Override
    public ZoneId getZone() {
        return zone;
    }

    /** The same clock, moved together with this one. */
    @Override
    public Clock withZone(ZoneId other) {
        return new MovableClock(face, other);
    }

    /** Nanoseconds since the start, and what is to be done later. */
    private static final class ClockTimer implements Timer {
        final Instant start;
        private final @Nullable LongSupplier running;
        private final @Nullable Timer alarms;
        private final long origin;
        private final TreeSet<ClockTask> tasks = new TreeSet<>(
                Comparator.<ClockTask>comparingLong(task -> task.at).thenComparingLong(task -> task.number));
        private long moved;
        private long numbers;

        ClockTimer(Instant start, @Nullable LongSupplier running) {
            this.start = start;
            this.running = running;
            this.alarms = running == null ? null : Timer.system("movable-clock");
            this.origin = running == null ? 0 : running.getAsLong();
        }

        @Override
        public synchronized long nanos() {
            return moved + (running == null ? 0 : running.getAsLong() - origin);
        }

        @Override
        public Cancellable after(Duration delay, Runnable step) {
            ClockTask task;
            synchronized (this) {
                task = new ClockTask(nanos() + delay.toNanos(), numbers++, step);
                tasks.add(task);
            }
            ring(task);
            return () -> cancel(task);
        }

        private void cancel(ClockTask task) {
            if (taken(task)) {
                task.alarm.cancel();
            }
        }

        /** In real time, if that runs: it rings earlier when the clock is moved. */
        private void ring(ClockTask task) {
            if (alarms != null) {
                task.alarm.cancel();
                task.alarm = alarms.after(Duration.ofNanos(Math.max(0, task.at - nanos())), () -> {
                    if (taken(task)) {
                        task.step.run();
                    }
                });
            }
        }

        private synchronized boolean taken(ClockTask task) {
            return tasks.remove(task);
        }

        void advance(long by) {
            long end;
            synchronized (this) {
                end = nanos() + by;
            }
            for (ClockTask task = next(end); task != null; task = next(end)) {
                task.step.run();
            }
            List<ClockTask> left;
            synchronized (this) {
                left = new ArrayList<>(tasks);
            }
            left.forEach(this::ring);
        }

        /** The next that is due until then, the clock being moved to its time; null if there is none, and the clock is there. */
        private synchronized @Nullable ClockTask next(long end) {
            ClockTask first = tasks.isEmpty() || tasks.first().at > end ? null : tasks.pollFirst();
            moved += Math.max(0, (first == null ? end : first.at) - nanos());
            return first;
        }
    }

    private static final class ClockTask {
        final long at;
        final long number;
        final Runnable step;
        volatile Timer.Cancellable alarm = () -> {};

        ClockTask(long at, long number, Runnable step) {
            this.at = at;
            this.number = number;
            this.step = step;
        }
    }
}
