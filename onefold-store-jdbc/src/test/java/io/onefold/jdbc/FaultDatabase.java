package io.onefold.jdbc;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.onefold.servers.DatabaseServer;
import io.onefold.servers.MariaDbServer;
import io.onefold.servers.PostgresServer;
import io.onefold.servers.TcpProxy;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.sql.DataSource;

/** A database of its own with a ledger in it, on a server that is shared or may be killed. */
record FaultDatabase(DatabaseServer server, String name) {
    private static final Map<Database, FaultDatabase> SHARED = new ConcurrentHashMap<>();

    static FaultDatabase on(DatabaseServer server) {
        FaultDatabase database = new FaultDatabase(server, server.newDatabase());
        database.execute("create table ledger (reference varchar(100) not null)");
        return database;
    }

    /** The same for all who do no more than come with keys of their own. */
    static FaultDatabase shared(Database kind) {
        return SHARED.computeIfAbsent(
                kind, same -> on(kind == Database.MARIADB ? MariaDbServer.shared() : PostgresServer.shared()));
    }

    boolean postgres() {
        return server instanceof PostgresServer;
    }

    DataSource source() {
        return server.dataSource(name);
    }

    DataSource through(TcpProxy proxy) {
        return server.dataSource(name, proxy.port());
    }

    /** A pool that notices quickly that the server is gone, and that it is back. */
    static HikariDataSource pool(DataSource source, int size) {
        return pool(new HikariConfig(), source, size);
    }

    static HikariDataSource pool(HikariConfig config, DataSource source, int size) {
        config.setDataSource(source);
        config.setMaximumPoolSize(size);
        config.setMinimumIdle(0);
        config.setConnectionTimeout(3_000);
        config.setInitializationFailTimeout(-1);
        return new HikariDataSource(config);
    }

    HikariDataSource pool(int size) {
        return pool(source(), size);
    }

    /** How often the effect is in the ledger. */
    int effects(String key) {
        return (int) number("select count(*) from ledger where reference = '" + key + "'");
    }

    /** As if the lease had been over for long, by the database's own clock. */
    void endLease(String key) {
        execute("update idempotent_record set lease_until = 1 where idem_key = '" + key + "' and status = 0");
    }

    /** The server's own clock, UTC microseconds. */
    long clock() {
        return number(
                postgres()
                        ? "select (extract(epoch from clock_timestamp()) * 1000000)::bigint"
                        : "select cast(unix_timestamp(sysdate(6)) * 1000000 as signed)");
    }

    void execute(String sql) {
        try (Connection connection = source().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }

    long number(String sql) {
        try (Connection connection = source().getConnection();
                PreparedStatement statement = connection.prepareStatement(sql);
                ResultSet row = statement.executeQuery()) {
            row.next();
            return row.getLong(1);
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }

    /** Ends the sessions of everybody but of who says so. */
    void terminateSessions() {
        number("select count(pg_terminate_backend(pid)) from pg_stat_activity where datname = current_database()"
                + " and pid <> pg_backend_pid()");
    }

    /** What the statement that claims has in it, on its way to the server. */
    byte[] claiming() {
        return bytes("insert into " + records());
    }

    /** What the statement that changes a record has in it, on its way to the server. */
    byte[] changing() {
        return bytes("update " + records());
    }

    private String records() {
        return postgres() ? "\"public\".\"idempotent_record\"" : "`" + name + "`.`idempotent_record`";
    }

    /** What the statement that commits has in it, on its way to the server. */
    byte[] committing() {
        return bytes(postgres() ? "commit" : "COMMIT");
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
