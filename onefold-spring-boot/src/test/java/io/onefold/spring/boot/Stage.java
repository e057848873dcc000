package io.onefold.spring.boot;

import io.onefold.http.Caller;
import io.onefold.http.contract.AdapterSetup;
import io.onefold.http.contract.TestService;
import io.onefold.store.BatchItemResult;
import io.onefold.store.Claim;
import io.onefold.store.ClaimResult;
import io.onefold.store.RecordFilter;
import io.onefold.store.RecordId;
import io.onefold.store.RecordPage;
import io.onefold.store.RecordSignals;
import io.onefold.store.RecordSnapshot;
import io.onefold.store.RecordUpdate;
import io.onefold.store.Store;
import io.onefold.store.StoreTransactions;
import io.onefold.store.UpdateResult;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * What an application shows: one case of the contract after another, each with its own store and its own business. Whether it is fit for
 * a next one, it knows by its requests: all must have ended, and as they should. What is left of others might still ask the store.
 */
final class Stage implements Store, RecordSignals {
    private final AtomicInteger underWay = new AtomicInteger();
    private volatile boolean spoilt;
    private volatile AdapterSetup setting;
    private volatile TestService business;

    Stage(AdapterSetup setting, TestService business) {
        this.setting = setting;
        this.business = business;
    }

    void show(AdapterSetup next, TestService its) {
        setting = next;
        business = its;
    }

    AdapterSetup setting() {
        return setting;
    }

    TestService business() {
        return business;
    }

    @Nullable
    Caller caller(@Nullable String user, @Nullable String tenant) {
        return setting.caller(user, tenant);
    }

    void begins() {
        underWay.incrementAndGet();
    }

    void ends() {
        underWay.decrementAndGet();
    }

    /** A request ended before its answer was sent. */
    void spoil() {
        spoilt = true;
    }

    boolean isQuiet() {
        return underWay.get() == 0;
    }

    boolean isSpoilt() {
        return spoilt || setting.hasFailed();
    }

    @Override
    public List<BatchItemResult<ClaimResult>> claimAll(List<Claim> claims) {
        return setting.store().claimAll(claims);
    }

    @Override
    public List<BatchItemResult<UpdateResult>> updateAll(List<RecordUpdate> updates) {
        return setting.store().updateAll(updates);
    }

    @Override
    public @Nullable RecordSnapshot find(RecordId id) {
        return setting.store().find(id);
    }

    @Override
    public RecordPage list(RecordFilter filter, @Nullable String cursor, int limit) {
        return setting.store().list(filter, cursor, limit);
    }

    @Override
    public int sweep(int limit) {
        return setting.store().sweep(limit);
    }

    @Override
    public @Nullable RecordSignals signals() {
        return setting.store().signals() == null ? null : this;
    }

    @Override
    public @Nullable StoreTransactions joining() {
        return setting.store().joining();
    }

    @Override
    public Subscription subscribe(RecordId id, Runnable wake) {
        return signalsOfCase().subscribe(id, wake);
    }

    @Override
    public void publish(RecordId id) {
        signalsOfCase().publish(id);
    }

    private RecordSignals signalsOfCase() {
        return Objects.requireNonNull(setting.store().signals());
    }
}
