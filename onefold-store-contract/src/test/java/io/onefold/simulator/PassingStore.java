package io.onefold.simulator;

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
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Passes everything on but what it breaks. */
abstract class PassingStore implements Store {
    Store store;

    PassingStore(Store store) {
        this.store = store;
    }

    @Override
    public ClaimResult claim(Claim claim) {
        return store.claim(claim);
    }

    UpdateResult update(RecordUpdate update) {
        return store.update(update.ticket(), update.change());
    }

    @Override
    public List<BatchItemResult<ClaimResult>> claimAll(List<Claim> claims) {
        List<BatchItemResult<ClaimResult>> answers = new ArrayList<>();
        claims.forEach(claim -> answers.add(BatchItemResult.of(claim(claim))));
        return answers;
    }

    @Override
    public List<BatchItemResult<UpdateResult>> updateAll(List<RecordUpdate> updates) {
        List<BatchItemResult<UpdateResult>> answers = new ArrayList<>();
        updates.forEach(update -> answers.add(BatchItemResult.of(update(update))));
        return answers;
    }

    @Override
    public @Nullable RecordSnapshot find(RecordId id) {
        return store.find(id);
    }

    @Override
    public RecordPage list(RecordFilter filter, @Nullable String cursor, int limit) {
        return store.list(filter, cursor, limit);
    }

    @Override
    public int sweep(int limit) {
        return store.sweep(limit);
    }
}
