package io.onefold;

import io.onefold.payload.Results.Failure;
import io.onefold.store.Payload;
import io.onefold.store.RecordId;
import io.onefold.store.Seen;
import io.onefold.store.Status;
import io.onefold.store.StoredRecord;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Objects;

/** What a request is told that does not run: of a record that is there already, or of what keeps it from running. */
final class Retelling<T> {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final Engine engine;
    private final Operation<T> operation;
    private final RecordId id;
    private final Comparison payload;

    Retelling(Engine engine, Operation<T> operation, RecordId id, Comparison payload) {
        this.engine = engine;
        this.operation = operation;
        this.id = id;
        this.payload = payload;
    }

    /** An outcome, and what listeners are told of it. */
    record Told<T>(Outcome<T> outcome, Event.Kind kind) {}

    Told<T> replayed(StoredRecord record) {
        Payload result = Objects.requireNonNull(record.payload(), "a success without a payload");
        byte[] context = Engine.context(id, Status.SUCCESS);
        if (result.kind() == Payload.Kind.NOT_KEPT) {
            engine.results().verify(result, context);
            return new Told<>(new Outcome.Replayed<>(null, false), Event.Kind.REPLAYED);
        }
        @SuppressWarnings("unchecked") // the codec reads into the operation's own type
        T value = (T) engine.results().read(result, operation.type(), context);
        return new Told<>(new Outcome.Replayed<>(value, true), Event.Kind.REPLAYED);
    }

    Told<T> failed(StoredRecord record) {
        Payload failure = Objects.requireNonNull(record.payload(), "a failure without a payload");
        Failure read = engine.results().readFailure(failure, Engine.context(id, Status.FAILED));
        return new Told<>(new Outcome.Failed<>(read), Event.Kind.FAILURE_REPLAYED);
    }

    Told<T> conflict(StoredRecord record) {
        return new Told<>(new Outcome.Conflict<>(payload.differing(record)), Event.Kind.CONFLICT);
    }

    Told<T> refused(Outcome.Reason reason) {
        String own = operation.settings().rejection;
        String message = own != null && reason == Outcome.Reason.DUPLICATE ? own : reason.message();
        return new Told<>(new Outcome.Refused<>(reason, message), Event.Kind.REFUSED);
    }

    Told<T> unknown(long sinceMicros) {
        Instant since = Instant.EPOCH.plus(sinceMicros, ChronoUnit.MICROS);
        return new Told<>(new Outcome.Unknown<>(since), Event.Kind.UNKNOWN);
    }

    /** Until the owner's lease ends, but no longer than a second. */
    Told<T> busy(Seen seen) {
        Duration left = Duration.of(Math.max(0, seen.record().times().leaseUntil() - seen.now()), ChronoUnit.MICROS);
        return busy(left.compareTo(SECOND) < 0 ? left : SECOND);
    }

    Told<T> attemptFailed(AwaitedAttempt awaited) {
        return new Told<>(new Outcome.AttemptFailed<>(awaited.failure()), Event.Kind.FAILURE_SHARED);
    }

    Told<T> busy(Duration retryAfter) {
        return new Told<>(new Outcome.Busy<>(retryAfter), Event.Kind.BUSY);
    }
}
