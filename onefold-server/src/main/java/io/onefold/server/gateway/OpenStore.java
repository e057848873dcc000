package io.onefold.server.gateway;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.onefold.TokenStore;
import io.onefold.jdbc.JdbcStore;
import io.onefold.jdbc.JdbcTokenStore;
import io.onefold.redis.RedisConnections;
import io.onefold.redis.RedisStore;
import io.onefold.redis.RedisTokenStore;
import io.onefold.server.config.ConfigException;
import io.onefold.store.MemoryStore;
import io.onefold.store.Store;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteDataSource;

/**
 * A store, its related objects, and the steps to close it.
 *
 * @param name for people, without the secrets in the address
 * @param callers how many calls it can serve at once; 0 if it responds without blocking, so that it needs no threads
 */
record OpenStore(Store store, TokenStore tokens, String name, int callers, List<AutoCloseable> held)
        implements AutoCloseable {
    private static final int MANY = 16;

    private static final int FEW = 4;
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    /** The timeout of a connection. A claim is tried four times, so a client hears within ten seconds that the store is down. */
    private static final Duration CONNECTING = Duration.ofSeconds(2);

    /** Wraps a store that is open already, and stays open. */
    static OpenStore given(Store store, TokenStore tokens) {
        int callers = store instanceof MemoryStore ? 0 : MANY;
        return new OpenStore(store, tokens, store.getClass().getSimpleName(), callers, List.of());
    }

    /**
     * @param place the place that sets the address
     * @throws ConfigException if it cannot be opened; the message shows no secret
     */
    static OpenStore at(String address, String place, Duration tokenLife) {
        try {
            return opened(address, tokenLife);
        } catch (RuntimeException e) {
            String said = String.valueOf(e.getMessage()).replace(address, withoutSecrets(address));
            throw new ConfigException(place + ": " + said.replaceAll("(?i)(password=)[^&;\\s]*", "$1..."));
        }
    }

    private static OpenStore opened(String address, Duration tokenLife) {
        if (address.startsWith("redis")) {
            RedisConnections redis = RedisConnections.at(address);
            return new OpenStore(
                    RedisStore.of(redis),
                    RedisTokenStore.on(redis, tokenLife),
                    withoutSecrets(address),
                    MANY,
                    List.of(redis));
        }
        if (address.startsWith("sqlite:") || address.startsWith("jdbc:sqlite:")) {
            return sqlite(address.substring(address.indexOf("sqlite:") + 7), tokenLife);
        }
        return jdbc(address, tokenLife);
    }

    private static OpenStore sqlite(String path, Duration tokenLife) {
        Path file = Path.of(path).toAbsolutePath();
        Path directory = file.getParent();
        if (directory == null || !Files.isDirectory(directory)) {
            throw new IllegalArgumentException("there is no directory " + directory + " for the file " + path);
        }
        SQLiteConfig config = new SQLiteConfig();
        config.setJournalMode(SQLiteConfig.JournalMode.WAL);
        config.setSynchronous(SQLiteConfig.SynchronousMode.FULL);
        config.setBusyTimeout((int) PATIENCE.toMillis());
        SQLiteDataSource source = new SQLiteDataSource(config);
        source.setUrl("jdbc:sqlite:" + file);
        HikariConfig pool = pool("onefold-sqlite", FEW);
        pool.setDataSource(source);
        HikariDataSource pooled = new HikariDataSource(pool);
        return opened(List.of(pooled), "sqlite:" + file, () -> JdbcStore.of(pooled), tokenLife);
    }

    private static OpenStore jdbc(String address, Duration tokenLife) {
        try {
            DriverManager.getDriver(address);
        } catch (SQLException e) {
            throw new IllegalArgumentException(
                    "no driver takes the address " + withoutSecrets(address)
                            + "; there are jdbc:postgresql:, jdbc:mariadb: (for MySQL as well) and sqlite:",
                    e);
        }
        HikariConfig config = pool("onefold-store", MANY);
        config.setJdbcUrl(address);
        HikariConfig own = pool("onefold-renewals", 3);
        own.setJdbcUrl(address);
        own.setMinimumIdle(0);
        List<HikariDataSource> pools = new ArrayList<>();
        try {
            pools.add(new HikariDataSource(config));
            pools.add(new HikariDataSource(own));
        } catch (RuntimeException e) {
            pools.forEach(HikariDataSource::close);
            throw e;
        }
        return opened(
                pools,
                withoutSecrets(address),
                () -> JdbcStore.builder(pools.get(0))
                        .ownConnections(pools.get(1))
                        .build(),
                tokenLife);
    }

    private static OpenStore opened(
            List<HikariDataSource> pools,
            String name,
            java.util.function.Supplier<JdbcStore> opening,
            Duration tokenLife) {
        try {
            JdbcStore store = opening.get();
            return new OpenStore(
                    store,
                    JdbcTokenStore.on(store, tokenLife),
                    name,
                    pools.get(0).getMaximumPoolSize(),
                    List.copyOf(pools));
        } catch (RuntimeException e) {
            pools.forEach(HikariDataSource::close);
            throw e;
        }
    }

    private static HikariConfig pool(String name, int size) {
        HikariConfig config = new HikariConfig();
        config.setPoolName(name);
        config.setMaximumPoolSize(size);
        config.setConnectionTimeout(CONNECTING.toMillis());
        return config;
    }

    /** Returns the address without user, password and parameters. */
    static String withoutSecrets(String address) {
        String path = address.replaceAll("[?;].*", "");
        if (address.indexOf('@', path.length()) >= 0) {
            // the end of an unescaped password, or of one among the parameters, cannot be found
            return path.replaceAll("//.*", "//...");
        }
        return path.replaceAll("//.*@", "//");
    }

    @Override
    public void close() {
        for (AutoCloseable one : held) {
            try {
                one.close();
            } catch (Exception e) {
                throw new IllegalStateException("the store could not be closed", e);
            }
        }
    }
}
