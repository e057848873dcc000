package io.onefold.simulator;

import io.onefold.Onefold;
import io.onefold.store.MemoryStore;
import io.onefold.store.Store;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * The subject of the simulation: the real engine and store, or ones that are broken on purpose.
 *
 * @param marks true if a cache tier may report finished work as in progress for as long as a mark lives
 */
public record SimulationSetup(StoreFactory stores, Function<Onefold, AsyncEngineCaller> doors, boolean marks) {

    public static final SimulationSetup REAL =
            new SimulationSetup((clock, breathe) -> new MemoryStore(clock), AsyncEngineCaller::of, false);

    /** Makes the store that all nodes share. */
    @FunctionalInterface
    public interface StoreFactory {
        /**
         * A store without records.
         *
         * @param clock the store's, in UTC microseconds
         * @param breathe lets others act in the middle of a step, as a store does whose steps are not atomic
         */
        Store make(LongSupplier clock, Runnable breathe);
    }

    public SimulationSetup stores(StoreFactory broken) {
        return new SimulationSetup(broken, doors, marks);
    }

    public SimulationSetup doors(Function<Onefold, AsyncEngineCaller> broken) {
        return new SimulationSetup(stores, broken, marks);
    }

    public SimulationSetup withMarks() {
        return new SimulationSetup(stores, doors, true);
    }
}
