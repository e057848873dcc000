package io.onefold.servers;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * PgBouncer as it is installed here, in transaction mode before a PostgreSQL: each transaction may have another session of the server, and
 * few sessions serve many connections.
 */
public final class PgBouncer extends Server {
    private static final int SESSIONS = 4;

    private final Path program;
    private final PostgresServer server;

    private PgBouncer(Path program, PostgresServer server) {
        super("pgbouncer");
        this.program = program;
        this.server = server;
    }

    /** The program, on the path or where packages of Debian put it; null if it is not installed. */
    public static @Nullable Path installed() {
        String path = System.getenv("PATH");
        return Stream.concat(
                        path == null ? Stream.<String>empty() : Stream.of(path.split(File.pathSeparator, -1)),
                        Stream.of("/usr/sbin"))
                .filter(directory -> !directory.isEmpty())
                .map(directory -> Path.of(directory, "pgbouncer"))
                .filter(Files::isExecutable)
                .findFirst()
                .orElse(null);
    }

    /**
     * Starts a pooler before a server.
     *
     * @param program an {@link #installed} one
     */
    public static PgBouncer start(Path program, PostgresServer server) {
        PgBouncer bouncer = new PgBouncer(program, server);
        bouncer.begin();
        return bouncer;
    }

    /** The driver's own, unpooled data source, with the driver's defaults. */
    public DataSource dataSource(String database) {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl(url(database));
        source.setUser(server.user());
        source.setPassword(server.password());
        return source;
    }

    private String url(String database) {
        return "jdbc:postgresql://127.0.0.1:" + port() + "/" + database;
    }

    @Override
    void initialise() throws IOException {
        Path users = home().resolve("users.txt");
        Files.writeString(users, '"' + server.user() + "\" \"" + server.password() + "\"\n");
        own(users);
        own(Files.createFile(home().resolve("pgbouncer.ini")));
    }

    @Override
    List<String> commandLine(int port) {
        String settings = """
                [databases]
                * = host=127.0.0.1 port=%d
                [pgbouncer]
                listen_addr = 127.0.0.1
                listen_port = %d
                unix_socket_dir =
                auth_type = plain
                auth_file = %s
                pool_mode = transaction
                default_pool_size = %d
                max_client_conn = 500
                ignore_startup_parameters = extra_float_digits
                """.formatted(server.port(), port, home().resolve("users.txt"), SESSIONS);
        Path file = home().resolve("pgbouncer.ini");
        try {
            Files.writeString(file, settings);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return List.of(program.toString(), file.toString());
    }

    @Override
    boolean answers() {
        try (Connection connection = DriverManager.getConnection(url("postgres"), server.user(), server.password())) {
            return connection.isValid(0);
        } catch (SQLException e) {
            return false;
        }
    }
}
