package io.onefold.benchmarks.stores;

import java.util.Locale;

/**
 * One subject, for a moment.
 *
 * @param round 0 is the warm-up, which no figure includes
 * @param cpuMicros what client and servers used of the processors for each operation; noise disturbs it less than time
 * @param foreign the share of the machine's processors that others used meanwhile; NaN where the system does not say
 */
public record Slice(
        Group group,
        String subject,
        int round,
        double seconds,
        long operations,
        long executions,
        long keys,
        double cpuMicros,
        double foreign) {
    public static final String COLUMNS =
            "database,work,callers,subject,round,seconds,operations,operations_per_second,executions,new_keys,cpu_micros_per_operation,foreign_cpu";

    public double rate() {
        return operations / seconds;
    }

    public String line() {
        return String.format(
                Locale.ROOT,
                "%s,%s,%d,%s,%d,%.4f,%d,%.1f,%d,%d,%.1f,%.3f",
                group.database(),
                group.work(),
                group.callers(),
                subject.replace(',', ';'),
                round,
                seconds,
                operations,
                rate(),
                executions,
                keys,
                cpuMicros,
                foreign);
    }
}
