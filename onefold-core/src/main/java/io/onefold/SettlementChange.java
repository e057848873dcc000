package io.onefold;

import io.onefold.payload.ResultSerializer.StoredFailure;
import io.onefold.store.Change;
import io.onefold.store.RecordId;
import io.onefold.store.RetentionPeriod;
import io.onefold.store.Status;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A verdict as the change that it makes to a record. Whatever does not say for certain what happened changes nothing. */
final class SettlementChange {
    private SettlementChange() {}

    static <T> Change.@Nullable Settle of(
            EngineContext engine,
            Operation<T> operation,
            RecordId id,
            Verdict<T> verdict,
            boolean anyway,
            RetentionPeriod keep) {
        Objects.requireNonNull(verdict, "verdict");
        if (verdict instanceof Verdict.WasExecuted<T> executed) {
            byte[] context = EngineContext.context(id, Status.SUCCESS);
            int most = operation.settings().maxResultBytes;
            check(engine, operation, executed.result());
            var result = engine.results().value(executed.result(), operation.type(), most, context);
            return new Change.Settle(engine.owners().get(), Status.SUCCESS, result, keep, anyway);
        }
        if (verdict instanceof Verdict.HasFailed<T> failed) {
            StoredFailure failure = failed.failure();
            byte[] context = EngineContext.context(id, Status.FAILED);
            var payload = engine.results().failure(failure.type(), failure.message(), failure.data(), context);
            return new Change.Settle(engine.owners().get(), Status.FAILED, payload, keep, anyway);
        }
        return verdict instanceof Verdict.CanNoLongerHappen
                ? new Change.Settle(engine.owners().get(), Status.FREE, null, keep, anyway)
                : null;
    }

    /** Work that ran is recorded whatever it returned; a verdict can still be corrected, so it must be one that duplicates can get. */
    private static <T> void check(EngineContext engine, Operation<T> operation, @Nullable Object result) {
        if (operation.settings().maxResultBytes == 0) {
            return;
        }
        String expected = "the verdict on " + operation.name() + " must have a result of "
                + operation.type().getTypeName() + ", not ";
        if (result == null) {
            if (operation.type() instanceof Class<?> type && type.isPrimitive() && type != void.class) {
                throw new IllegalArgumentException(expected + "null");
            }
            return;
        }
        try {
            var unused = engine.results().encode(result, operation.type());
        } catch (RuntimeException | StackOverflowError | LinkageError e) {
            throw new IllegalArgumentException(
                    expected + "one of " + result.getClass().getName() + " that duplicates could not get: "
                            + e.getMessage(),
                    e);
        }
    }
}
