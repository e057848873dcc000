package io.onefold.store.contract;

import io.onefold.store.MemoryStore;

class MemoryStoreTest extends StoreContract {
    @Override
    protected StoreFixture open() {
        return MemoryFixture.of(MemoryStore::new);
    }
}
