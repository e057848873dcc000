package io.onefold.jdbc;

import io.onefold.store.BatchItemResult;
import io.onefold.store.Claim;
import io.onefold.store.ClaimResult;
import io.onefold.store.RecordFilter;
import io.onefold.store.RecordId;
import io.onefold.store.RecordPage;
import io.onefold.store.RecordSnapshot;
import io.onefold.store.RecordUpdate;
import io.onefold.store.Store;
import io.onefold.store.UpdateResult;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A store that can be exchanged for another while it is used: for an empty one, say, as if it had been flushed. */
final class ExchangedStore implements Store {
    volatile Store present;

    ExchangedStore(Store present) {
        this.present = present;
    }

    @Override
    public List<BatchItemResult<ClaimResult>> claimAll(List<Claim> claims) {
        return present.claimAll(claims);
    }

    @Override
    public List<BatchItemResult<UpdateResult>> updateAll(List<RecordUpdate> updates) {
        return present.updateAll(updates);
    }

    @Override
    public @Nullable RecordSnapshot find(RecordId id) {
        return present.find(id);
    }

    @Override
    public RecordPage list(RecordFilter filter, @Nullable String cursor, int limit) {
        return present.list(filter, cursor, limit);
    }

    @Override
    public int sweep(int limit) {
        return present.sweep(limit);
    }
}
