package io.onefold.http.servlet;

import io.onefold.store.Answer;
import io.onefold.store.ForwardingStore;
import io.onefold.store.MemoryStore;
import io.onefold.store.Update;
import io.onefold.store.Updated;
import java.util.List;

/** A store in which something happens before it writes down how a request has ended. */
final class TroubledStore extends ForwardingStore {
    volatile Runnable beforeUpdates = () -> {};

    TroubledStore() {
        super(new MemoryStore());
    }

    @Override
    public List<Answer<Updated>> updateAll(List<Update> updates) {
        beforeUpdates.run();
        return super.updateAll(updates);
    }
}
