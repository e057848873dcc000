package io.onefold.store;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A store before another, which hands everything on: for those who change one thing of it. Single steps go through the steps for many, as in
 * every store, so that whoever overrides {@link #claimAll} hears of every claim.
 */
public abstract class ForwardingStore implements Store {
    protected final Store behind;

    protected ForwardingStore(Store behind) {
        this.behind = Objects.requireNonNull(behind, "store");
    }

    @Override
    public List<BatchItemResult<ClaimResult>> claimAll(List<Claim> claims) {
        return behind.claimAll(claims);
    }

    @Override
    public List<BatchItemResult<UpdateResult>> updateAll(List<RecordUpdate> updates) {
        return behind.updateAll(updates);
    }

    @Override
    public @Nullable RecordSnapshot find(RecordId id) {
        return behind.find(id);
    }

    @Override
    public RecordPage list(RecordFilter filter, @Nullable String cursor, int limit) {
        return behind.list(filter, cursor, limit);
    }

    @Override
    public int sweep(int limit) {
        return behind.sweep(limit);
    }

    @Override
    public @Nullable RecordSignals signals() {
        return behind.signals();
    }

    @Override
    public @Nullable StoreTransactions joining() {
        return behind.joining();
    }

    @Override
    public @Nullable CacheTier tier() {
        return behind.tier();
    }
}
