package io.onefold.benchmarks.stores;

import io.onefold.benchmarks.stores.Results.Ratio;
import io.onefold.benchmarks.stores.Traits.Feature;
import io.onefold.benchmarks.stores.Traits.Kind;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Tables for people; ratios are the result, absolute figures are those of one machine. */
final class Report {
    /** As much as others may use of the processors before the figures are doubtful. */
    private static final double QUIET = 0.1;

    private static final int NAME_WIDTH = 42;
    private static final int CELL_WIDTH = 32;

    private final Results results;
    private final PrintStream out;

    Report(Results results, PrintStream out) {
        this.results = results;
        this.out = out;
    }

    /** One workload of a database, with all its numbers of callers. */
    void table(String database, String work) {
        List<Group> groups = results.groups().stream()
                .filter(group ->
                        group.database().equals(database) && group.work().equals(work))
                .toList();
        if (!groups.isEmpty()) {
            table(database, work, groups);
        }
    }

    void goals() {
        out.printf("%nGoals%n");
        Goals.of(results).forEach(goal -> out.println("  " + goal));
        double foreign = Results.median(
                results.slices().stream().mapToDouble(Slice::foreign).toArray());
        if (foreign > QUIET) {
            out.printf("  The machine was not quiet: see what others used. Measure again before you believe it.%n");
        }
    }

    private void table(String database, String work, List<Group> groups) {
        out.printf("%n%s %s%n", database, meaning(work));
        out.printf("  %-" + (NAME_WIDTH + 12) + "s", "");
        groups.forEach(group -> out.printf("%" + CELL_WIDTH + "s", "callers: " + group.callers()));
        out.println();
        List<Traits> present = groups.stream()
                .flatMap(group -> results.subjects(group).stream())
                .distinct()
                .toList();
        for (Kind kind : Kind.values()) {
            List<Traits> alike =
                    present.stream().filter(one -> one.kind() == kind).toList();
            if (!alike.isEmpty()) {
                out.println("  " + kind.heading);
                alike.forEach(one -> row(one, groups));
            }
        }
        double[] foreign = groups.stream()
                .flatMap(group -> results.slices(group).stream())
                .mapToDouble(Slice::foreign)
                .toArray();
        out.printf(
                Locale.ROOT,
                "  others used %.0f%% of the processors in the median slice, %.0f%% in the worst%n",
                100 * Results.median(foreign),
                100 * Results.quantile(foreign, 1));
    }

    private void row(Traits subject, List<Group> groups) {
        out.printf("    %-" + NAME_WIDTH + "s%-10s", subject.name(), features(subject));
        for (Group group : groups) {
            out.printf("%" + CELL_WIDTH + "s", cell(group, subject.name()));
        }
        out.println();
    }

    private String cell(Group group, String subject) {
        double[] rates = results.rates(group, subject);
        if (rates.length == 0) {
            return "-";
        }
        String rate = String.format(
                Locale.ROOT,
                "%,.0f ±%.0f%% %,6.0fµs",
                Results.median(rates),
                100 * Results.spread(rates),
                results.cpuMicros(group, subject));
        Ratio ratio = results.ratio(group, yardstick(group), subject);
        return rate + (ratio == null ? "        " : "%8s".formatted(Goal.times(ratio.median())));
    }

    /** Whose ratio to the others is shown. */
    private String yardstick(Group group) {
        return results.subjects(group).get(0).name();
    }

    private static String meaning(String work) {
        return Stream.of(Workload.values())
                .filter(one -> one.id().equals(work))
                .map(one -> one.meaning)
                .findFirst()
                .orElse(work);
    }

    private static String features(Traits subject) {
        return Stream.of(Feature.values())
                .map(one -> subject.has(one) ? one.name().substring(0, 1) : "-")
                .collect(Collectors.joining());
    }

    static final String LEGEND = """
            How to read the tables: operations per second, the median of all slices; ± is half the range of the middle half of them;
            µs is the processor time of client and servers for each operation, their median, which noise disturbs less;
            x is how often the first line is as fast as this one, the median of the ratios of all rounds. Only x carries over to other machines.
            Features: R keeps the result, L has a lease, O lets only the owner complete, H compares the payload's hash, E expires.
            """;
}
