package io.onefold.benchmarks.http;

import io.onefold.benchmarks.stores.Machine;
import io.onefold.benchmarks.stores.Results;
import io.onefold.benchmarks.stores.Slice;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import org.eclipse.jetty.proxy.ProxyHandler;

/** Measures the gateway beside the same proxy without it: tables to standard output, progress to standard error, every slice to a file. */
public final class HttpBench {
    private final HttpOptions options;
    private final HttpPlan plan;
    private final PrintStream out;
    private final PrintStream progress;
    private final Results results = new Results();
    private final long began = System.nanoTime();

    HttpBench(HttpOptions options, HttpPlan plan, PrintStream out, PrintStream progress) {
        this.options = options;
        this.plan = plan;
        this.out = out;
        this.progress = progress;
    }

    public static void main(String[] arguments) throws Exception {
        HttpOptions options;
        try {
            options = HttpOptions.parse(List.of(arguments));
        } catch (IllegalArgumentException e) {
            System.err.println("onefold: " + e.getMessage());
            System.err.println(HttpOptions.USAGE);
            System.exit(2);
            return;
        }
        HttpPlan plan = options.quick() ? HttpPlan.quick() : HttpPlan.full();
        new HttpBench(options, plan, System.out, System.err).run(file());
    }

    private static Path file() {
        String now = LocalDateTime.now(ZoneId.systemDefault())
                .format(DateTimeFormatter.ofPattern("yyyy-MM-dd-HHmmss", Locale.ROOT));
        return Path.of(System.getProperty("onefold.bench.directory", "."), "bench-http-" + now + ".csv");
    }

    void run(Path file) throws Exception {
        List<String> setting =
                List.of(plan.describe(), Machine.describe(), "versions: " + Machine.jar(ProxyHandler.class));
        out.println();
        setting.forEach(out::println);
        out.println();
        HttpReport report = new HttpReport(plan, results, out);
        if (options.works().contains(HttpOptions.THROUGHPUT)) {
            throughput(report, setting, file);
        }
        if (options.works().contains(HttpOptions.WAITING)) {
            say("waiting: %,d requests".formatted(plan.keys() * plan.duplicates()));
            Waiting.measure(plan, results, out);
        }
        if (options.works().contains(HttpOptions.UPLOADS)) {
            say("uploads: %,d".formatted(plan.uploads()));
            Uploads.measure(plan, results, out);
        }
        report.printGoals();
    }

    private void throughput(HttpReport report, List<String> setting, Path file) throws Exception {
        try (PrintStream slices = new PrintStream(Files.newOutputStream(file), true);
                Throughput throughput = new Throughput(
                        plan,
                        results,
                        (slice, latencies) -> slices.printf(
                                Locale.ROOT,
                                "%s,%.1f,%.1f%n",
                                slice.line(),
                                latencies.micros(0.5),
                                latencies.micros(0.99)))) {
            setting.forEach(line -> slices.println("# " + line));
            slices.println(Slice.COLUMNS + ",p50_micros,p99_micros");
            say("warming up");
            throughput.warmUp();
            for (int connections : plan.connections()) {
                say(connections + (connections == 1 ? " connection" : " connections"));
                throughput.measure(connections);
            }
            report.table(throughput);
            out.printf("  all slices: %s%n", file);
        }
    }

    private void say(String what) {
        progress.printf(Locale.ROOT, "[%4d s] %s%n", (System.nanoTime() - began) / 1_000_000_000, what);
    }
}
