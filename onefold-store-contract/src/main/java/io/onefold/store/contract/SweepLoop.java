package io.onefold.store.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.onefold.store.Store;

final class SweepLoop {
    private static final int BATCH = 100;
    private static final int ENOUGH = 10_000;

    private SweepLoop() {}

    /** Sweeps until there is no more to sweep, which must come to pass. */
    static void all(Store store) {
        int rounds = 0;
        while (store.sweep(BATCH) == BATCH) {
            assertThat(++rounds).as("sweeps that found something").isLessThan(ENOUGH);
        }
    }
}
