package io.onefold;

import java.time.Duration;
import java.util.Comparator;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Time that passes when told to. */
public final class ManualTimer implements Timer {
    private record Task(long at, long number, Runnable step) {}

    private final TreeSet<Task> tasks =
            new TreeSet<>(Comparator.comparingLong(Task::at).thenComparingLong(Task::number));
    private long now = 1;
    private long number;

    @Override
    public synchronized long nanos() {
        return now;
    }

    @Override
    public synchronized Cancellable after(Duration delay, Runnable step) {
        Task task = new Task(now + delay.toNanos(), number++, step);
        tasks.add(task);
        return () -> cancel(task);
    }

    private synchronized void cancel(Task task) {
        tasks.remove(task);
    }

    /** Does what is due until then, each at its time. */
    public void pass(Duration duration) {
        long end = nanos() + duration.toNanos();
        for (Task task = next(end); task != null; task = next(end)) {
            task.step.run();
        }
    }

    private synchronized @Nullable Task next(long end) {
        if (tasks.isEmpty() || tasks.first().at > end) {
            now = end;
            return null;
        }
        now = Math.max(now, tasks.first().at);
        return tasks.pollFirst();
    }

    public synchronized int pending() {
        return tasks.size();
    }

    /** A store's clock that goes with it, in microseconds. */
    public long micros() {
        return 1_800_000_000_000_000L + nanos() / 1_000;
    }
}
