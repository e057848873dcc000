package io.onefold.benchmarks.http;

import io.onefold.benchmarks.stores.Goal;
import io.onefold.benchmarks.stores.Group;
import io.onefold.benchmarks.stores.Results;
import io.onefold.benchmarks.stores.Results.Ratio;
import io.onefold.benchmarks.stores.Slice;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A table for people, and what was to be reached. */
final class HttpReport {
    /** As much as others may use of the processors before the figures are doubtful. */
    private static final double QUIET = 0.1;

    /** Of what the same proxy does without Onefold. */
    private static final double GOAL = 0.75;

    private final HttpPlan plan;
    private final Results results;
    private final PrintStream out;

    HttpReport(HttpPlan plan, Results results, PrintStream out) {
        this.plan = plan;
        this.results = results;
        this.out = out;
    }

    void table(Throughput measured) {
        out.print(LEGEND);
        for (int connections : plan.connections()) {
            Group group = Throughput.group(connections);
            out.printf("%nconnections: %d%n", connections);
            for (Way way : Way.values()) {
                double[] rates = results.rates(group, way.called);
                Ratio ratio = results.ratio(group, way.called, Way.PLAIN.called);
                Latencies latencies = measured.latencies(connections, way);
                out.printf(
                        Locale.ROOT,
                        "  %-30s %,8.0f/s ±%.0f%%  p50 %,7.0fµs  p99 %,7.0fµs  cpu %,5.0fµs  %s%n",
                        way.called,
                        Results.median(rates),
                        100 * Results.spread(rates),
                        latencies.micros(0.5),
                        latencies.micros(0.99),
                        results.cpuMicros(group, way.called),
                        ratio == null ? "" : Goal.times(ratio.median()));
            }
        }
        double[] foreign = foreign();
        out.printf(
                Locale.ROOT,
                "%n  others used %.0f%% of the processors in the median slice, %.0f%% in the worst%n",
                100 * Results.median(foreign),
                100 * Results.quantile(foreign, 1));
    }

    List<Goal> goals() {
        List<Goal> goals = new ArrayList<>();
        for (Way way : List.of(Way.FIRST, Way.REPLAY)) {
            for (int connections : plan.connections()) {
                goals.add(Goal.atLeast(results, Throughput.group(connections), way.called, Way.PLAIN.called, GOAL));
            }
        }
        goals.add(Goal.atMost(Waiting.figure(plan), results.figure(Waiting.figure(plan)), Waiting.GOAL));
        goals.add(Goal.atMost(Uploads.figure(plan), results.figure(Uploads.figure(plan)), Uploads.GOAL_KIB));
        return goals;
    }

    void printGoals() {
        out.printf("%nGoals%n");
        goals().forEach(goal -> out.println("  " + goal));
        if (!results.slices().isEmpty() && Results.median(foreign()) > QUIET) {
            out.printf("  The machine was not quiet: see what others used. Measure again before you believe it.%n");
        }
    }

    private double[] foreign() {
        return results.slices().stream().mapToDouble(Slice::foreign).toArray();
    }

    private static final String LEGEND = """
            How to read the table: requests per second, the median of all slices; ± is half the range of the middle half of them;
            p50 and p99 of all answers in all slices; cpu is the processor time of all processes for each request, the median;
            x is the share of what the same proxy does without Onefold, the median of the ratios of all rounds. Only x carries over to other machines.
            "Answers on selectors" is a proxy of Jetty's with a setting that the gateway has and Jetty's own has not: what it gains is not Onefold's.
            The service itself shows what whoever asks can do: if it is not well above the others, they are not what is measured.
            """;
}
