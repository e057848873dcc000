package io.onefold.benchmarks.stores;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * What the processors did, in the system's ticks.
 *
 * @param total of all processors, busy or not
 * @param busy of all processors
 * @param ours of this process and its children: the servers run as such
 */
public record Cpu(long total, long busy, long ours) {
    private static final int MICROS_PER_TICK = 10_000; // on Linux, wherever programs can see it
    private static final Cpu UNKNOWN = new Cpu(-1, -1, -1);

    public static Cpu read() {
        try {
            long[] ticks = numbers(
                    Files.readString(Path.of("/proc/stat")).lines().findFirst().orElseThrow(), 1);
            long total = 0;
            // user, nice, system, idle, iowait, irq, softirq, steal; the guests' are part of the user's
            for (int i = 0; i < 8; i++) {
                total += ticks[i];
            }
            ProcessHandle self = ProcessHandle.current();
            long ours = Stream.concat(Stream.of(self), self.descendants())
                    .mapToLong(Cpu::ofProcess)
                    .sum();
            return new Cpu(total, total - ticks[3] - ticks[4], ours);
        } catch (IOException e) {
            return UNKNOWN;
        }
    }

    /** The share that others used since an earlier reading. */
    public double foreignSince(Cpu earlier) {
        if (total <= earlier.total || earlier.total < 0) {
            return Double.NaN;
        }
        long foreign = busy - earlier.busy - (ours - earlier.ours);
        return Math.max(0, foreign) / (double) (total - earlier.total);
    }

    /** What this process and the servers used since an earlier reading. */
    public double oursSince(Cpu earlier) {
        return earlier.total < 0 ? Double.NaN : (ours - earlier.ours) * (double) MICROS_PER_TICK;
    }

    /** With those of its children who have ended. */
    private static long ofProcess(ProcessHandle process) {
        try {
            String stat = Files.readString(Path.of("/proc", Long.toString(process.pid()), "stat"));
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
            long ticks = 0;
            for (int i = 11; i <= 14; i++) {
                ticks += Long.parseLong(fields[i]);
            }
            return ticks;
        } catch (IOException e) {
            return 0;
        }
    }

    private static long[] numbers(String line, int from) {
        return Stream.of(line.trim().split("\\s+", -1))
                .skip(from)
                .mapToLong(Long::parseLong)
                .toArray();
    }
}
