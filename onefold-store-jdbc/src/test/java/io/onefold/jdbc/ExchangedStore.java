package io.onefold.jdbc;

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
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** A store that can be exchanged for another while it is used: for an empty one, say, as if it had been flushed. */
record ExchangedStore(AtomicReference<Store> present) implements Store {
    @Override
    public List<Answer<Claimed>> claimAll(List<Claim> claims) {
        return present.get().claimAll(claims);
    }

    @Override
    public List<Answer<Updated>> updateAll(List<Update> updates) {
        return present.get().updateAll(updates);
    }

    @Override
    public @Nullable Seen find(RecordId id) {
        return present.get().find(id);
    }

    @Override
    public Page list(Filter filter, @Nullable String cursor, int limit) {
        return present.get().list(filter, cursor, limit);
    }

    @Override
    public int sweep(int limit) {
        return present.get().sweep(limit);
    }
}
