package io.onefold.store.contract;

import io.onefold.Onefold;
import io.onefold.store.MemoryStore;
import io.onefold.store.NearCache;
import io.onefold.store.Store;

/** Its engines begin on their callers' threads: the third way in, which no store can tell from the other asynchronous one. */
class NearCacheTest extends StoreContract {
    @Override
    protected StoreFixture open() {
        return MemoryFixture.copying((clock, nanos) -> {
            Store behind = new MemoryStore(clock);
            return () -> NearCache.over(behind, 64, nanos);
        });
    }

    @Override
    protected EngineCaller engine(EngineCaller.CallStyle way, Store store, Onefold.Builder builder) {
        return way == EngineCaller.CallStyle.ASYNC
                ? EngineCaller.here(builder.build())
                : super.engine(way, store, builder);
    }
}
