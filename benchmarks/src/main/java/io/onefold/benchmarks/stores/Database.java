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
import org.jspecify.annotations.Nullable;

/** A database to measure on, with the pools that were opened on it. */
abstract class Database extends Venue {
    private final List<HikariDataSource> pools = new ArrayList<>();
    private @Nullable HikariDataSource shared;

    abstract DataSource unpooled();

    /** How a column numbers its rows. */
    abstract String identity();

    /** Queries for the settings that say what a commit is worth, each giving a name and a value. */
    abstract Stream<Setting> durability();

    record Setting(String name, String query) {}

    /** There is room for everything on the disk. */
    @Override
    final boolean beginsAnew() {
        return false;
    }

    @Override
    final Subjects open(Plan plan) {
        return SqlSubjects.on(this, plan);
    }

    /** The pool of all who may have the same. */
    final HikariDataSource shared() {
        if (shared == null) {
            shared = pool(Plan.CONNECTIONS);
        }
        return shared;
    }

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

    @Override
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
        super.close();
        pools.forEach(HikariDataSource::close);
    }
}
