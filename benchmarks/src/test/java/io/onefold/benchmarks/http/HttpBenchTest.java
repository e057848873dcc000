package io.onefold.benchmarks.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** That it can be measured, and that what is measured does right; not how fast it is. */
class HttpBenchTest {
    @TempDir
    Path directory;

    @Test
    void every_way_is_measured_and_judged() throws Exception {
        assertThat(run("throughput"))
                .contains("connections: 4", "gateway, replay ", "service directly ")
                .contains("http small, 4 callers: gateway, first execution / Jetty proxy without Onefold = ")
                .contains("http small, 4 callers: gateway, replay / Jetty proxy without Onefold = ");
        assertThat(Files.readAllLines(slices()).stream()
                        .filter(line -> line.startsWith("http,small,4,"))
                        .map(line -> line.split(",", -1)[3])
                        .distinct())
                .containsExactlyInAnyOrder(
                        "service directly",
                        "Jetty proxy without Onefold",
                        "the same; answers on selectors",
                        "gateway; no key: passed on",
                        "gateway; first execution",
                        "gateway; replay");
    }

    @Test
    void duplicates_that_wait_hold_no_threads() throws Exception {
        assertThat(run("waiting"))
                .contains("400 requests under way, 300 of them duplicates that wait")
                .contains("then 100 executions, and each duplicate had the answer of its first")
                .containsPattern("wait = \\d+ \\(goal at most 32\\): held");
    }

    @Test
    void uploads_are_sent_and_the_heap_is_looked_at() throws Exception {
        assertThat(run("uploads"))
                .contains("Uploads: 12 of 10 MiB, 8 at a time")
                .containsPattern("every 4 uploads: \\S+ \\S+ \\S+\\R")
                .contains("KiB that the gateway's heap grew by in 12 uploads of 10 MiB = ");
    }

    /** What it says. */
    private String run(String work) throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        new HttpBench(
                        HttpOptions.parse(List.of("--only", work)),
                        new HttpPlan(
                                "smoke",
                                Duration.ofMillis(50),
                                1,
                                1,
                                Duration.ofMillis(5),
                                Duration.ofMillis(50),
                                List.of(4),
                                10,
                                100,
                                4,
                                12,
                                4),
                        new PrintStream(out, true, StandardCharsets.UTF_8),
                        new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8))
                .run(slices());
        return out.toString(StandardCharsets.UTF_8);
    }

    private Path slices() {
        return directory.resolve("slices.csv");
    }
}
