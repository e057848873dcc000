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
import org.jspecify.annotations.Nullable;

/** A store that can be exchanged for another while it is used: for an empty one, say, as if it had been flushed. */
final class ExchangedStore implements Store {
    volatile Store present;

    ExchangedStore(Store present) {
        this.present = present;
    }

    @Override
    public List<Answer<Claimed>> claimAll(List<Claim> claims) {
        return present.claimAll(claims);
    }

    @Override
    public List<Answer<Updated>> updateAll(List<Update> updates) {
        return present.updateAll(updates);
    }

    @Override
    public @Nullable Seen find(RecordId id) {
        return present.find(id);
    }

    @Override
    public Page list(Filter filter, @Nullable String cursor, int limit) {
        return present.list(filter, cursor, limit);
    }

    @Override
    public int sweep(int limit) {
        return present.sweep(limit);
    }
}
