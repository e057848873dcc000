package io.onefold.store.contract;

import io.onefold.store.MemoryStore;
import io.onefold.store.Store;
import io.onefold.store.TieredStore;

class FrontDoorTest extends StoreContract {
    @Override
    protected StoreFixture open() {
        return MemoryFixture.copying((clock, nanos) -> {
            Store front = new MemoryStore(clock);
            Store truth = new MemoryStore(clock);
            return () -> TieredStore.over(front, truth, () -> "epoch", nanos);
        });
    }
}
