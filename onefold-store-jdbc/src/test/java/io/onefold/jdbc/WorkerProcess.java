package io.onefold.jdbc;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A {@link FaultWorker} as its parent sees it. */
final class WorkerProcess implements AutoCloseable {
    private final Process process;
    private final BufferedReader out;
    private final Writer in;
    private long fence;

    private WorkerProcess(Process process) {
        this.process = process;
        this.out = process.inputReader(UTF_8);
        this.in = process.outputWriter(UTF_8);
    }

    /**
     * Starts a worker.
     *
     * @param jvm further options of its JVM
     */
    static WorkerProcess start(
            FaultDatabase database, String mode, Point waitsAt, String key, Duration lease, Path file, String... jvm)
            throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC"));
        command.addAll(List.of(jvm));
        command.addAll(List.of(
                "-cp",
                System.getProperty("java.class.path"),
                FaultWorker.class.getName(),
                mode,
                waitsAt.name(),
                key,
                Long.toString(lease.toMillis()),
                file.toString(),
                database.server().url(database.name()),
                database.server().user(),
                database.server().password()));
        return new WorkerProcess(new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start());
    }

    WorkerProcess awaitPoint() throws IOException {
        next("at ");
        return this;
    }

    void goOn() throws IOException {
        in.write("go\n");
        in.flush();
    }

    /** What became of it, as it saw it. */
    String outcome() throws IOException {
        return next("outcome ");
    }

    /** Of the attempt that it is or was. */
    long fence() {
        return fence;
    }

    /** SIGKILL: it gets no chance to say or undo anything. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /** SIGSTOP: it stands still and knows nothing of it. */
    void stop() throws Exception {
        signal("STOP");
        Path state = Path.of("/proc", Long.toString(process.pid()), "status");
        Await.until("the worker stands still", () -> Files.readString(state).contains("State:\tT"));
    }

    void resume() throws Exception {
        signal("CONT");
    }

    private void signal(String name) throws Exception {
        int ended = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                .start()
                .waitFor();
        if (ended != 0) {
            throw new IllegalStateException("kill -" + name + " failed");
        }
    }

    private String next(String wanted) throws IOException {
        StringBuilder said = new StringBuilder();
        String line;
        while ((line = out.readLine()) != null) {
            if (line.startsWith("fence ")) {
                fence = Long.parseLong(line.substring("fence ".length()));
            }
            if (line.startsWith(wanted)) {
                return line.substring(wanted.length());
            }
            said.append(line).append('\n');
        }
        throw new AssertionError("the worker ended without saying \"" + wanted + "\", but:\n" + said);
    }

    @Override
    public void close() throws InterruptedException {
        kill();
    }
}
