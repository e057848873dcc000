package io.onefold.simulator;

import io.onefold.Onefold;
import io.onefold.store.MemoryStore;
import io.onefold.store.Store;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * What is put to the test: the real thing, or something that is broken on purpose.
 *
 * @param marks a front may say "someone is on it" of what is done, for as long as a mark lives
 */
public record Setup(Stores stores, Function<Onefold, AsyncDoor> doors, boolean marks) {

    public static final Setup REAL = new Setup((clock, breathe) -> new MemoryStore(clock), AsyncDoor::of, false);

    /** Makes the store that all nodes share. */
    @FunctionalInterface
    public interface Stores {
        /**
         * A store without records.
         *
         * @param clock the store's, in UTC microseconds
         * @param breathe lets others act in the middle of a step, as a store does whose steps are not atomic
         */
        Store make(LongSupplier clock, Runnable breathe);
    }

    public Setup stores(Stores broken) {
        return new Setup(broken, doors, marks);
    }

    public Setup doors(Function<Onefold, AsyncDoor> broken) {
        return new Setup(stores, broken, marks);
    }

    public Setup withMarks() {
        return new Setup(stores, doors, true);
    }
}
