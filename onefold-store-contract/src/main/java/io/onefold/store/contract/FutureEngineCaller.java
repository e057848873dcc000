package io.onefold.store.contract;

import io.onefold.Key;
import io.onefold.Onefold;
import io.onefold.Operation;
import io.onefold.Outcome;
import io.onefold.Work;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** A caller of the engine that gets its outcome as a future. */
abstract class FutureEngineCaller implements EngineCaller {
    private final Onefold onefold;

    FutureEngineCaller(Onefold onefold) {
        this.onefold = onefold;
    }

    abstract <T> CompletableFuture<Outcome<T>> begin(Operation<T> operation, Key key, Work<T, ?> work);

    @Override
    public <T> Outcome<T> attempt(Operation<T> operation, Key key, Work<T, ?> work) throws Exception {
        try {
            return begin(operation, key, work).get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof Exception cause) {
                throw cause;
            }
            throw e;
        }
    }

    @Override
    public void close() {
        onefold.close();
    }
}
