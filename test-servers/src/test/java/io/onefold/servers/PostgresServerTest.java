package io.onefold.servers;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Set;
import java.util.stream.Collectors;
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
    void closing_a_killed_server_leaves_no_shared_memory_behind() throws IOException {
        PostgresServer killed = PostgresServer.start();
        String segment = Files.readAllLines(killed.home().resolve("data/postmaster.pid"))
                .get(6)
                .strip()
                .split(" +", -1)[1];
        assertThat(segments()).contains(segment);

        killed.kill();
        killed.close();

        assertThat(segments()).doesNotContain(segment);
    }

    @Test
    void a_standby_follows_its_primary_and_takes_over() throws SQLException {
        try (PostgresServer primary = PostgresServer.start();
                PostgresServer standby = primary.startStandby()) {
            primary.waitForStandby();
            run(primary, "create table kept (n int)");
            run(primary, "insert into kept values (1), (2)");
            primary.kill();
            standby.promote();
            run(standby, "insert into kept values (3)");
            try (Connection connection = standby.dataSource("postgres").getConnection();
                    Statement statement = connection.createStatement();
                    ResultSet row = statement.executeQuery("select count(*) from kept")) {
                row.next();
                assertThat(row.getInt(1)).isEqualTo(3);
            }
        }
    }

    private static void run(PostgresServer server, String sql) throws SQLException {
        try (Connection connection = server.dataSource("postgres").getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @Test
    void the_shared_one_is_one() {
        assertThat(PostgresServer.shared()).isSameAs(PostgresServer.shared());
    }

    /** The ids of all shared memory of the machine. */
    private static Set<String> segments() throws IOException {
        return Files.readAllLines(Path.of("/proc/sysvipc/shm")).stream()
                .skip(1)
                .map(line -> line.strip().split("\\s+", -1)[1])
                .collect(Collectors.toSet());
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
