package io.onefold.benchmarks.stores;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.sql.DataSource;

/** A database to measure on, with the pools that were opened on it. */
abstract class Database implements AutoCloseable {
    private final List<HikariDataSource> pools = new ArrayList<>();

    /** As the command line calls it. */
    abstract String id();

    abstract DataSource unpooled();

    /** How a column numbers its rows. */
    abstract String identity();

    /** Queries for the settings that say what a commit is worth, each giving a name and a value. */
    abstract Stream<Setting> durability();

    record Setting(String name, String query) {}

    final HikariDataSource pool(int connections) {
        return pool(unpooled(), connections);
    }

    final HikariDataSource pool(DataSource source, int connections) {
        HikariConfig config = new HikariConfig();
        config.setDataSource(source);
        config.setMaximumPoolSize(connections);
        HikariDataSource pool = new HikariDataSource(config);
        pools.add(pool);
        return pool;
    }

    /** Product, driver and durability, as the server tells. */
    final String describe() throws SQLException {
        try (Connection connection = unpooled().getConnection()) {
            DatabaseMetaData data = connection.getMetaData();
            return data.getDatabaseProductName() + " " + data.getDatabaseProductVersion() + " ("
                    + data.getDriverName() + " " + data.getDriverVersion() + "): "
                    + durability().map(this::show).collect(Collectors.joining(", "));
        }
    }

    private String show(Setting setting) {
        try {
            return setting.name() + "=" + Sql.text(unpooled(), setting.query());
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        pools.forEach(HikariDataSource::close);
    }
}
