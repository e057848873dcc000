package io.onefold.store.contract;

import io.onefold.store.Store;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** Stores in the heap, by a clock that moves only when told to and shows a time long past. */
final class MemoryFixture implements StoreFixture {
    /** 2001-09-09T01:46:40Z, so that nobody else's clock is mistaken for the store's. */
    private final AtomicLong micros = new AtomicLong(1_000_000_000_000_000L);

    /** Time that has passed: it never goes back. */
    private final AtomicLong nanos = new AtomicLong();

    private final Store store;
    private final Store reopened;
    private final boolean copies;

    private MemoryFixture(BiFunction<LongSupplier, LongSupplier, Supplier<Store>> opening, boolean copies) {
        Supplier<Store> handles = opening.apply(micros::get, nanos::get);
        this.store = handles.get();
        this.reopened = handles.get();
        this.copies = copies;
    }

    static MemoryFixture of(Function<LongSupplier, Store> opening) {
        return new MemoryFixture(
                (clock, nanos) -> {
                    Store one = opening.apply(clock);
                    return () -> one;
                },
                false);
    }

    /**
     * Two handles on the same data that answer claims from copies.
     *
     * @param opening is given the clock of the store, and a monotonic one in nanoseconds
     */
    static MemoryFixture copying(BiFunction<LongSupplier, LongSupplier, Supplier<Store>> opening) {
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
        nanos.addAndGet(time.toNanos());
        micros.addAndGet(time.toNanos() / 1_000);
    }

    @Override
    public Store setClockBack(Duration time) {
        micros.addAndGet(-time.toNanos() / 1_000);
        return reopened;
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
