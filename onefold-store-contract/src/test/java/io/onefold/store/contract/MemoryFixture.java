package io.onefold.store.contract;

import io.onefold.store.Store;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.LongSupplier;

/** A store in the heap whose clock moves only when told to, and shows a time long past. */
final class MemoryFixture implements StoreFixture {
    /** 2001-09-09T01:46:40Z, so that nobody else's clock is mistaken for the store's. */
    private final AtomicLong micros = new AtomicLong(1_000_000_000_000_000L);

    private final Store store;
    private final boolean copies;

    private MemoryFixture(Function<LongSupplier, Store> store, boolean copies) {
        this.store = store.apply(micros::get);
        this.copies = copies;
    }

    static MemoryFixture of(Function<LongSupplier, Store> store) {
        return new MemoryFixture(store, false);
    }

    /** The store answers claims from copies. */
    static MemoryFixture copying(Function<LongSupplier, Store> store) {
        return new MemoryFixture(store, true);
    }

    @Override
    public Store store() {
        return store;
    }

    @Override
    public Store reopened() {
        return store;
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
