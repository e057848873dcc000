package io.onefold.jdbc;

import io.onefold.store.contract.StoreContract;
import io.onefold.store.contract.StoreFixture;

class SqliteStoreTest extends StoreContract {
    @Override
    protected StoreFixture open() {
        return JdbcFixture.of(Database.SQLITE, "TRANSACTION_SERIALIZABLE", "TRANSACTION_SERIALIZABLE");
    }
}
