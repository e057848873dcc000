package io.onefold;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Keeps shadow records of successive calls in order. A call that begins after another call was over finds the record of
 * that call ended, although no call waits for records in shadow, and the executor may be late with any of them.
 * Otherwise the retry of a call that did nothing would be the first, and that call its duplicate. Calls that were in
 * progress together have no order; nor have calls on two nodes.
 */
final class ShadowCallOrder {
    /** The records that are not ended yet although their calls are over. */
    private final ConcurrentHashMap<ShadowCall, CompletableFuture<?>> late = new ConcurrentHashMap<>();

    private record ShadowCall(String scope, String operation, String key) {}

    /**
     * @param end of the real call
     * @param record begins to record it; ends when that is done
     */
    void after(Operation<?> operation, Key key, CompletionStage<?> end, Supplier<CompletionStage<?>> record) {
        ShadowCall call = new ShadowCall(key.scope(), operation.name(), key.value());
        CompletableFuture<?> before = late.get(call);
        CompletableFuture<@Nullable Void> recorded = new CompletableFuture<>();
        var unusedEnd = end.whenComplete((value, thrown) -> late(call, recorded));
        if (before == null) {
            begin(record, recorded);
        } else {
            var unused = before.whenComplete((value, thrown) -> begin(record, recorded));
        }
    }

    private static void begin(Supplier<CompletionStage<?>> record, CompletableFuture<@Nullable Void> recorded) {
        try {
            var unused = record.get().whenComplete((value, thrown) -> recorded.complete(null));
        } catch (RuntimeException | Error e) {
            recorded.complete(null); // nobody is to wait for it
            throw e;
        }
    }

    private void late(ShadowCall call, CompletableFuture<@Nullable Void> recorded) {
        if (!recorded.isDone()) {
            CompletableFuture<?> all = late.merge(call, recorded, CompletableFuture::allOf);
            var unused = all.whenComplete((value, thrown) -> late.remove(call, all));
        }
    }

    /** Returns how many calls are over whose records are not. */
    int late() {
        return late.size();
    }
}
