package io.onefold.store;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Counts the steps it is asked for; can fail, be exchanged, and have something happen around its next step. */
final class CountedStore implements Store {
    final AtomicInteger steps = new AtomicInteger();
    volatile Store store;
    volatile boolean failing;
    volatile Runnable before = () -> {};
    volatile Runnable after = () -> {};

    CountedStore(Store store) {
        this.store = store;
    }

    private <A> A step(Supplier<A> step) {
        steps.incrementAndGet();
        if (failing) {
            throw new StoreException("not now");
        }
        Runnable first = before;
        before = () -> {};
        first.run();
        A answer = step.get();
        Runnable last = after;
        after = () -> {};
        last.run();
        return answer;
    }

    @Override
    public List<BatchItemResult<ClaimResult>> claimAll(List<Claim> claims) {
        return step(() -> store.claimAll(claims));
    }

    @Override
    public List<BatchItemResult<UpdateResult>> updateAll(List<RecordUpdate> updates) {
        return step(() -> store.updateAll(updates));
    }

    @Override
    public @Nullable RecordSnapshot find(RecordId id) {
        return step(() -> store.find(id));
    }

    @Override
    public RecordPage list(RecordFilter filter, @Nullable String cursor, int limit) {
        return step(() -> store.list(filter, cursor, limit));
    }

    @Override
    public int sweep(int limit) {
        return step(() -> store.sweep(limit));
    }
}
