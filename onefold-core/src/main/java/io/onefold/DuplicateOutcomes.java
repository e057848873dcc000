package io.onefold;

import io.onefold.payload.ResultSerializer.StoredFailure;
import io.onefold.store.RecordId;
import io.onefold.store.RecordSnapshot;
import io.onefold.store.ResultPayload;
import io.onefold.store.Status;
import io.onefold.store.StoredRecord;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Objects;

/**
 * Builds the outcome of a request that does not run. The outcome comes from a record that exists already, or from the
 * reason that keeps the request from running.
 */
final class DuplicateOutcomes<T> {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final EngineContext engine;
    private final Operation<T> operation;
    private final RecordId id;
    private final PayloadComparison payload;

    DuplicateOutcomes(EngineContext engine, Operation<T> operation, RecordId id, PayloadComparison payload) {
        this.engine = engine;
        this.operation = operation;
        this.id = id;
        this.payload = payload;
    }

    /** An outcome, and what listeners are told of it. */
    record ReportedOutcome<T>(Outcome<T> outcome, OperationEvent.Kind kind) {}

    ReportedOutcome<T> replayed(StoredRecord record) {
        ResultPayload result = Objects.requireNonNull(record.payload(), "a success without a payload");
        byte[] context = EngineContext.context(id, Status.SUCCESS);
        if (result.kind() == ResultPayload.Kind.NOT_KEPT) {
            engine.results().verify(result, context);
            return new ReportedOutcome<>(new Outcome.Replayed<>(null, false), OperationEvent.Kind.REPLAYED);
        }
        @SuppressWarnings("unchecked") // the codec reads into the operation's own type
        T value = (T) engine.results().read(result, operation.type(), context);
        return new ReportedOutcome<>(new Outcome.Replayed<>(value, true), OperationEvent.Kind.REPLAYED);
    }

    ReportedOutcome<T> failed(StoredRecord record) {
        ResultPayload failure = Objects.requireNonNull(record.payload(), "a failure without a payload");
        StoredFailure read = engine.results().readFailure(failure, EngineContext.context(id, Status.FAILED));
        return new ReportedOutcome<>(new Outcome.Failed<>(read), OperationEvent.Kind.FAILURE_REPLAYED);
    }

    ReportedOutcome<T> conflict(StoredRecord record) {
        return new ReportedOutcome<>(new Outcome.Conflict<>(payload.differing(record)), OperationEvent.Kind.CONFLICT);
    }

    ReportedOutcome<T> refused(Outcome.RejectionReason reason) {
        String own = operation.settings().rejection;
        String message = own != null && reason == Outcome.RejectionReason.DUPLICATE ? own : reason.message();
        return new ReportedOutcome<>(new Outcome.Rejected<>(reason, message), OperationEvent.Kind.REFUSED);
    }

    ReportedOutcome<T> unknown(long sinceMicros) {
        Instant since = Instant.EPOCH.plus(sinceMicros, ChronoUnit.MICROS);
        return new ReportedOutcome<>(new Outcome.Unknown<>(since), OperationEvent.Kind.UNKNOWN);
    }

    /** Until the owner's lease ends, but no longer than a second. */
    ReportedOutcome<T> busy(RecordSnapshot seen) {
        Duration left = Duration.of(Math.max(0, seen.record().times().leaseUntil() - seen.now()), ChronoUnit.MICROS);
        return busy(left.compareTo(SECOND) < 0 ? left : SECOND);
    }

    ReportedOutcome<T> attemptFailed(AwaitedAttempt awaited) {
        return new ReportedOutcome<>(
                new Outcome.AttemptFailed<>(awaited.failure()), OperationEvent.Kind.FAILURE_SHARED);
    }

    ReportedOutcome<T> busy(Duration retryAfter) {
        return new ReportedOutcome<>(new Outcome.InProgress<>(retryAfter), OperationEvent.Kind.BUSY);
    }
}
