package io.onefold.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import io.onefold.store.Store;
import io.onefold.store.contract.StoreFixture;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.sql.DataSource;

/** One database for all cases of a class, and a second handle with another isolation. */
final class JdbcFixture implements StoreFixture {
    private static final Map<Object, JdbcFixture> OPEN = new ConcurrentHashMap<>();

    private final Store store;
    private final Store reopened;

    private JdbcFixture(Store store, Store reopened) {
        this.store = store;
        this.reopened = reopened;
    }

    static JdbcFixture of(Database database, String isolation, String otherIsolation) {
        return OPEN.computeIfAbsent(database + isolation + otherIsolation, key -> {
            DataSource source = database.fresh();
            HikariDataSource first = Database.pool(source, 16, isolation);
            HikariDataSource second = Database.pool(source, 16, otherIsolation);
            return new JdbcFixture(JdbcStore.of(first), JdbcStore.of(second));
        });
    }

    @Override
    public Store store() {
        return store;
    }

    @Override
    public Store reopened() {
        return reopened;
    }

    /** Stays open for the other cases. */
    @Override
    public void close() {}
}
