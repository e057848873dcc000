package io.onefold;

import io.onefold.payload.Results.Failure;
import io.onefold.store.Change;
import io.onefold.store.Keep;
import io.onefold.store.RecordId;
import io.onefold.store.Status;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A verdict as the change that it makes to a record. Whatever does not say for certain what happened changes nothing. */
final class Settlement {
    private Settlement() {}

    static <T> Change.@Nullable Settle of(
            Engine engine, Operation<T> operation, RecordId id, Verdict<T> verdict, boolean anyway, Keep keep) {
        Objects.requireNonNull(verdict, "verdict");
        if (verdict instanceof Verdict.Executed<T> executed) {
            byte[] context = Engine.context(id, Status.SUCCESS);
            int most = operation.settings().maxResultBytes;
            var result = engine.results().value(executed.result(), operation.type(), most, context);
            return new Change.Settle(engine.owners().get(), Status.SUCCESS, result, keep, anyway);
        }
        if (verdict instanceof Verdict.Failed<T> failed) {
            Failure failure = failed.failure();
            byte[] context = Engine.context(id, Status.FAILED);
            var payload = engine.results().failure(failure.type(), failure.message(), failure.data(), context);
            return new Change.Settle(engine.owners().get(), Status.FAILED, payload, keep, anyway);
        }
        return verdict instanceof Verdict.Impossible
                ? new Change.Settle(engine.owners().get(), Status.FREE, null, keep, anyway)
                : null;
    }
}
