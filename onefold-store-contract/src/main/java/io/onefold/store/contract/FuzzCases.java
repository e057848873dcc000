package io.onefold.store.contract;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A little of {@link StoreFuzz} with every run of the contract; much more of it is one call away. */
@Tag("invariant-30")
@Timeout(60)
abstract class FuzzCases {
    private final StoreContract contract;

    FuzzCases(StoreContract contract) {
        this.contract = contract;
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4})
    void random_interleavings_do_not_contradict_each_other(long seed) {
        StoreFuzz.run(contract.fixture(), seed, 6, 3, 150);
    }
}
