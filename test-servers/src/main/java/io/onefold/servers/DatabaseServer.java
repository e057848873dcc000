package io.onefold.servers;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import javax.sql.DataSource;

/** A database server. What was committed is on disk: it survives {@link #kill}. */
public abstract sealed class DatabaseServer extends Server permits PostgresServer, MariaDbServer {
    static final int MAX_CONNECTIONS = 300;

    private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9_]{0,62}");

    private final String password;
    private final AtomicInteger databases = new AtomicInteger();

    DatabaseServer(String name) {
        this(name, UUID.randomUUID().toString());
    }

    DatabaseServer(String name, String password) {
        super(name);
        this.password = password;
    }

    /** The database that is always there. */
    abstract String ownDatabase();

    /** The JDBC address of a database of this server behind a port, its own or that of a {@link TcpProxy}. */
    public abstract String url(String database, int port);

    /** The driver's own, unpooled data source behind a port, the server's own or that of a {@link TcpProxy}. */
    public abstract DataSource dataSource(String database, int port);

    public final String url(String database) {
        return url(database, port());
    }

    /** The driver's own, unpooled data source. */
    public final DataSource dataSource(String database) {
        return dataSource(database, port());
    }

    public final String user() {
        return "onefold";
    }

    public final String password() {
        return password;
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

    @Override
    final boolean answers() {
        try (Connection connection = dataSource(ownDatabase()).getConnection()) {
            return connection.isValid(0);
        } catch (SQLException e) {
            return false;
        }
    }
}
