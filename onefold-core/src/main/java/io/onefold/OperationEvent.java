package io.onefold;

import io.onefold.store.RecordId;
import java.time.Duration;

/**
 * Something a listener may want to count.
 *
 * @param took from the call's start, as far as this event has one
 */
public record OperationEvent(Kind kind, RecordId id, Duration took) {

    public enum Kind {
        /** A call ran the work; its result is recorded. */
        EXECUTED,
        /** A call ran the work, but the store could not be told in time. */
        NOT_STORED,
        /** A call ran the work, which failed; the claim was released for another attempt. */
        RELEASED,
        /** A call had claimed, but the work was not begun, or took back all that it did; the claim was released, and no attempt counted. */
        NOT_BEGUN,
        /** A call ran the work, which failed for good. */
        FAILED,
        /** A call ran the work, which failed without saying whether it had an effect. */
        DOUBTED,
        /** A call ran the work, and was overtaken. */
        OVERTAKEN,
        REPLAYED,
        FAILURE_REPLAYED,
        /** A call waited for an attempt that failed, and was told so; see {@link Operation#waitersShareFailure()}. */
        FAILURE_SHARED,
        BUSY,
        CONFLICT,
        UNKNOWN,
        REFUSED,
        /** An attempt learned that it no longer holds its lease. */
        LEASE_LOST,
        /** A lost attempt of an operation that is safe to repeat was taken over. */
        TAKEN_OVER,
        /** A duplicate came after the keep was over and ran as new. */
        LATE_DUPLICATE,
        /** A record whose owner was lost was found and became unknown. */
        FOUND_UNKNOWN,
        /** A probe or a person settled an unknown outcome. */
        SETTLED,
        /** A probe threw, did not end in time, or found out what could not be recorded. */
        PROBE_FAILED,
        /** An outcome is unknown for so long that somebody should look. */
        STUCK
    }

    public String operation() {
        return id.operation();
    }
}
