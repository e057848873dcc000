package io.onefold.benchmarks.http;

import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** What this process uses. */
final class Vitals {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private Vitals() {}

    static int threadCount() {
        return THREADS.getThreadCount();
    }

    /** Those that live, by their names without numbers. */
    static String threads() {
        Map<String, Integer> named = new TreeMap<>();
        for (ThreadInfo thread : THREADS.getThreadInfo(THREADS.getAllThreadIds())) {
            if (thread != null) {
                String name =
                        thread.getThreadName().replaceAll("@[0-9a-f]+", "").replaceAll("-?\\d+", "");
                named.merge(name, 1, Integer::sum);
            }
        }
        return named.entrySet().stream()
                        .map(one -> one.getValue() + " " + one.getKey())
                        .collect(Collectors.joining(", "))
                + "; at most " + THREADS.getPeakThreadCount() + " at any time";
    }

    static long heapAfterCollection() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    /** Not less than was ever used: the parts need not have had their peaks at the same time. */
    static long peakHeap() {
        return ManagementFactory.getMemoryPoolMXBeans().stream()
                .filter(pool -> pool.getType() == MemoryType.HEAP)
                .map(MemoryPoolMXBean::getPeakUsage)
                .mapToLong(usage -> usage.getUsed())
                .sum();
    }

    static long direct() {
        return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                .filter(pool -> pool.getName().equals("direct"))
                .mapToLong(BufferPoolMXBean::getMemoryUsed)
                .sum();
    }
}
