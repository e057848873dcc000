package io.onefold.benchmarks.spring;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/** How long an application takes until it is ready, with and without Onefold. */
final class Starts {
    private Starts() {}

    /** In milliseconds: medians. */
    record Result(long without, long with) {}

    static Result measure(int times) throws IOException, InterruptedException {
        long[] without = new long[times];
        long[] with = new long[times];
        for (int i = 0; i < times; i++) {
            without[i] = start(false);
            with[i] = start(true);
        }
        return new Result(median(without), median(with));
    }

    private static long start(boolean enabled) throws IOException, InterruptedException {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        ProcessBuilder command = new ProcessBuilder(List.of(
                java,
                "-Dorg.springframework.boot.logging.LoggingSystem=none",
                StartedApplication.class.getName(),
                Boolean.toString(enabled)));
        command.environment().put("CLASSPATH", System.getProperty("java.class.path"));
        command.redirectError(ProcessBuilder.Redirect.INHERIT);
        Process process = command.start();
        try (BufferedReader said = process.inputReader(StandardCharsets.UTF_8)) {
            String took = said.lines()
                    .filter(line -> line.startsWith(StartedApplication.READY))
                    .findFirst()
                    .orElseThrow(() -> new IllegalStateException("the application did not start"));
            return Long.parseLong(took.substring(StartedApplication.READY.length()));
        } finally {
            process.destroy();
            process.waitFor();
        }
    }

    private static long median(long[] values) {
        long[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }
}
