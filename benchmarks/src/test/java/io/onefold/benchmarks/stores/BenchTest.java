package io.onefold.benchmarks.stores;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** That it can be measured, and that what is measured does right; not how fast it is. */
class BenchTest {
    @TempDir
    Path directory;

    @Test
    void every_subject_does_each_key_once() throws Exception {
        Path file = directory.resolve("slices.csv");
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Options options = Options.parse(List.of("--db", "postgresql,sqlite"));

        new Bench(
                        options,
                        smoke(1, 50),
                        new PrintStream(out, true, StandardCharsets.UTF_8),
                        new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8))
                .run(file);

        assertThat(out.toString(StandardCharsets.UTF_8))
                .contains("fsync=on, synchronous_commit=on", "synchronous=2", "spring-integration-jdbc-")
                .contains("bytes per record = ")
                .contains("few rows / many rows = ")
                .contains("postgresql first, 64 callers: onefold / best that stores results (");
        assertThat(Files.readAllLines(file).stream()
                        .filter(line -> line.startsWith("postgresql,first,64,"))
                        .map(line -> line.split(",", -1)[3])
                        .distinct())
                .containsExactlyInAnyOrder(
                        "onefold",
                        "naive select; insert; update",
                        "Spring Integration",
                        "DBOS Transact",
                        "Camel",
                        "ShedLock",
                        "one plain insert per commit",
                        "batches of 64-128 rows by hand");
    }

    static Plan smoke(int rounds, int millis) {
        Map<Workload, List<Integer>> all = new EnumMap<>(Workload.class);
        for (Workload workload : Workload.values()) {
            all.put(workload, List.of(workload == Workload.FIRST ? 64 : 8));
        }
        return new Plan(
                "smoke",
                Duration.ZERO,
                rounds,
                Duration.ofMillis(5),
                Duration.ofMillis(millis),
                false,
                new Plan.Sizes(50, 200, 10, 100),
                Map.of(Postgres.ID, all, Sqlite.ID, Map.of(Workload.FIRST, List.of(4), Workload.REPLAY, List.of(4))));
    }
}
