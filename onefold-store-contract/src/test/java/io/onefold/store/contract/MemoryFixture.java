package io.onefold.store.contract;

import io.onefold.store.Store;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** Stores in the heap, by a clock that moves only when told to and shows a time long past. */
final class MemoryFixture implements StoreFixture {
    /** 2001-09-09T01:46:40Z, so that nobody else's clock is mistaken for the store's. */
    private final AtomicLong micros = new AtomicLong(1_000_000_000_000_000L);

    private final Store store;
    private final Store reopened;
    private final boolean copies;

    private MemoryFixture(Function<LongSupplier, Supplier<Store>> opening, boolean copies) {
        Supplier<Store> handles = opening.apply(micros::get);
        this.store = handles.get();
        this.reopened = handles.get();
        this.copies = copies;
    }

    static MemoryFixture of(Function<LongSupplier, Store> opening) {
        return new MemoryFixture(
                clock -> {
                    Store one = opening.apply(clock);
                    return () -> one;
                },
                false);
    }

    /** Two handles on the same data that answer claims from copies. */
    static MemoryFixture copying(Function<LongSupplier, Supplier<Store>> opening) {
        return new MemoryFixture(opening, true);
    }

    @Override
    public Store store() {
        return store;
    }

    @Override
    public Store reopened() {
        return reopened;
    }

    @Override
    public void pass(Duration time) {
        micros.addAndGet(time.toNanos() / 1_000);
    }

    @Override
    public boolean stopsTime() {
        return true;
    }

    @Override
    public boolean answersFromCopies() {
        return copies;
    }

    @Override
    public void close() {}
}
