package io.onefold.benchmarks.stores;

import com.zaxxer.hikari.HikariDataSource;
import dev.dbos.transact.DBOS;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import net.javacrumbs.shedlock.provider.jdbctemplate.JdbcTemplateLockProvider;
import org.apache.camel.processor.idempotent.jdbc.JdbcMessageIdRepository;
import org.springframework.integration.jdbc.metadata.JdbcMetadataStore;

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

    public static void main(String[] arguments) throws Exception {
        Options options;
        try {
            options = Options.parse(List.of(arguments));
        } catch (IllegalArgumentException e) {
            System.err.println("onefold: " + e.getMessage());
            System.err.println(Options.USAGE);
            System.exit(2);
            return;
        }
        Path directory = Path.of(System.getProperty("onefold.bench.directory", "."));
        String now = LocalDateTime.now(java.time.ZoneId.systemDefault())
                .format(DateTimeFormatter.ofPattern("yyyy-MM-dd-HHmmss", Locale.ROOT));
        Path file = directory.resolve("bench-" + now + ".csv");
        new Bench(options, options.quick() ? Plan.quick() : Plan.full(), System.out, System.err).run(file);
        System.exit(0); // peers leave threads behind
    }

    Results run(Path file) throws Exception {
        out.println(plan.describe());
        out.println(machine());
        out.println(versions());
        out.println();
        out.print(Report.LEGEND);
        try (PrintStream slices = new PrintStream(Files.newOutputStream(file), true);
                Runner runner = new Runner(plan, results, slice -> slices.println(slice.line()))) {
            slices.println(Slice.COLUMNS);
            for (String id : options.databases()) {
                try (Database database = open(id)) {
                    out.printf("%n== %s%n", database.describe());
                    measure(database, runner);
                }
            }
        }
        report.goals();
        out.printf("%nAll slices: %s%n", file);
        return results;
    }

    private void measure(Database database, Runner runner) throws Exception {
        try (Subjects subjects = new Subjects(database, plan)) {
            say(database.id() + ": warming up");
            runner.warmUp(database.id(), wanted(database, subjects));
            for (Workload workload : Workload.values()) {
                for (int callers : callers(database, workload)) {
                    Group group = Group.of(database.id(), workload, callers);
                    List<Subject> measured = subjects.of(workload, callers);
                    say(group + ": " + measured.size() + " subjects");
                    if (workload == Workload.JOINED) {
                        runner.measure(group, workload, measured, subjects.orders()::count);
                    } else {
                        runner.measure(group, workload, measured);
                    }
                }
            }
        }
        if (database instanceof Postgres postgres && options.works().contains(Options.GROWTH)) {
            say("postgresql growth: filling tables");
            Growth.measure(postgres, plan, runner);
        }
        report.tables(database.id());
        if (database instanceof Postgres postgres && options.works().contains(Options.BYTES)) {
            say("postgresql bytes: writing records");
            Bytes.measure(postgres, plan, results, out);
        }
    }

    private List<Integer> callers(Database database, Workload workload) {
        return options.works().contains(workload.id()) ? plan.callers(database.id(), workload) : List.of();
    }

    private List<Subject> wanted(Database database, Subjects subjects) {
        return subjects.all().stream()
                .filter(one -> one.traits().workloads().stream()
                        .anyMatch(workload -> !callers(database, workload).isEmpty()))
                .toList();
    }

    private static Database open(String id) {
        return switch (id) {
            case Postgres.ID -> new Postgres();
            case MariaDb.ID -> new MariaDb();
            default -> new Sqlite();
        };
    }

    private void say(String what) {
        progress.printf(Locale.ROOT, "[%4d s] %s%n", (System.nanoTime() - began) / 1_000_000_000, what);
    }

    private static String machine() {
        return "machine: %d processors, %s %s, Java %s (%s), client and servers on it together"
                .formatted(
                        Runtime.getRuntime().availableProcessors(),
                        System.getProperty("os.name"),
                        System.getProperty("os.arch"),
                        System.getProperty("java.version"),
                        System.getProperty("java.vm.name"));
    }

    /** As the jars on the class path are called. */
    private static String versions() throws IOException {
        return "versions: "
                + Stream.of(
                                JdbcMetadataStore.class,
                                JdbcMessageIdRepository.class,
                                DBOS.class,
                                JdbcTemplateLockProvider.class,
                                HikariDataSource.class)
                        .map(Bench::jar)
                        .collect(Collectors.joining(", "));
    }

    private static String jar(Class<?> type) {
        String location =
                type.getProtectionDomain().getCodeSource().getLocation().getPath();
        return location.substring(location.lastIndexOf('/') + 1).replace(".jar", "");
    }
}
