package io.onefold.server;

import io.onefold.Key;
import io.onefold.Onefold;
import io.onefold.Operation;
import io.onefold.Outcome;
import io.onefold.Presets;
import io.onefold.jdbc.JdbcStore;
import io.onefold.server.Shop.Order;
import io.onefold.server.Shop.Receipt;
import java.nio.file.Path;
import java.time.Duration;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteDataSource;

/** A process of the demo's shop: charges orders through Onefold, on a file of records that all its processes share. */
record Checkout(Onefold onefold, Shop shop) implements AutoCloseable {
    static final Operation<Receipt> CHARGE =
            Operation.of("charge", Receipt.class).keepFor(Presets.PAYMENT).waitFor(Duration.ofSeconds(10));

    private static final Duration BUSY_TIMEOUT = Duration.ofSeconds(10);

    static Checkout in(Path directory) {
        SQLiteConfig config = new SQLiteConfig();
        config.setJournalMode(SQLiteConfig.JournalMode.WAL);
        config.setSynchronous(SQLiteConfig.SynchronousMode.FULL);
        config.setBusyTimeout((int) BUSY_TIMEOUT.toMillis());
        SQLiteDataSource source = new SQLiteDataSource(config);
        source.setUrl("jdbc:sqlite:" + directory.resolve("records.db"));
        return new Checkout(Onefold.on(JdbcStore.of(source)), new Shop(directory));
    }

    Outcome<Receipt> charge(Order order) {
        return charge(CHARGE, order);
    }

    Outcome<Receipt> charge(Operation<Receipt> operation, Order order) {
        return onefold.attempt(operation, key(order), attempt -> shop.charge(order, attempt.childKey("provider")));
    }

    static Key key(Order order) {
        return Key.of(order.id()).matching(order);
    }

    @Override
    public void close() {
        onefold.close();
    }
}
