package io.onefold.store.contract;

import io.onefold.store.MemoryStore;
import io.onefold.store.NearCache;
import io.onefold.store.Store;

class NearCacheTest extends StoreContract {
    @Override
    protected StoreFixture open() {
        return MemoryFixture.copying(clock -> {
            Store behind = new MemoryStore(clock);
            return () -> NearCache.over(behind, 64, () -> clock.getAsLong() * 1_000);
        });
    }
}
