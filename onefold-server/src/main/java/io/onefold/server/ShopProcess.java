package io.onefold.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** The demo shop as a process that can be killed. It ends by itself when this process is gone, since its input ends then. */
final class ShopProcess implements AutoCloseable {
    private static final long PATIENCE_SECONDS = 60;
    private static final String GONE = "";

    private final Process process;
    private final BlockingQueue<String> told = new LinkedBlockingQueue<>();
    private final int port;

    private ShopProcess(Process process) {
        this.process = process;
        Thread reader = new Thread(this::read, "onefold-demo-shop");
        reader.setDaemon(true);
        reader.start();
        this.port = Integer.parseInt(await(DemoShop.LISTENS));
    }

    /**
     * Starts a shop, which listens when this returns.
     *
     * @param port 0 for a free one
     */
    static ShopProcess start(Path directory, int port) {
        String classPath = System.getProperty("java.class.path");
        boolean fromJar = classPath.endsWith(".jar") && !classPath.contains(File.pathSeparator);
        ProcessBuilder builder = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-Xmx64m");
        if (fromJar) {
            builder.command().addAll(List.of("-jar", classPath));
        } else {
            // a long command line would hide the process from a user who looks for it
            builder.environment().put("CLASSPATH", classPath);
            builder.command().add(Main.class.getName());
        }
        builder.command().addAll(List.of(ShopCommand.NAME, directory.toString(), "" + port));
        Process process;
        try {
            process = builder.redirectError(ProcessBuilder.Redirect.INHERIT).start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        try {
            return new ShopProcess(process);
        } catch (RuntimeException e) {
            process.destroyForcibly().onExit().join();
            throw e;
        }
    }

    private void read() {
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8))) {
            String line;
            while ((line = lines.readLine()) != null) {
                told.add(line);
            }
        } catch (IOException e) {
            // treated like a process that is gone
        }
        told.add(GONE);
    }

    int port() {
        return port;
    }

    String address() {
        return "http://127.0.0.1:" + port;
    }

    long pid() {
        return process.pid();
    }

    /**
     * Waits until the shop prints a line with this beginning.
     *
     * @return the rest of the line
     */
    String await(String beginning) {
        try {
            String line;
            do {
                line = told.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
                if (line == null || line.equals(GONE)) {
                    throw new IllegalStateException("the shop " + (line == null ? "hangs" : "ended by itself"));
                }
            } while (!line.startsWith(beginning));
            return line.substring(beginning.length());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for the shop", e);
        }
    }

    /** Kills the shop, with SIGKILL where there are signals; it is gone when this returns. */
    void kill() {
        process.destroyForcibly().onExit().join();
    }

    @Override
    public void close() {
        kill();
    }
}
