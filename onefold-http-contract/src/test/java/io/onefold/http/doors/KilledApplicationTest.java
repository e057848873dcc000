package io.onefold.http.doors;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.onefold.http.contract.RunningAdapter;
import io.onefold.http.doors.StoppingApplication.Kind;
import io.onefold.http.doors.StoppingApplication.Step;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** An application is killed between two steps, and what another one on its records makes of the request. */
@ParameterizedClass
@EnumSource(Kind.class)
@Timeout(120)
class KilledApplicationTest {
    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    @TempDir
    Path directory;

    @Parameter
    Kind kind = Kind.TOMCAT;

    @Test
    @Tag("F1")
    void before_the_claim_nothing_has_happened_and_the_retry_runs() throws Exception {
        killAt(Step.BEFORE_THE_CLAIM);
        assertThat(effects()).isZero();
        try (RunningAdapter survivor = survivor()) {
            HttpResponse<String> retried = post(survivor.port()).join();
            assertThat(retried.body()).isEqualTo("done");
            assertThat(replayed(retried)).isFalse();
        }
        assertThat(effects()).isEqualTo(1);
    }

    @Test
    @Tag("F2")
    void after_the_claim_and_before_the_work_it_is_unknown() throws Exception {
        killAt(Step.AFTER_THE_CLAIM);
        assertUnknown(0);
    }

    @Test
    @Tag("F3")
    void at_work_it_is_unknown() throws Exception {
        killAt(Step.AT_WORK);
        assertUnknown(1);
    }

    @Test
    @Tag("F4")
    void after_the_work_and_before_that_is_recorded_it_is_unknown() throws Exception {
        killAt(Step.BEFORE_THE_RECORD);
        assertUnknown(1);
    }

    @Test
    @Tag("F5")
    void after_the_answer_is_recorded_and_before_the_client_has_it_it_is_replayed() throws Exception {
        killAt(Step.AFTER_THE_RECORD);
        try (RunningAdapter survivor = survivor()) {
            HttpResponse<String> retried = post(survivor.port()).join();
            assertThat(retried.statusCode()).isEqualTo(201);
            assertThat(retried.body()).isEqualTo("done");
            assertThat(replayed(retried)).isTrue();
        }
        assertThat(effects()).isEqualTo(1);
    }

    private void killAt(Step step) throws Exception {
        Process process = new ProcessBuilder(
                        System.getProperty("java.home") + File.separator + "bin" + File.separator + "java",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        StoppingApplication.class.getName(),
                        kind.name(),
                        directory.toString(),
                        step.name())
                .redirectErrorStream(true)
                .start();
        try (BufferedReader out = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8))) {
            int port = Integer.parseInt(await(out, "listens on "));
            CompletableFuture<HttpResponse<String>> lost = post(port);
            await(out, "stops " + step);
            assertThat(lost).as("nobody was told").isNotDone();
            process.destroyForcibly();
            assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
            assertThat(lost).failsWithin(Duration.ofSeconds(30));
        } finally {
            process.destroyForcibly();
        }
    }

    /** The rest of the first line that begins so. */
    private static String await(BufferedReader out, String beginning) throws IOException {
        StringBuilder said = new StringBuilder();
        for (String line = out.readLine(); line != null; line = out.readLine()) {
            said.append(line).append('\n');
            if (line.startsWith(beginning)) {
                return line.substring(beginning.length());
            }
        }
        throw new IOException("it has ended: " + said);
    }

    private RunningAdapter survivor() throws Exception {
        return StoppingApplication.open(kind, directory, Step.NEVER);
    }

    private void assertUnknown(int effects) throws Exception {
        try (RunningAdapter survivor = survivor()) {
            String told;
            do {
                HttpResponse<String> answer = post(survivor.port()).join();
                assertThat(answer.statusCode()).isEqualTo(409);
                told = answer.body();
            } while (told.contains("in-progress")); // until the lease is over
            assertThat(told).contains("outcome-unknown");
        }
        assertThat(effects()).as("nothing is repeated").isEqualTo(effects);
    }

    private long effects() throws IOException {
        Path file = StoppingApplication.effects(directory);
        return Files.exists(file) ? Files.readAllLines(file).size() : 0;
    }

    private static boolean replayed(HttpResponse<?> answer) {
        return answer.headers().firstValue("Idempotent-Replayed").isPresent();
    }

    private static CompletableFuture<HttpResponse<String>> post(int port) {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/orders"))
                .header("Idempotency-Key", "the-key-of-the-request")
                .POST(HttpRequest.BodyPublishers.ofString("{}"))
                .build();
        return CLIENT.sendAsync(request, HttpResponse.BodyHandlers.ofString());
    }
}
