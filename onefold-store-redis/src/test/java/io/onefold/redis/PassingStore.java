package io.onefold.redis;

import io.onefold.store.Answer;
import io.onefold.store.Claim;
import io.onefold.store.Claimed;
import io.onefold.store.Filter;
import io.onefold.store.Page;
import io.onefold.store.RecordId;
import io.onefold.store.Seen;
import io.onefold.store.Store;
import io.onefold.store.Update;
import io.onefold.store.Updated;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Hands everything on, for those who change one thing. */
class PassingStore implements Store {
    private final Store store;

    PassingStore(Store store) {
        this.store = store;
    }

    @Override
    public List<Answer<Claimed>> claimAll(List<Claim> claims) {
        return store.claimAll(claims);
    }

    @Override
    public List<Answer<Updated>> updateAll(List<Update> updates) {
        return store.updateAll(updates);
    }

    @Override
    public @Nullable Seen find(RecordId id) {
        return store.find(id);
    }

    @Override
    public Page list(Filter filter, @Nullable String cursor, int limit) {
        return store.list(filter, cursor, limit);
    }

    @Override
    public int sweep(int limit) {
        return store.sweep(limit);
    }
}
