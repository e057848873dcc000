package io.onefold.benchmarks.stores;

import io.onefold.store.MemoryStore;
import io.onefold.store.Store;
import javax.sql.DataSource;

/** Where Onefold's store is opened. */
final class Stores {
    private Stores() {}

    static Store open(DataSource unused) {
        return new MemoryStore(); // stands in until there is a store for databases
    }
}
