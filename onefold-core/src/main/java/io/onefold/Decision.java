package io.onefold;

import io.onefold.store.Seen;
import io.onefold.store.StoredRecord;
import io.onefold.store.Take.Grounds;
import org.jspecify.annotations.Nullable;

/**
 * What to do about a record that is there already: the one place where policy is decided, without clock, thread or I/O. Everything it
 * needs comes with the record, the store's now included.
 *
 * <p>A changed payload is noticed before anything else, so that "conflict" wins over "in progress". A record is not compared if its keep
 * and tombstone are over, or if no attempt at it ever began: nobody has acted on its payload, so a corrected one may take its place.
 *
 * @param grounds for RETAKE and REPLACE
 * @param reason for REFUSE
 */
record Decision(Verb verb, @Nullable Grounds grounds, Outcome.@Nullable Reason reason) {

    enum Verb {
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

    /** How the payload at hand compares with the record's. */
    enum Match {
        SAME,
        OTHER,
        /** Another one, which was overwritten before. */
        SUPERSEDED
    }

    /** Whether the record answers the request, so that it neither waits nor runs. */
    boolean isAnswer() {
        return switch (verb) {
            case REPLAY, REPLAY_FAILURE, REFUSE, CONFLICT, UNKNOWN -> true;
            case WAIT, DOUBT, RETAKE, REPLACE -> false;
        };
    }

    static Decision of(Settings policy, Match match, Seen seen) {
        StoredRecord record = seen.record();
        if (record.gone(seen.now())) {
            return take(Verb.REPLACE, Grounds.EXPIRED);
        }
        if (match == Match.SUPERSEDED) {
            return refuse(Outcome.Reason.SUPERSEDED);
        }
        if (match != Match.SAME && !policy.overwrite) {
            return record.unbegun() ? take(Verb.REPLACE, Grounds.FREE) : new Decision(Verb.CONFLICT, null, null);
        }
        if (record.expired(seen.now())) {
            return refuse(Outcome.Reason.LATE);
        }
        return match == Match.SAME ? same(policy, record, seen.now()) : overwriting(policy, record, seen.now());
    }

    private static Decision same(Settings policy, StoredRecord record, long now) {
        return switch (record.status()) {
            case SUCCESS ->
                policy.rejection == null ? new Decision(Verb.REPLAY, null, null) : refuse(Outcome.Reason.DUPLICATE);
            case FAILED -> new Decision(Verb.REPLAY_FAILURE, null, null);
            case FREE ->
                record.attempts() < policy.maxAttempts
                        ? take(Verb.RETAKE, Grounds.FREE)
                        : refuse(Outcome.Reason.EXHAUSTED);
            case UNKNOWN ->
                policy.repeats(record.attempts())
                        ? take(Verb.RETAKE, Grounds.UNKNOWN)
                        : new Decision(Verb.UNKNOWN, null, null);
            case PROCESSING -> processing(policy, record, now);
        };
    }

    private static Decision overwriting(Settings policy, StoredRecord record, long now) {
        return switch (record.status()) {
            case SUCCESS, FAILED -> take(Verb.REPLACE, Grounds.OVERWRITE);
            case FREE -> take(Verb.REPLACE, Grounds.FREE);
            case UNKNOWN ->
                policy.safeToRepeat ? take(Verb.REPLACE, Grounds.UNKNOWN) : new Decision(Verb.UNKNOWN, null, null);
            case PROCESSING ->
                record.leaseOver(now) && policy.safeToRepeat
                        ? take(Verb.REPLACE, Grounds.LEASE_OVER)
                        : processing(policy, record, now);
        };
    }

    private static Decision processing(Settings policy, StoredRecord record, long now) {
        if (!record.leaseOver(now)) {
            return policy.rejection == null ? new Decision(Verb.WAIT, null, null) : refuse(Outcome.Reason.DUPLICATE);
        }
        return policy.repeats(record.attempts())
                ? take(Verb.RETAKE, Grounds.LEASE_OVER)
                : new Decision(Verb.DOUBT, null, null);
    }

    private static Decision take(Verb verb, Grounds grounds) {
        return new Decision(verb, grounds, null);
    }

    private static Decision refuse(Outcome.Reason reason) {
        return new Decision(Verb.REFUSE, null, reason);
    }
}
