package io.onefold.benchmarks.http;

import java.util.Arrays;

/** How long each answer took, in nanoseconds. */
final class Latencies {
    private long[] nanos = new long[1_024];
    private int size;

    void add(long latency) {
        room(1);
        nanos[size++] = latency;
    }

    void addAll(Latencies others) {
        room(others.size);
        System.arraycopy(others.nanos, 0, nanos, size, others.size);
        size += others.size;
    }

    private void room(int more) {
        if (size + more > nanos.length) {
            nanos = Arrays.copyOf(nanos, Math.max(2 * nanos.length, size + more));
        }
    }

    int size() {
        return size;
    }

    /** What this share of them did not exceed, in microseconds; NaN if there are none. */
    double micros(double share) {
        if (size == 0) {
            return Double.NaN;
        }
        long[] sorted = Arrays.copyOf(nanos, size);
        Arrays.sort(sorted);
        return sorted[Math.max(0, (int) Math.ceil(share * size) - 1)] / 1e3;
    }
}
