package io.onefold.server.gateway;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A gateway in a process of its own, which can be killed. */
final class GatewayProcess implements AutoCloseable {
    private static final Pattern LISTENS = Pattern.compile("listens on http://127\\.0\\.0\\.1:(\\d+) ");

    private final Process process;
    private final BufferedReader out;
    final Client client;

    private GatewayProcess(Process process, BufferedReader out, int port) {
        this.process = process;
        this.out = out;
        this.client = new Client(port);
    }

    static GatewayProcess start(String... options) throws IOException {
        return start("1g", options);
    }

    /** With a heap of this size. */
    static GatewayProcess start(String heap, String[] options) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                System.getProperty("java.home") + File.separator + "bin" + File.separator + "java",
                "-XX:TieredStopAtLevel=1",
                "-Xmx" + heap,
                "-cp",
                System.getProperty("java.class.path"),
                "io.onefold.server.Main",
                "proxy",
                "--listen",
                "127.0.0.1:0"));
        command.addAll(List.of(options));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        BufferedReader out = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8));
        StringBuilder said = new StringBuilder();
        for (String line = out.readLine(); line != null; line = out.readLine()) {
            said.append(line).append('\n');
            Matcher matcher = LISTENS.matcher(line);
            if (matcher.find()) {
                return new GatewayProcess(process, out, Integer.parseInt(matcher.group(1)));
            }
        }
        throw new IOException("the gateway did not start: " + said);
    }

    /** With SIGKILL. */
    void kill() throws InterruptedException {
        process.destroyForcibly();
        if (!process.waitFor(30, TimeUnit.SECONDS)) {
            throw new IllegalStateException("it cannot be killed");
        }
    }

    /** With SIGTERM. */
    void ask() {
        // the process's own would close its output as well
        process.toHandle().destroy();
    }

    int exitCode() throws InterruptedException {
        if (!process.waitFor(60, TimeUnit.SECONDS)) {
            throw new IllegalStateException("it does not end");
        }
        return process.exitValue();
    }

    String restOfOutput() throws IOException {
        StringBuilder text = new StringBuilder();
        for (String line = out.readLine(); line != null; line = out.readLine()) {
            text.append(line).append('\n');
        }
        return text.toString();
    }

    @Override
    public void close() throws InterruptedException {
        kill();
    }
}
