package io.onefold.jdbc;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.onefold.store.Store;
import io.onefold.store.contract.ProcessFuzz;

/** Opens a store in another process: address, user and password, one to a line. */
public final class FuzzOpener implements ProcessFuzz.StoreOpener {
    @Override
    public Store open(String argument) {
        String[] parts = argument.split("\n", -1);
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(parts[0]);
        config.setUsername(parts[1]);
        config.setPassword(parts[2]);
        config.setMaximumPoolSize(2);
        return JdbcStore.of(new HikariDataSource(config));
    }
}
