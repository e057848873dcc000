package io.onefold.servers;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;

class PostgresServerTest extends DatabaseServerTest {
    PostgresServerTest() {
        super(PostgresServer.start());
    }

    @Override
    DatabaseServer another() {
        return PostgresServer.start();
    }

    @Test
    void commits_are_durable() throws SQLException {
        assertThat(setting("fsync")).isEqualTo("on");
        assertThat(setting("synchronous_commit")).isEqualTo("on");
        assertThat(setting("max_connections")).isEqualTo("300");
        assertThat(setting("server_version")).isEqualTo("18.6");
    }

    @Test
    void the_shared_one_is_one() {
        assertThat(PostgresServer.shared()).isSameAs(PostgresServer.shared());
    }

    private String setting(String name) throws SQLException {
        try (Connection connection = connect("postgres");
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("show " + name)) {
            row.next();
            return row.getString(1);
        }
    }
}
