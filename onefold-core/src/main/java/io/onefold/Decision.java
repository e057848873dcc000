package io.onefold;

import io.onefold.store.RecordSnapshot;
import io.onefold.store.StoredRecord;
import io.onefold.store.Takeover.TakeoverReason;
import org.jspecify.annotations.Nullable;

/**
 * The decision about a record that exists already. This is the one place where policy is decided, without clock, thread
 * or I/O. Everything it needs comes with the record, including the store's current time.
 *
 * <p>A changed payload is noticed before anything else, so that "conflict" wins over "in progress". A record is not
 * compared if its keep and tombstone are over, or if no attempt at it ever began: nobody has acted on its payload, so a
 * corrected one may take its place.
 *
 * @param grounds for RETAKE and REPLACE
 * @param reason for REFUSE
 */
record Decision(DecisionAction verb, @Nullable TakeoverReason grounds, Outcome.@Nullable RejectionReason reason) {

    enum DecisionAction {
        REPLAY,
        REPLAY_FAILURE,
        REFUSE,
        CONFLICT,
        /** Somebody is at work: wait for them, or say so. */
        WAIT,
        UNKNOWN,
        /** The owner's lease is over: record that, then answer UNKNOWN. */
        DOUBT,
        /** Claim what was seen as its next attempt. */
        RETAKE,
        /** Claim what was seen as a first attempt. */
        REPLACE
    }

    /** The result of comparing the payload at hand with the record's. */
    enum PayloadMatch {
        SAME,
        OTHER,
        /** Another one, which was overwritten before. */
        SUPERSEDED
    }

    /** Returns true if the record answers the request, so that it neither waits nor runs. */
    boolean isAnswer() {
        return switch (verb) {
            case REPLAY, REPLAY_FAILURE, REFUSE, CONFLICT, UNKNOWN -> true;
            case WAIT, DOUBT, RETAKE, REPLACE -> false;
        };
    }

    static Decision of(OperationPolicy policy, PayloadMatch match, RecordSnapshot seen) {
        StoredRecord record = seen.record();
        if (record.gone(seen.now())) {
            return take(DecisionAction.REPLACE, TakeoverReason.EXPIRED);
        }
        if (match == PayloadMatch.SUPERSEDED) {
            return refuse(Outcome.RejectionReason.SUPERSEDED);
        }
        if (match != PayloadMatch.SAME && !policy.overwrite) {
            return record.unbegun()
                    ? take(DecisionAction.REPLACE, TakeoverReason.FREE)
                    : new Decision(DecisionAction.CONFLICT, null, null);
        }
        if (record.expired(seen.now())) {
            return refuse(Outcome.RejectionReason.LATE);
        }
        return match == PayloadMatch.SAME ? same(policy, record, seen.now()) : overwriting(policy, record, seen.now());
    }

    private static Decision same(OperationPolicy policy, StoredRecord record, long now) {
        return switch (record.status()) {
            case SUCCESS ->
                policy.rejection == null
                        ? new Decision(DecisionAction.REPLAY, null, null)
                        : refuse(Outcome.RejectionReason.DUPLICATE);
            case FAILED -> new Decision(DecisionAction.REPLAY_FAILURE, null, null);
            case FREE ->
                record.attempts() < policy.maxAttempts
                        ? take(DecisionAction.RETAKE, TakeoverReason.FREE)
                        : refuse(Outcome.RejectionReason.EXHAUSTED);
            case UNKNOWN ->
                policy.repeats(record.attempts())
                        ? take(DecisionAction.RETAKE, TakeoverReason.UNKNOWN)
                        : new Decision(DecisionAction.UNKNOWN, null, null);
            case PROCESSING -> processing(policy, record, now);
        };
    }

    private static Decision overwriting(OperationPolicy policy, StoredRecord record, long now) {
        return switch (record.status()) {
            case SUCCESS, FAILED -> take(DecisionAction.REPLACE, TakeoverReason.OVERWRITE);
            case FREE -> take(DecisionAction.REPLACE, TakeoverReason.FREE);
            case UNKNOWN ->
                policy.safeToRepeat
                        ? take(DecisionAction.REPLACE, TakeoverReason.UNKNOWN)
                        : new Decision(DecisionAction.UNKNOWN, null, null);
            case PROCESSING ->
                record.leaseOver(now) && policy.safeToRepeat
                        ? take(DecisionAction.REPLACE, TakeoverReason.LEASE_OVER)
                        : processing(policy, record, now);
        };
    }

    private static Decision processing(OperationPolicy policy, StoredRecord record, long now) {
        if (!record.leaseOver(now)) {
            return policy.rejection == null
                    ? new Decision(DecisionAction.WAIT, null, null)
                    : refuse(Outcome.RejectionReason.DUPLICATE);
        }
        return policy.repeats(record.attempts())
                ? take(DecisionAction.RETAKE, TakeoverReason.LEASE_OVER)
                : new Decision(DecisionAction.DOUBT, null, null);
    }

    private static Decision take(DecisionAction verb, TakeoverReason grounds) {
        return new Decision(verb, grounds, null);
    }

    private static Decision refuse(Outcome.RejectionReason reason) {
        return new Decision(DecisionAction.REFUSE, null, reason);
    }
}
