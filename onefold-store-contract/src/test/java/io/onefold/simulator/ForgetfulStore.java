package io.onefold.simulator;

import io.onefold.store.Claim;
import io.onefold.store.ClaimResult;
import io.onefold.store.MemoryStore;
import io.onefold.store.RecordUpdate;
import io.onefold.store.StoreException;
import io.onefold.store.UpdateResult;
import java.util.function.LongSupplier;

/** A front that fails now and then, and now and then has forgotten everything. */
final class ForgetfulStore extends PassingStore {
    private final LongSupplier clock;
    private int calls;

    ForgetfulStore(LongSupplier clock) {
        super(new MemoryStore(clock));
        this.clock = clock;
    }

    @Override
    public ClaimResult claim(Claim claim) {
        stumble();
        return super.claim(claim);
    }

    @Override
    UpdateResult update(RecordUpdate update) {
        stumble();
        return super.update(update);
    }

    private void stumble() {
        calls++;
        if (calls % 7 == 0) {
            throw new StoreException("not now");
        }
        if (calls % 11 == 0) {
            store = new MemoryStore(clock);
        }
    }
}
