package io.onefold;

import java.util.Objects;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

/** A flight whose steps run on an executor; while there is none, nothing is held. */
final class AsyncCall<T> extends OperationCall<T> {
    private final AsyncWork<T> work;

    AsyncCall(EngineContext engine, Operation<T> operation, Key key, AsyncWork<T> work, Executor executor) {
        super(engine, operation, key, executor);
        this.work = work;
    }

    @Override
    void work(Attempt attempt, WorkExecution<T> execution) {
        CompletionStage<T> running;
        try {
            running = Objects.requireNonNull(work.start(attempt), "the work returned no stage");
        } catch (Throwable e) {
            execution.threw(e);
            return;
        }
        running.whenComplete((value, thrown) -> lane.insist(() -> {
            if (thrown == null) {
                execution.finished(value);
            } else {
                Throwable cause = thrown instanceof CompletionException ? thrown.getCause() : null;
                execution.threw(cause == null ? thrown : cause);
            }
        }));
    }
}
