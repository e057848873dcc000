package io.onefold.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import io.onefold.store.ColumnUpdate;
import io.onefold.store.Store;
import io.onefold.store.contract.StoreFixture;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import javax.sql.DataSource;

/** One database for all cases of a class, and a second handle with another isolation. */
final class JdbcFixture implements StoreFixture {
    private static final Map<Object, JdbcFixture> OPEN = new ConcurrentHashMap<>();

    private final Store store;
    private final Store reopened;
    private final Function<Duration, Store> setBack;
    private final int refused;

    private JdbcFixture(Store store, Store reopened, Function<Duration, Store> setBack, int refused) {
        this.store = store;
        this.reopened = reopened;
        this.setBack = setBack;
        this.refused = refused;
    }

    static JdbcFixture of(Database database, String isolation, String otherIsolation) {
        return OPEN.computeIfAbsent(database + isolation + otherIsolation, key -> {
            LimitedDatabase limited = LimitedDatabase.of(database);
            HikariDataSource first = Database.pool(limited.source(), 16, isolation);
            HikariDataSource second = Database.pool(limited.source(), 16, otherIsolation);
            JdbcFixture fixture = new JdbcFixture(
                    builder(first).build(), builder(second).build(), time -> behind(second, time), limited.refused());
            limited.limit();
            return fixture;
        });
    }

    /** A store whose sweeps do not wait long for statements that stand still. */
    private static JdbcStore.Builder builder(DataSource source) {
        return JdbcStore.builder(source).stall(Duration.ofMillis(50));
    }

    /** A store that was opened after the clock of its database had been set back. */
    static JdbcStore behind(DataSource source, Duration time) {
        return builder(source)
                .clock(now -> "(" + now + " - " + ColumnUpdate.micros(time) + ")")
                .build();
    }

    @Override
    public Store store() {
        return store;
    }

    @Override
    public Store reopened() {
        return reopened;
    }

    @Override
    public Store setClockBack(Duration time) {
        return setBack.apply(time);
    }

    @Override
    public int refusedBytes() {
        return refused;
    }

    /** Stays open for the other cases. */
    @Override
    public void close() {}
}
