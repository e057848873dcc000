package io.onefold.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A database server as a child process, on a free port of the loopback interface and in a temporary directory. What was committed is
 * on disk: it survives {@link #kill}. It ends with this JVM at the latest, unless the JVM itself is killed.
 */
public abstract sealed class DatabaseServer implements AutoCloseable permits PostgresServer, MariaDbServer {
    static final int MAX_CONNECTIONS = 300;

    private static final int LAUNCHES = 5;
    private static final int LOG_CHARS = 3000;
    private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9_]{0,62}");

    private final Path home;
    private final Account account = Account.current();
    private final String password = UUID.randomUUID().toString();
    private final AtomicInteger databases = new AtomicInteger();
    private final Thread hook = new Thread(this::close);
    private int port;
    private @Nullable Process process;
    private boolean paused;

    DatabaseServer(String name) {
        try {
            home = Files.createTempDirectory("onefold-" + name + "-");
            account.own(home);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Creates what the server needs to start for the first time. */
    abstract void initialise() throws IOException;

    abstract List<String> command(int port);

    /** Ends the server at once and leaves nothing behind outside its directory. */
    abstract String endingSignal();

    /** Removes what a killed server left behind outside its directory. */
    void cleanUp() throws IOException {}

    /** The database that is always there. */
    abstract String ownDatabase();

    /** The JDBC address of a database of this server behind a port, its own or that of a {@link TcpProxy}. */
    public abstract String url(String database, int port);

    /** The driver's own, unpooled data source behind a port, the server's own or that of a {@link TcpProxy}. */
    public abstract DataSource dataSource(String database, int port);

    public final String url(String database) {
        return url(database, port);
    }

    /** The driver's own, unpooled data source. */
    public final DataSource dataSource(String database) {
        return dataSource(database, port);
    }

    public final String user() {
        return "onefold";
    }

    public final String password() {
        return password;
    }

    public final int port() {
        return port;
    }

    /** Creates an empty database. The name is of small letters, digits and underscores. */
    public final void createDatabase(String name) {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("not a database name: " + name);
        }
        try (Connection connection = dataSource(ownDatabase()).getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE DATABASE " + name);
        } catch (SQLException e) {
            throw new IllegalStateException("cannot create database " + name, e);
        }
    }

    /** Creates an empty database under a name that was not used before. */
    public final String newDatabase() {
        String name = "test_" + databases.incrementAndGet();
        createDatabase(name);
        return name;
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
        if (process != null && process.isAlive()) {
            if (paused) {
                resume();
            }
            Processes.signal(endingSignal(), List.of(process.toHandle()));
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

    /** Runs a program of the server to its end. */
    final void run(List<String> command, @Nullable Path input) {
        if (Processes.await(Processes.start(unprivileged(command), log(), input)) != 0) {
            throw failure(command.get(0) + " failed");
        }
    }

    /** Another process may take the port before the server does. */
    private void launchOnFreePort() {
        for (int launch = 1; ; launch++) {
            port = Ports.free();
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
        Process started = Processes.start(unprivileged(command(port)), log());
        process = started;
        Waiting.until("the server answers", () -> {
            if (!started.isAlive()) {
                throw failure("the server ended with " + started.exitValue());
            }
            return answers();
        });
    }

    private boolean answers() {
        try (Connection connection = dataSource(ownDatabase()).getConnection()) {
            return connection.isValid(0);
        } catch (SQLException e) {
            return false;
        }
    }

    private Process running() {
        if (process == null) {
            throw new IllegalStateException("the server does not run");
        }
        return process;
    }

    private List<String> unprivileged(List<String> command) {
        List<String> whole = new ArrayList<>(account.prefix());
        whole.addAll(command);
        return whole;
    }

    private Path log() {
        return home.resolve("log");
    }

    private IllegalStateException failure(String what) {
        try {
            String log = Files.readString(log());
            return new IllegalStateException(
                    what + "; its log ends with:\n" + log.substring(Math.max(0, log.length() - LOG_CHARS)));
        } catch (IOException e) {
            return new IllegalStateException(what, e);
        }
    }

    private void forgetHook() {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // the JVM is ending; closing twice does no harm
        }
    }
}
