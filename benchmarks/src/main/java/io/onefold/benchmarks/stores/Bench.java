package io.onefold.benchmarks.stores;

import com.zaxxer.hikari.HikariDataSource;
import dev.dbos.transact.DBOS;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneId;
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
        List<String> setting = List.of(plan.describe(), machine(), versions());
        out.println();
        setting.forEach(out::println);
        out.println();
        out.print(Report.LEGEND);
        try (PrintStream slices = new PrintStream(Files.newOutputStream(file), true);
                Runner runner = new Runner(plan, results, slice -> slices.println(slice.line()))) {
            setting.forEach(line -> slices.println("# " + line));
            slices.println(Slice.COLUMNS);
            for (String id : options.databases()) {
                try (Database database = open(id)) {
                    out.printf("%n== %s%n", database.describe());
                    slices.println("# " + database.describe());
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
            if (!plan.warm().isZero()) {
                warmUp(database, runner, subjects);
            }
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
                report.table(database.id(), workload.id());
            }
        }
        if (database instanceof Postgres postgres && options.works().contains(Options.GROWTH)) {
            say("postgresql growth: filling tables");
            Growth.measure(postgres, plan, runner);
            for (Workload workload : Growth.WORKLOADS) {
                report.table(database.id(), Growth.group(workload).work());
            }
        }
        if (database instanceof Postgres postgres && options.works().contains(Options.BYTES)) {
            say("postgresql bytes: writing records");
            Bytes.measure(postgres, plan, results, out);
        }
    }

    private void warmUp(Database database, Runner runner, Subjects subjects) throws InterruptedException {
        say(database.id() + ": warming up");
        for (Workload workload : List.of(Workload.FIRST, Workload.REPLAY, Workload.JOINED)) {
            boolean others = workload != Workload.JOINED
                    && !(callers(database, Workload.MIX).isEmpty()
                            && callers(database, Workload.HOT).isEmpty());
            if (others || !callers(database, workload).isEmpty()) {
                runner.warmUp(database.id(), workload, subjects.of(workload, 64));
            }
        }
    }

    private List<Integer> callers(Database database, Workload workload) {
        return options.works().contains(workload.id()) ? plan.callers(database.id(), workload) : List.of();
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
    private static String versions() {
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
