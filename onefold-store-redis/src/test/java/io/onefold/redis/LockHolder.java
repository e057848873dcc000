package io.onefold.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** Another process that holds a lock: it says so, ends its section when told to, and says what became of it. */
final class LockHolder implements AutoCloseable {
    private final Process process;
    private final BufferedReader out;
    private final Writer in;

    private LockHolder(Process process) {
        this.process = process;
        this.out = process.inputReader(UTF_8);
        this.in = process.outputWriter(UTF_8);
    }

    static LockHolder start(String uri, String name, Duration lease) throws IOException {
        return new LockHolder(new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        LockHolder.class.getName(),
                        uri,
                        name,
                        Long.toString(lease.toMillis()))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start());
    }

    public static void main(String[] args) throws IOException {
        BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, UTF_8));
        try (RedisConnections redis = RedisConnections.at(args[0]);
                FencedLocks locks = FencedLocks.on(RedisStore.of(redis), Duration.ofMillis(Long.parseLong(args[2])))) {
            locks.run(args[1], held -> {
                System.out.println("fence " + held.fence());
                String unused = commands.readLine();
                System.out.println("mine " + held.stillMine());
                return null;
            });
            System.out.println("end released");
        } catch (LockLostException e) {
            System.out.println("end lost");
        }
    }

    long fence() throws IOException {
        return Long.parseLong(next("fence "));
    }

    /** Tells it to end; whether the lock was its own still, as far as it knew, and what became of it. */
    String end() throws IOException {
        in.write("end\n");
        in.flush();
        return next("mine ") + " " + next("end ");
    }

    /** SIGKILL: it gets no chance to release anything. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /** SIGSTOP: it stands still and knows nothing of it. */
    void pause() throws Exception {
        signal("STOP");
        Path status = Path.of("/proc", Long.toString(process.pid()), "status");
        Until.met("the holder stands still", () -> read(status).contains("State:\tT"));
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

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private String next(String wanted) throws IOException {
        String line;
        while ((line = out.readLine()) != null) {
            if (line.startsWith(wanted)) {
                return line.substring(wanted.length());
            }
        }
        throw new AssertionError("the holder ended without saying \"" + wanted + "\"");
    }

    @Override
    public void close() throws InterruptedException {
        kill();
    }
}
