package io.onefold.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** What tests rely on, for each kind of server. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class DatabaseServerTest {
    private final DatabaseServer server;

    DatabaseServerTest(DatabaseServer server) {
        this.server = server;
    }

    /** Starts another one. */
    abstract DatabaseServer another();

    @AfterAll
    void close() {
        server.close();
        assertThat(server.home()).doesNotExist();
    }

    @Test
    void a_new_database_is_empty_and_has_a_name_of_its_own() throws SQLException {
        String first = server.newDatabase();
        execute(first, "create table t (id int primary key)");

        String second = server.newDatabase();

        assertThat(second).isNotEqualTo(first);
        execute(second, "create table t (id int primary key)");
        assertThat(ids(second)).isEmpty();
    }

    @Test
    void only_plain_names_are_taken_for_databases() {
        assertThatThrownBy(() -> server.createDatabase("a; drop database b"))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void a_committed_row_survives_a_crash_and_an_uncommitted_one_does_not() throws SQLException {
        String database = server.newDatabase();
        execute(database, "create table t (id int primary key)");
        for (int i = 1; i <= 3; i++) {
            Connection open = connect(database);
            open.setAutoCommit(false);
            execute(open, "insert into t values (" + -i + ")");
            execute(database, "insert into t values (" + i + ")");

            server.kill();
            assertThatThrownBy(() -> connect(database)).isInstanceOf(SQLException.class);
            server.restart();
        }
        assertThat(ids(database)).containsExactly(1, 2, 3);
    }

    @Test
    void killing_leaves_no_process_behind() throws SQLException {
        connect(server.newDatabase());
        assertThat(ServerProcesses.of(server)).isNotEmpty();

        server.kill();

        assertThat(ServerProcesses.of(server)).isEmpty();
        server.restart();
    }

    @Test
    void a_paused_server_answers_when_it_is_resumed() throws Exception {
        String database = server.newDatabase();
        execute(database, "create table t (id int primary key)");
        Connection connection = connect(database);

        server.pause();
        CompletableFuture<Void> insert =
                CompletableFuture.runAsync(() -> insert(connection), task -> new Thread(task).start());
        assertThatThrownBy(() -> insert.get(300, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);
        server.resume();

        insert.get(30, TimeUnit.SECONDS);
        assertThat(ids(database)).containsExactly(1);
    }

    @Test
    void the_address_user_and_password_open_a_connection_and_nothing_else_does() throws SQLException {
        String url = server.url(server.newDatabase());
        try (Connection connection = DriverManager.getConnection(url, server.user(), server.password())) {
            assertThat(connection.isValid(5)).isTrue();
        }
        assertThatThrownBy(() -> DriverManager.getConnection(url, server.user(), "guess"))
                .isInstanceOf(SQLException.class);
        assertThatThrownBy(() -> DriverManager.getConnection(url, "root", "")).isInstanceOf(SQLException.class);
    }

    @Test
    void a_paused_or_killed_server_can_be_closed() {
        DatabaseServer pausedOne = another();
        pausedOne.pause();
        pausedOne.close();
        DatabaseServer killedOne = another();
        killedOne.kill();
        killedOne.close();

        assertThat(pausedOne.home()).doesNotExist();
        assertThat(killedOne.home()).doesNotExist();
        assertThat(ServerProcesses.of(pausedOne)).isEmpty();
    }

    final Connection connect(String database) throws SQLException {
        return server.dataSource(database).getConnection();
    }

    private void execute(String database, String sql) throws SQLException {
        try (Connection connection = connect(database)) {
            execute(connection, sql);
        }
    }

    private List<Integer> ids(String database) throws SQLException {
        try (Connection connection = connect(database);
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("select id from t order by id")) {
            List<Integer> ids = new ArrayList<>();
            while (rows.next()) {
                ids.add(rows.getInt(1));
            }
            return ids;
        }
    }

    private static void insert(Connection connection) {
        try {
            execute(connection, "insert into t values (1)");
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
