package io.onefold.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TcpProxyTest {
    private static final int SILENCE_MILLIS = 200;
    private static final int PATIENCE_MILLIS = 10_000;

    private final ServerSocket echo = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final TcpProxy proxy = TcpProxy.to(echo.getLocalPort());

    TcpProxyTest() throws IOException {
        Thread server = new Thread(this::echo);
        server.setDaemon(true);
        server.start();
    }

    @AfterEach
    void close() throws IOException {
        proxy.close();
        echo.close();
    }

    @Test
    void bytes_pass_in_both_directions_and_so_does_an_orderly_end() throws IOException {
        Socket client = connect();
        assertThat(ask(client, "hello")).isEqualTo("hello");

        client.shutdownOutput();

        assertThat(client.getInputStream().read()).isEqualTo(-1);
    }

    @Test
    void a_cut_drops_what_is_there_and_lets_in_what_comes() throws IOException {
        Socket client = connect();
        ask(client, "hello");

        proxy.cut();

        assertThatThrownBy(() -> ask(client, "lost")).isInstanceOf(SocketException.class);
        assertThat(ask(connect(), "again")).isEqualTo("again");
    }

    @Test
    void who_is_refused_finds_nobody_listening_and_who_is_there_stays() throws IOException {
        Socket client = connect();
        ask(client, "hello");

        proxy.refuse();
        assertThatThrownBy(this::connect).isInstanceOf(ConnectException.class);
        assertThat(ask(client, "still here")).isEqualTo("still here");
        proxy.accept();

        assertThat(ask(connect(), "again")).isEqualTo("again");
    }

    @Test
    void bytes_are_held_back_until_they_flow_again() throws IOException {
        Socket client = connect();
        ask(client, "hello");

        proxy.stall();
        client.getOutputStream().write("late".getBytes(StandardCharsets.UTF_8));
        client.setSoTimeout(SILENCE_MILLIS);
        assertThatThrownBy(() -> client.getInputStream().read()).isInstanceOf(SocketTimeoutException.class);
        proxy.flow();

        client.setSoTimeout(PATIENCE_MILLIS);
        assertThat(new String(client.getInputStream().readNBytes(4), StandardCharsets.UTF_8))
                .isEqualTo("late");
    }

    @Test
    void a_stalled_connection_can_be_cut() throws IOException {
        Socket client = connect();
        ask(client, "hello");
        proxy.stall();

        proxy.cut();

        assertThatThrownBy(() -> ask(client, "lost")).isInstanceOf(SocketException.class);
    }

    @Test
    void the_reply_to_a_request_with_the_needle_never_arrives_even_if_the_needle_comes_in_parts() throws Exception {
        Socket client = connect();
        CompletableFuture<Void> cut = proxy.cutAfterRequestContaining(bytes("COMMIT"));
        assertThat(ask(client, "BEGIN COM")).isEqualTo("BEGIN COM");

        assertThatThrownBy(() -> ask(client, "MIT")).isInstanceOf(SocketException.class);

        cut.get(10, TimeUnit.SECONDS);
        assertThat(ask(connect(), "COMMIT")).isEqualTo("COMMIT");
    }

    @Test
    void a_request_that_is_held_is_never_heard_of_and_who_sent_it_is_not_told() throws Exception {
        Socket client = connect();
        CompletableFuture<Void> held = proxy.holdRequestContaining(bytes("COMMIT"));
        assertThat(ask(client, "BEGIN")).isEqualTo("BEGIN");

        client.getOutputStream().write(bytes("COMMIT"));

        held.get(10, TimeUnit.SECONDS);
        client.setSoTimeout(SILENCE_MILLIS);
        assertThatThrownBy(() -> client.getInputStream().read()).isInstanceOf(SocketTimeoutException.class);
        assertThat(ask(connect(), "COMMIT")).isEqualTo("COMMIT");
        client.close();
    }

    @Test
    void what_a_held_request_asked_for_is_not_done_and_that_of_a_held_reply_is() throws Exception {
        PostgresServer server = PostgresServer.shared();
        String database = server.newDatabase();
        try (TcpProxy between = TcpProxy.to(server.port());
                Connection direct = server.dataSource(database).getConnection()) {
            DatabaseServerTest.execute(direct, "create table t (id int primary key)");
            CompletableFuture<Void> request = between.holdRequestContaining(bytes("values (1)"));
            CompletableFuture<Void> unused = insert(server, database, between, 1);
            request.get(10, TimeUnit.SECONDS);
            CompletableFuture<Void> reply = between.holdReplyToRequestContaining(bytes("values (2)"));
            CompletableFuture<Void> done = insert(server, database, between, 2);
            reply.get(10, TimeUnit.SECONDS);
            assertThat(rows(direct)).isEqualTo(1);
            assertThat(done).isNotDone();
        }
    }

    private static CompletableFuture<Void> insert(PostgresServer server, String database, TcpProxy between, int id) {
        return CompletableFuture.runAsync(
                () -> {
                    try (Connection connection =
                            server.dataSource(database, between.port()).getConnection()) {
                        DatabaseServerTest.execute(connection, "insert into t values (" + id + ")");
                    } catch (SQLException e) {
                        throw new IllegalStateException(e);
                    }
                },
                task -> new Thread(task).start());
    }

    @Test
    void a_commit_whose_reply_is_lost_has_happened_on_every_server() throws Exception {
        for (DatabaseServer server : new DatabaseServer[] {PostgresServer.shared(), MariaDbServer.shared()}) {
            String database = server.newDatabase();
            try (TcpProxy between = TcpProxy.to(server.port());
                    Connection direct = server.dataSource(database).getConnection();
                    Connection connection =
                            server.dataSource(database, between.port()).getConnection()) {
                DatabaseServerTest.execute(direct, "create table t (id int primary key)");
                connection.setAutoCommit(false);
                DatabaseServerTest.execute(connection, "insert into t values (1)");
                CompletableFuture<Void> cut = between.cutAfterRequestContaining(bytes("COMMIT"));

                assertThatThrownBy(connection::commit).isInstanceOf(SQLException.class);

                cut.get(10, TimeUnit.SECONDS);
                assertThat(rows(direct)).isEqualTo(1);
            }
        }
    }

    private void echo() {
        try {
            while (true) {
                Socket client = echo.accept();
                Thread thread = new Thread(() -> {
                    try (client) {
                        client.getInputStream().transferTo(client.getOutputStream());
                    } catch (IOException e) {
                        // dropped
                    }
                });
                thread.setDaemon(true);
                thread.start();
            }
        } catch (IOException e) {
            // closed
        }
    }

    private Socket connect() throws IOException {
        Socket client = new Socket(InetAddress.getLoopbackAddress(), proxy.port());
        client.setSoTimeout(PATIENCE_MILLIS);
        return client;
    }

    private static String ask(Socket client, String text) throws IOException {
        client.getOutputStream().write(bytes(text));
        byte[] reply = client.getInputStream().readNBytes(bytes(text).length);
        return new String(reply, StandardCharsets.UTF_8);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static int rows(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select count(*) from t")) {
            row.next();
            return row.getInt(1);
        }
    }
}
