package io.onefold.jdbc;

import io.onefold.store.contract.StoreContract;
import io.onefold.store.contract.StoreFixture;

class H2StoreTest extends StoreContract {
    @Override
    protected StoreFixture open() {
        return JdbcFixture.of(Database.H2, "TRANSACTION_READ_COMMITTED", "TRANSACTION_REPEATABLE_READ");
    }
}
