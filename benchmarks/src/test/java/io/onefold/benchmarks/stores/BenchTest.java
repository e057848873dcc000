package io.onefold.benchmarks.stores;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** That it can be measured, and that what is measured does right; not how fast it is. */
class BenchTest {
    @TempDir
    Path directory;

    @Test
    void every_subject_does_each_key_once() throws Exception {
        assertThat(run("postgresql,sqlite"))
                .contains("fsync=on, synchronous_commit=on", "synchronous=2", "spring-integration-jdbc-")
                .contains("bytes per record = ")
                .contains("onefold, few rows / onefold, many rows = ")
                .contains("redis first, 64 callers: onefold / two commands GET; SET, pooled Jedis: not measured")
                .contains("postgresql first, 64 callers: onefold / best that stores results (");
        assertThat(subjects("postgresql,first,64,"))
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

    @Test
    void every_subject_on_redis_does_each_key_once() throws Exception {
        assertThat(run("redis"))
                .contains("appendonly=no", "maxmemory-policy=noeviction", "behind the front door PostgreSQL ")
                .contains("redisson-", "jedis-", "lettuce-core-", "spring-integration-redis-")
                .containsPattern("redis: bytes per record = [1-9]\\d\\d \\(goal at most 470\\)")
                .contains("redis first, 64 callers: onefold / naive GET, SET NX, SET; pooled Jedis = ");
        assertThat(subjects("redis,first,64,"))
                .containsExactlyInAnyOrder(
                        "onefold",
                        "naive GET; SET NX; SET; pooled Jedis",
                        "naive GET; SET NX; SET; shared Lettuce",
                        "Spring Integration",
                        "Redisson lock and bucket",
                        "two commands GET; SET; pooled Jedis",
                        "two commands GET; SET; shared Lettuce");
        assertThat(subjects("redis,replay,8,"))
                .contains("onefold", "onefold front door", "one GET; pooled Jedis", "one GET; shared Lettuce");
    }

    /** What it says. */
    private String run(String databases) throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        new Bench(
                        Options.parse(List.of("--db", databases)),
                        smoke(1, 50),
                        new PrintStream(out, true, StandardCharsets.UTF_8),
                        new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8))
                .run(slices());
        return out.toString(StandardCharsets.UTF_8);
    }

    private Stream<String> subjects(String group) throws IOException {
        return Files.readAllLines(slices()).stream()
                .filter(line -> line.startsWith(group))
                .map(line -> line.split(",", -1)[3])
                .distinct();
    }

    private Path slices() {
        return directory.resolve("slices.csv");
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
                Map.of(
                        Postgres.ID,
                        all,
                        Sqlite.ID,
                        Map.of(Workload.FIRST, List.of(4), Workload.REPLAY, List.of(4)),
                        RedisVenue.ID,
                        all));
    }
}
