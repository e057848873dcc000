package io.onefold.jdbc;

import io.onefold.store.contract.StoreContract;
import io.onefold.store.contract.StoreFixture;

class MySqlStoreTest extends StoreContract {
    @Override
    protected StoreFixture open() {
        return JdbcFixture.of(Database.MYSQL, "TRANSACTION_READ_COMMITTED", "TRANSACTION_REPEATABLE_READ");
    }
}
