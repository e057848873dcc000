package io.onefold.upkeep;

import io.onefold.store.Store;
import java.util.function.BooleanSupplier;

/** Removes records that were kept long enough, in batches, so that no sweep holds the store for long. */
public final class Sweeper {
    private final Store store;
    private final int batch;

    public Sweeper(Store store, int batch) {
        if (batch < 1) {
            throw new IllegalArgumentException("batch must be at least 1, not " + batch);
        }
        this.store = store;
        this.batch = batch;
    }

    /**
     * Sweeps until nothing is left to sweep.
     *
     * @param goOn asked before each batch, so that a long run can be ended
     * @return how many records were removed or reduced to tombstones
     */
    public long runOnce(BooleanSupplier goOn) {
        long swept = 0;
        int last = batch;
        while (last == batch && goOn.getAsBoolean()) {
            last = store.sweep(batch);
            swept += last;
        }
        return swept;
    }
}
