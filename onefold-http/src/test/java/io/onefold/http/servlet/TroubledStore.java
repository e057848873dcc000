package io.onefold.http.servlet;

import io.onefold.store.BatchItemResult;
import io.onefold.store.ForwardingStore;
import io.onefold.store.MemoryStore;
import io.onefold.store.RecordUpdate;
import io.onefold.store.UpdateResult;
import java.util.List;

/** A store in which something happens before it writes down how a request has ended. */
final class TroubledStore extends ForwardingStore {
    volatile Runnable beforeUpdates = () -> {};

    TroubledStore() {
        super(new MemoryStore());
    }

    @Override
    public List<BatchItemResult<UpdateResult>> updateAll(List<RecordUpdate> updates) {
        beforeUpdates.run();
        return super.updateAll(updates);
    }
}
