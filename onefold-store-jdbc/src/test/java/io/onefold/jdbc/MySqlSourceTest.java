package io.onefold.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onefold.servers.MariaDbServer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MySqlSourceTest {

    @ParameterizedTest
    @ValueSource(strings = {"", "mysql"})
    void each_source_has_an_empty_database_of_its_own_on_the_named_server(String named) throws SQLException {
        MariaDbServer server = MariaDbServer.shared();
        String url = server.mysqlUrl(named) + "&user=" + server.user() + "&password=" + server.password();

        String one = database(MySqlSource.freshOn(url), server.port());
        String other = database(MySqlSource.freshOn(url), server.port());

        assertThat(one).startsWith("onefold_").isNotEqualTo(other);
        assertThat(other).startsWith("onefold_");
    }

    @Test
    void what_is_no_url_of_mysqls_driver_is_refused_without_showing_its_password() {
        assertThatThrownBy(() -> MySqlSource.freshOn("jdbc:postgresql://localhost/?password=secret"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("ONEFOLD_TEST_MYSQL")
                .hasMessageNotContaining("secret");
    }

    private static String database(DataSource source, int port) throws SQLException {
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select database(), @@port")) {
            row.next();
            assertThat(row.getInt(2)).isEqualTo(port);
            return row.getString(1);
        }
    }
}
