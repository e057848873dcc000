package io.onefold.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DemoTest {
    private static final String INVITATION = "  curl -i http://127.0.0.1:";

    @TempDir
    Path temporary;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @Test
    void told_once_every_line_holds_and_nothing_is_left_behind() {
        assertThat(run("demo", "--once", "--port", "0")).isEqualTo(Main.OK);
        assertThat(told())
                .containsSubsequence(
                        "charges of order-1: expected 5, seen 5",
                        "replays: expected 4, seen 4",
                        "charges of order-2: expected 1, seen 1",
                        "[body.amount]",
                        "kill -9",
                        "409 outcome-unknown",
                        "201 replayed",
                        "charges of order-3: expected 1, seen 1",
                        "charges of order-4: expected 1, seen 1",
                        "Every line held",
                        "gateway  http://127.0.0.1:",
                        "/metrics",
                        "shop     http://127.0.0.1:",
                        INVITATION,
                        "With --once shop and gateway stop here")
                .doesNotContain("NOT HELD", "Ctrl-C");
        assertThat(directory()).doesNotExist();
        assertThat(shops(ProcessHandle.current())).isEmpty();
    }

    @Test
    void a_line_that_does_not_hold_is_a_failure_and_what_was_written_is_kept() throws Exception {
        String unprotected = "routes:\n  - pass: /charges\n";
        assertThat(DemoCommand.run(new PrintStream(out, true, UTF_8), 0, false, unprotected))
                .isEqualTo(Main.FAILED);
        assertThat(told())
                .contains(
                        "ok        charges of order-1: expected 5, seen 5",
                        "NOT HELD  charges of order-2: expected 1, seen 5",
                        "NOT HELD  answer: expected 422 key-reused, seen 201",
                        "Not every line held",
                        "kept in " + directory())
                .doesNotContain("Every line held", "curl");
        try (Stream<Path> kept = Files.walk(directory())) {
            List<Path> files = kept.filter(Files::isRegularFile).toList();
            assertThat(files)
                    .extracting(file -> file.getFileName().toString())
                    .contains("charges.tsv", "records.db", "gateway.yaml");
            for (Path file : files) {
                Files.delete(file);
            }
        }
        Files.delete(directory());
        assertThat(shops(ProcessHandle.current())).isEmpty();
    }

    @Test
    void a_port_in_use_is_named_together_with_how_to_choose_another() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertThat(run("demo", "--once", "--port", "" + taken.getLocalPort()))
                    .isEqualTo(Main.MISUSED);
            assertThat(err.toString(UTF_8))
                    .contains("port " + taken.getLocalPort() + " of 127.0.0.1 is in use", "--port N");
        }
        assertThat(directory()).doesNotExist();
        assertThat(shops(ProcessHandle.current())).isEmpty();
    }

    @Test
    void a_port_that_is_none_is_refused() {
        assertThat(run("demo", "--port", "70000")).isEqualTo(Main.MISUSED);
        assertThat(err.toString(UTF_8)).contains("between 0 and 65535, not 70000");
    }

    /** At the end and in mid-story. */
    @ParameterizedTest
    @CsvSource({"INT, '" + INVITATION + "', 0", "TERM, '" + INVITATION + "', 0", "INT, '1. An order', 130"})
    void a_signal_leaves_neither_process_nor_directory(String signal, String after, int status) throws Exception {
        Process demo = start();
        try {
            readUntil(demo, after);
            List<ProcessHandle> shops = shops(demo.toHandle());
            assertThat(shops).hasSize(1);
            assertThat(new ProcessBuilder("kill", "-" + signal, "" + demo.pid())
                            .start()
                            .waitFor())
                    .isZero();
            assertThat(demo.waitFor(1, TimeUnit.MINUTES)).isTrue();
            assertThat(demo.exitValue()).isEqualTo(status);
            assertGone(shops);
            assertThat(temporary).isEmptyDirectory();
        } finally {
            demo.destroyForcibly();
        }
    }

    /** A terminal sends it to the shop as well, which may be gone before it was heard of. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void a_signal_while_it_starts_leaves_neither_process_nor_directory(boolean terminal) throws Exception {
        Process demo = start();
        try {
            readUntil(demo, "A shop and a gateway are started");
            List<ProcessHandle> shops = shops(demo.toHandle());
            while (terminal && shops.isEmpty() && demo.isAlive()) {
                Thread.onSpinWait();
                shops = shops(demo.toHandle());
            }
            assertThat(new ProcessBuilder("kill", "-INT", "" + demo.pid())
                            .start()
                            .waitFor())
                    .isZero();
            if (terminal) {
                shops.forEach(ProcessHandle::destroy);
            }
            assertThat(demo.waitFor(1, TimeUnit.MINUTES)).isTrue();
            assertThat(demo.exitValue()).isEqualTo(130);
            assertGone(shops);
            assertThat(temporary).isEmptyDirectory();
        } finally {
            demo.destroyForcibly();
        }
    }

    @Test
    void a_demo_that_is_killed_takes_its_shop_along() throws Exception {
        Process demo = start();
        readUntil(demo, "1. An order");
        List<ProcessHandle> shops = shops(demo.toHandle());
        assertThat(shops).hasSize(1);
        demo.destroyForcibly().waitFor();
        assertGone(shops);
    }

    private Process start() throws Exception {
        List<String> command = new ArrayList<>(heedingInterrupts());
        command.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-Djava.io.tmpdir=" + temporary,
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                "demo",
                "--port",
                "0"));
        return new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    /** What a shell starts in the background ignores interrupts, and so does all that it starts: a build may be such. Not every env can help. */
    private static List<String> heedingInterrupts() throws Exception {
        List<String> prefix = List.of("env", "--default-signal=INT");
        Process tried = new ProcessBuilder(prefix.get(0), prefix.get(1), "true")
                .redirectErrorStream(true)
                .start();
        tried.getInputStream().readAllBytes();
        return tried.waitFor() == 0 ? prefix : List.of();
    }

    private static void readUntil(Process demo, String beginning) throws IOException {
        BufferedReader lines = new BufferedReader(new InputStreamReader(demo.getInputStream(), UTF_8));
        String line = lines.readLine();
        while (line != null && !line.startsWith(beginning)) {
            line = lines.readLine();
        }
        assertThat(line).as("what was waited for").isNotNull();
    }

    private static List<ProcessHandle> shops(ProcessHandle of) {
        return of.descendants()
                .filter(one -> one.info().commandLine().orElse("").contains(ShopCommand.NAME))
                .toList();
    }

    private static void assertGone(List<ProcessHandle> processes) {
        assertThat(processes).allSatisfy(one -> assertThat(one.onExit()).succeedsWithin(Duration.ofMinutes(1)));
    }

    private Path directory() {
        Matcher directory =
                Pattern.compile("what they write is in (.*) until they end").matcher(told());
        assertThat(directory.find()).isTrue();
        return Path.of(directory.group(1));
    }

    private String told() {
        return out.toString(UTF_8);
    }

    private int run(String... arguments) {
        return Main.run(List.of(arguments), new PrintStream(out, true, UTF_8), new PrintStream(err, true, UTF_8));
    }
}
