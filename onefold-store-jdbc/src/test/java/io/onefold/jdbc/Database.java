package io.onefold.jdbc;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.onefold.servers.MariaDbServer;
import io.onefold.servers.PostgresServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteDataSource;

/** The databases that stores are tested on: real ones, each with a database of its own. */
enum Database {
    POSTGRESQL,
    MARIADB,
    /** MySQL's statements through MySQL's driver: on the server that ONEFOLD_TEST_MYSQL names, else on MariaDB. */
    MYSQL,
    SQLITE,
    H2;

    /** An empty database, without a pool. */
    DataSource fresh() {
        return switch (this) {
            case POSTGRESQL ->
                PostgresServer.shared().dataSource(PostgresServer.shared().newDatabase());
            case MARIADB ->
                MariaDbServer.shared().dataSource(MariaDbServer.shared().newDatabase());
            case MYSQL -> MySqlSource.fresh();
            case SQLITE -> sqlite();
            case H2 -> h2();
        };
    }

    static HikariDataSource pool(DataSource source, int size) {
        HikariConfig config = new HikariConfig();
        config.setDataSource(source);
        config.setMaximumPoolSize(size);
        config.setMinimumIdle(0);
        return new HikariDataSource(config);
    }

    static HikariDataSource pool(DataSource source, int size, String isolation) {
        HikariConfig config = new HikariConfig();
        config.setDataSource(source);
        config.setMaximumPoolSize(size);
        config.setMinimumIdle(0);
        config.setTransactionIsolation(isolation);
        return new HikariDataSource(config);
    }

    private static DataSource sqlite() {
        SQLiteConfig config = new SQLiteConfig();
        config.setJournalMode(SQLiteConfig.JournalMode.WAL);
        config.setSynchronous(SQLiteConfig.SynchronousMode.FULL);
        config.setBusyTimeout(10_000);
        SQLiteDataSource source = new SQLiteDataSource(config);
        source.setUrl("jdbc:sqlite:" + file("sqlite"));
        return source;
    }

    private static DataSource h2() {
        JdbcDataSource source = new JdbcDataSource();
        source.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
        return source;
    }

    private static String file(String kind) {
        try {
            return Files.createTempDirectory(
                            Files.createDirectories(
                                    Path.of("target", "databases").toAbsolutePath()),
                            kind)
                    .resolve("records.db")
                    .toString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
