package io.onefold.benchmarks.stores;

import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;

/** Measures stores side by side: tables to standard output, progress to standard error, every slice to a file. */
public final class Bench {
    private final Options options;
    private final Plan plan;
    private final PrintStream out;
    private final PrintStream progress;
    private final Results results = new Results();
    private final Report report;
    private final long began = System.nanoTime();

    Bench(Options options, Plan plan, PrintStream out, PrintStream progress) {
        this.options = options;
        this.plan = plan;
        this.out = out;
        this.progress = progress;
        this.report = new Report(results, out);
    }

    public static void main(String[] arguments) {
        Options options;
        try {
            options = Options.parse(List.of(arguments));
        } catch (IllegalArgumentException e) {
            System.err.println("onefold: " + e.getMessage());
            System.err.println(Options.USAGE);
            System.exit(2);
            return;
        }
        int code = 1;
        try {
            Plan plan = options.quick() ? Plan.quick() : Plan.full();
            new Bench(options, plan, System.out, System.err).run(file());
            code = 0;
        } catch (Exception e) {
            e.printStackTrace(System.err);
        }
        System.exit(code); // peers may leave threads behind
    }

    private static Path file() {
        String now = LocalDateTime.now(ZoneId.systemDefault())
                .format(DateTimeFormatter.ofPattern("yyyy-MM-dd-HHmmss", Locale.ROOT));
        return Path.of(System.getProperty("onefold.bench.directory", "."), "bench-" + now + ".csv");
    }

    Results run(Path file) throws Exception {
        List<String> setting = List.of(plan.describe(), Machine.describe(), Machine.versions());
        out.println();
        setting.forEach(out::println);
        out.println();
        out.print(Report.LEGEND);
        try (PrintStream slices = new PrintStream(Files.newOutputStream(file), true);
                Runner runner = new Runner(plan, results, slice -> slices.println(slice.line()))) {
            setting.forEach(line -> slices.println("# " + line));
            slices.println(Slice.COLUMNS);
            for (String id : options.databases()) {
                try (Venue venue = open(id)) {
                    out.printf("%n== %s%n", venue.describe());
                    slices.println("# " + venue.describe());
                    measure(venue, runner);
                    venue.dismiss();
                    measureMore(venue, runner);
                }
            }
        }
        report.goals();
        out.printf("%nAll slices: %s%n", file);
        return results;
    }

    private void measure(Venue venue, Runner runner) throws InterruptedException {
        if (!plan.warm().isZero()) {
            warmUp(venue, runner);
        }
        for (Workload workload : Workload.values()) {
            for (int callers : callers(venue, workload)) {
                Group group = Group.of(venue.id(), workload, callers);
                Subjects subjects = venue.subjects(plan);
                List<Subject> measured = subjects.of(workload, callers);
                say(group + ": " + measured.size() + " subjects");
                runner.measure(group, workload, measured, subjects.effects(workload));
            }
            report.table(venue.id(), workload.id());
        }
    }

    /** What only some venues can tell. */
    private void measureMore(Venue venue, Runner runner) throws InterruptedException, SQLException {
        if (venue instanceof Postgres postgres && options.works().contains(Options.GROWTH)) {
            say("postgresql growth: filling tables");
            Growth.measure(postgres, plan, runner);
            for (Workload workload : Growth.WORKLOADS) {
                report.table(venue.id(), Growth.group(workload).work());
            }
        }
        if (options.works().contains(Options.BYTES)) {
            if (venue instanceof Postgres postgres) {
                say("postgresql bytes: writing records");
                Bytes.measure(postgres, plan, results, out);
            } else if (venue instanceof RedisVenue) {
                say("redis bytes: writing records");
                RedisBytes.measure(plan, results, out);
            }
        }
    }

    private void warmUp(Venue venue, Runner runner) throws InterruptedException {
        say(venue.id() + ": warming up");
        for (Workload workload : List.of(Workload.FIRST, Workload.REPLAY, Workload.JOINED)) {
            boolean others = workload != Workload.JOINED
                    && !(callers(venue, Workload.MIX).isEmpty()
                            && callers(venue, Workload.HOT).isEmpty());
            if (others || !callers(venue, workload).isEmpty()) {
                runner.warmUp(venue.id(), workload, venue.subjects(plan).of(workload, 64));
            }
        }
    }

    private List<Integer> callers(Venue venue, Workload workload) {
        return options.works().contains(workload.id()) ? plan.callers(venue.id(), workload) : List.of();
    }

    private static Venue open(String id) {
        return switch (id) {
            case Postgres.ID -> new Postgres();
            case MariaDb.ID -> new MariaDb();
            case RedisVenue.ID -> new RedisVenue();
            default -> new Sqlite();
        };
    }

    private void say(String what) {
        progress.printf(Locale.ROOT, "[%4d s] %s%n", (System.nanoTime() - began) / 1_000_000_000, what);
    }
}
