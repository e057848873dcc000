package io.onefold.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A server as a child process, on a free port of the loopback interface and in a temporary directory. It ends with this JVM at the
 * latest, unless the JVM itself is killed.
 */
abstract class Server implements AutoCloseable {
    private static final int LAUNCHES = 5;

    private final Path home;
    private final Account account = Account.current();
    private final Thread hook = new Thread(this::close);
    private int port;
    private @Nullable Process process;
    private boolean paused;

    Server(String name) {
        try {
            home = Files.createTempDirectory("onefold-" + name + "-");
            account.own(home);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Creates what the server needs to start for the first time. */
    abstract void initialise() throws IOException;

    abstract List<String> commandLine(int port);

    abstract boolean answers();

    /** The signal by which the server ends by itself, its children first; null if it may be killed with all of them. */
    @Nullable
    String endingSignal() {
        return null;
    }

    /** Removes what a killed server left behind outside its directory. */
    void cleanUp() throws IOException {}

    int freePort() {
        return Ports.free();
    }

    public final int port() {
        return port;
    }

    /** Ends the server and all its children at once, as a crash would. */
    public final synchronized void kill() {
        if (process != null) {
            Processes.kill(process);
            process = null;
            paused = false;
        }
    }

    /** Starts the server again with the same data on the same port, and returns when it answers. Kills it first if it runs. */
    public final synchronized void restart() {
        kill();
        launch();
    }

    /** Keeps the server from running, with its connections open and its port listening, until it is resumed. */
    public final synchronized void pause() {
        Processes.stop(running().toHandle());
        paused = true;
    }

    public final synchronized void resume() {
        ProcessHandle server = running().toHandle();
        List<ProcessHandle> all = new ArrayList<>(server.descendants().toList());
        all.add(server);
        Processes.signal("CONT", all);
        paused = false;
    }

    /** Ends the server and deletes its data. */
    @Override
    public final synchronized void close() {
        String signal = endingSignal();
        if (signal != null && process != null && process.isAlive()) {
            if (paused) {
                resume();
            }
            Processes.signal(signal, List.of(process.toHandle()));
            Processes.await(process);
        }
        kill();
        try {
            cleanUp();
            Binaries.delete(home);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        if (Thread.currentThread() != hook) {
            forgetHook();
        }
    }

    final synchronized void begin() {
        Runtime.getRuntime().addShutdownHook(hook);
        try {
            initialise();
            launchOnFreePort();
        } catch (IOException e) {
            close();
            throw new UncheckedIOException(e);
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    final Path home() {
        return home;
    }

    final void own(Path path) {
        account.own(path);
    }

    /** Whether it was neither killed nor paused. */
    final synchronized boolean isRunning() {
        return process != null && process.isAlive() && !paused;
    }

    final synchronized boolean isPaused() {
        return paused;
    }

    final synchronized long pid() {
        return running().pid();
    }

    /** Runs a program of the server to its end. */
    final void run(List<String> command, @Nullable Path input) {
        if (Processes.await(Processes.start(account.command(command), log(), input)) != 0) {
            throw failure(command.get(0) + " failed");
        }
    }

    /** Another process may take the port before the server does. */
    private void launchOnFreePort() {
        for (int launch = 1; ; launch++) {
            port = freePort();
            try {
                launch();
                return;
            } catch (IllegalStateException e) {
                if (launch == LAUNCHES) {
                    throw e;
                }
                kill();
            }
        }
    }

    private void launch() {
        Process started = Processes.start(account.command(commandLine(port)), log());
        process = started;
        Waiting.until("the server answers", () -> {
            if (!started.isAlive()) {
                throw failure("the server ended with " + started.exitValue());
            }
            return answers();
        });
    }

    private Process running() {
        if (process == null) {
            throw new IllegalStateException("the server does not run");
        }
        return process;
    }

    private Path log() {
        return home.resolve("log");
    }

    private IllegalStateException failure(String what) {
        return Processes.failure(what, log());
    }

    private void forgetHook() {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // the JVM is ending; closing twice does no harm
        }
    }
}
