package io.onefold.benchmarks.http;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A {@link Host} in its process. */
final class Hosted implements AutoCloseable {
    private final String role;
    private final Process process;
    private final Path directory;
    private final BufferedReader answers;
    private final Writer questions;
    private final int port;

    private Hosted(String role, Process process, Path directory) throws IOException {
        this.role = role;
        this.process = process;
        this.directory = directory;
        this.answers = process.inputReader(StandardCharsets.US_ASCII);
        this.questions = process.outputWriter(StandardCharsets.US_ASCII);
        this.port = Integer.parseInt(answer());
    }

    static Hosted service() throws IOException {
        return start(Host.SERVICE, "-Xmx256m", List.of());
    }

    /** Of the proxy or a gateway. */
    static Hosted before(Hosted service, String role, String heap) throws IOException {
        return start(role, heap, List.of("http://127.0.0.1:" + service.port));
    }

    private static Hosted start(String role, String heap, List<String> arguments) throws IOException {
        Path directory = Files.createTempDirectory("onefold-bench");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                heap,
                "-XX:+ExitOnOutOfMemoryError",
                "-cp",
                System.getProperty("java.class.path"),
                Host.class.getName(),
                role));
        command.addAll(arguments);
        command.add(directory.toString());
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try {
            return new Hosted(role, process, directory);
        } catch (IOException e) {
            process.destroyForcibly();
            throw e;
        }
    }

    InetSocketAddress address() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    long number(String question) throws IOException {
        return Long.parseLong(ask(question));
    }

    String ask(String question) throws IOException {
        questions.write(question + "\n");
        questions.flush();
        return answer();
    }

    private String answer() throws IOException {
        String answer = answers.readLine();
        if (answer == null) {
            throw new IOException("the process of the " + role + " has ended");
        }
        return answer;
    }

    @Override
    public void close() throws IOException {
        process.destroy();
        try {
            if (!process.waitFor(10, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }
}
