package io.onefold.servers;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Objects;
import javax.sql.DataSource;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.compressors.xz.XZCompressorInputStream;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;

/** PostgreSQL with durable commits. */
public final class PostgresServer extends DatabaseServer {
    private static final String VERSION = "18.6";
    private static final int OWNER_EXECUTES = 0100;

    private final @Nullable PostgresServer primary;

    private PostgresServer() {
        super("postgres");
        this.primary = null;
    }

    private PostgresServer(PostgresServer primary) {
        super("postgres", primary.password());
        this.primary = primary;
    }

    /** A server of its own, with an empty data directory. */
    public static PostgresServer start() {
        PostgresServer server = new PostgresServer();
        server.begin();
        return server;
    }

    /** The one server of this JVM, for all who neither kill nor pause nor close it. */
    public static PostgresServer shared() {
        return Shared.SERVER;
    }

    /** Starts it again as a standby that hears of no primary, with what was on disk; {@code pg_promote()} begins a new timeline. */
    public void restartAsStandby() {
        kill();
        try {
            Path signal = Files.createFile(Path.of(data(), "standby.signal"));
            own(signal);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        restart();
    }

    /**
     * A standby that follows this server. It is asynchronous, until {@link #waitForStandby} is called. A server has one standby at
     * most.
     */
    public PostgresServer startStandby() {
        PostgresServer standby = new PostgresServer(this);
        standby.begin();
        Waiting.until(
                "the standby follows",
                () -> !ask("select 1 from pg_stat_replication where state = 'streaming'")
                        .isEmpty());
        return standby;
    }

    /** From now on a commit is acknowledged only after the standby has it on disk. */
    public void waitForStandby() {
        ask("alter system set synchronous_standby_names = '" + StandbyFiles.NAME + "'");
        ask("select pg_reload_conf()");
        Waiting.until(
                "commits wait for the standby",
                () -> ask("select sync_state from pg_stat_replication").equals("sync"));
    }

    /** Returns when the standby has all that is written here now. */
    public void awaitStandby() {
        String written = ask("select pg_current_wal_lsn()");
        Waiting.until(
                "the standby has " + written,
                () -> ask("select replay_lsn >= '" + written + "' from pg_stat_replication")
                        .equals("t"));
    }

    /** Makes a standby a primary with a timeline of its own. The former primary is not told. */
    public void promote() {
        if (!ask("select pg_promote()").equals("t")) {
            throw new IllegalStateException("the standby was not promoted");
        }
    }

    /** The first column of the first row; empty if there is none. */
    private String ask(String sql) {
        try (Connection connection = dataSource(ownDatabase()).getConnection();
                Statement statement = connection.createStatement()) {
            if (!statement.execute(sql)) {
                return "";
            }
            try (ResultSet row = statement.getResultSet()) {
                return row.next() ? String.valueOf(row.getString(1)) : "";
            }
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }

    @Override
    public String url(String database, int port) {
        return "jdbc:postgresql://127.0.0.1:" + port + "/" + database;
    }

    @Override
    public DataSource dataSource(String database, int port) {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl(url(database, port));
        source.setUser(user());
        source.setPassword(password());
        return source;
    }

    @Override
    void initialise() throws IOException {
        if (primary != null) {
            StandbyFiles.copy(primary, Path.of(primary.data()), Path.of(data()), this::own);
            return;
        }
        Path secret = home().resolve("password");
        Files.writeString(secret, password());
        own(secret);
        run(
                List.of(
                        program("initdb"),
                        "--pgdata=" + data(),
                        "--username=" + user(),
                        "--pwfile=" + secret,
                        "--auth=password",
                        "--encoding=UTF8",
                        "--locale=C",
                        "--no-sync"),
                null);
    }

    @Override
    List<String> commandLine(int port) {
        return List.of(
                program("postgres"),
                "-D",
                data(),
                "-p",
                Integer.toString(port),
                "-c",
                "listen_addresses=127.0.0.1",
                "-c",
                "unix_socket_directories=",
                "-c",
                "max_connections=" + MAX_CONNECTIONS,
                "-c",
                "fsync=on",
                "-c",
                "synchronous_commit=on");
    }

    /** An immediate shutdown; SIGKILL would leave its shared memory behind. */
    @Override
    String endingSignal() {
        return "QUIT";
    }

    /** A postmaster that was killed has left the segment that it names in the seventh line of its pid file. */
    @Override
    void cleanUp() throws IOException {
        Path pidFile = Path.of(data(), "postmaster.pid");
        if (Files.exists(pidFile)) {
            List<String> lines = Files.readAllLines(pidFile);
            String segment = lines.size() < 7 ? "" : lines.get(6).strip().replaceFirst(".* ", "");
            if (segment.matches("\\d+")) {
                Processes.await(Processes.start(List.of("sh", "-c", "ipcrm -m " + segment), null));
            }
        }
    }

    @Override
    String ownDatabase() {
        return "postgres";
    }

    private String data() {
        return home().resolve("data").toString();
    }

    private static String program(String name) {
        String architecture = Binaries.requireLinux("amd64", "aarch64");
        String archive = architecture.equals("amd64") ? "/postgres-linux-x86_64.txz" : "/postgres-linux-arm_64.txz";
        Path binaries = Binaries.unpacked("postgres-" + VERSION + "-" + architecture, home -> unpack(archive, home));
        return binaries.resolve("bin").resolve(name).toString();
    }

    private static void unpack(String archive, Path home) throws IOException {
        try (InputStream packed = PostgresServer.class.getResourceAsStream(archive)) {
            if (packed == null) {
                throw new IOException(archive + " is not on the class path");
            }
            TarArchiveInputStream tar = new TarArchiveInputStream(new XZCompressorInputStream(packed));
            TarArchiveEntry entry;
            while ((entry = tar.getNextEntry()) != null) {
                unpack(entry, tar, entry.resolveIn(home));
            }
        }
    }

    private static void unpack(TarArchiveEntry entry, InputStream content, Path path) throws IOException {
        Files.createDirectories(Objects.requireNonNull(path.getParent()));
        if (entry.isDirectory()) {
            Files.createDirectories(path);
        } else if (entry.isSymbolicLink()) {
            Files.createSymbolicLink(path, Path.of(entry.getLinkName()));
        } else {
            Files.copy(content, path);
            Binaries.permit(path, (entry.getMode() & OWNER_EXECUTES) != 0);
        }
    }

    private static final class Shared {
        static final PostgresServer SERVER = start();
    }
}
