package io.onefold.servers;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;

class MariaDbServerTest extends DatabaseServerTest {
    MariaDbServerTest() {
        super(MariaDbServer.start());
    }

    @Override
    DatabaseServer another() {
        return MariaDbServer.start();
    }

    @Test
    void commits_are_durable() throws SQLException {
        assertThat(setting("innodb_flush_log_at_trx_commit")).isEqualTo("1");
        assertThat(setting("max_connections")).isEqualTo("300");
        assertThat(setting("version")).startsWith("11.4.5-MariaDB");
    }

    @Test
    void its_temporary_tables_are_not_where_another_server_removes_them() throws SQLException {
        assertThat(setting("tmpdir")).contains("onefold-mariadb-");
    }

    @Test
    void the_driver_of_mysql_is_served_too() throws SQLException {
        MariaDbServer server = MariaDbServer.shared();
        String database = server.newDatabase();
        try (Connection byUrl =
                        DriverManager.getConnection(server.mysqlUrl(database), server.user(), server.password());
                Connection bySource = server.mysqlDataSource(database).getConnection()) {
            assertThat(byUrl.getMetaData().getDriverName()).contains("MySQL");
            execute(byUrl, "create table t (id int primary key)");
            execute(bySource, "insert into t values (1)");
        }
    }

    @Test
    void the_shared_one_is_one() {
        assertThat(MariaDbServer.shared()).isSameAs(MariaDbServer.shared());
    }

    private String setting(String name) throws SQLException {
        try (Connection connection = connect("mysql");
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select @@" + name)) {
            row.next();
            return row.getString(1);
        }
    }
}
