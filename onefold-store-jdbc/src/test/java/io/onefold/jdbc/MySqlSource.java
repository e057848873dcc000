package io.onefold.jdbc;

import com.mysql.cj.jdbc.MysqlDataSource;
import io.onefold.servers.MariaDbServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Empty databases through MySQL's driver: on the server that ONEFOLD_TEST_MYSQL names, else on MariaDB. */
public final class MySqlSource {
    private static final Pattern SERVER = Pattern.compile("(jdbc:mysql:[^/]*//[^/?]+)(?:/[^?]*)?(\\?.*)?");

    private MySqlSource() {}

    public static MysqlDataSource fresh() {
        String url = System.getenv("ONEFOLD_TEST_MYSQL");
        if (url == null || url.isBlank()) {
            MariaDbServer server = MariaDbServer.shared();
            return (MysqlDataSource) server.mysqlDataSource(server.newDatabase());
        }
        return freshOn(url);
    }

    /**
     * An empty database on a server.
     *
     * @param url of a user who may create databases: {@code jdbc:mysql://host:3306/?user=root&password=...}
     */
    static MysqlDataSource freshOn(String url) {
        Matcher server = SERVER.matcher(url);
        if (!server.matches()) {
            throw new IllegalStateException("ONEFOLD_TEST_MYSQL is no URL of MySQL's driver");
        }
        String name = "onefold_" + UUID.randomUUID().toString().replace("-", "");
        MysqlDataSource source = new MysqlDataSource();
        source.setUrl(url);
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("create database " + name);
        } catch (SQLException e) {
            throw new IllegalStateException("no database can be created on the server of ONEFOLD_TEST_MYSQL", e);
        }
        // the driver ignores setDatabaseName once it has a URL
        source.setUrl(server.group(1) + "/" + name + (server.group(2) == null ? "" : server.group(2)));
        return source;
    }
}
