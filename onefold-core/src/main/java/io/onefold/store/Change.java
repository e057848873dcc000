package io.onefold.store;

import java.time.Duration;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A change to a record under a {@link Ticket}. Each is one compare-and-set on fence, owner and the status it may start from; found
 * already applied by the same ticket, it answers as it did the first time. Only {@link Mirror} has a rule of its own.
 *
 * <p>{@link Complete}, {@link Fail} and {@link Release} are the owner's word on its end. From UNKNOWN, too: a late word settles the
 * doubt, unless someone settled it before or took the record, and so raised its fence.
 */
public sealed interface Change {

    /** PROCESSING or UNKNOWN → SUCCESS. */
    record Complete(ResultPayload result, RetentionPeriod keep) implements Change {}

    /** PROCESSING or UNKNOWN → FAILED. */
    record Fail(ResultPayload failure, RetentionPeriod keep) implements Change {}

    /**
     * SUCCESS stays, with another payload: the answer that was made of a result after the result was recorded. The keep counts from
     * here.
     */
    record Amend(ResultPayload result, RetentionPeriod keep) implements Change {}

    /**
     * PROCESSING or UNKNOWN → FREE; fingerprint and fence stay. If the record was claimed to overwrite a finished one, that end is put
     * back instead, under a higher fence.
     *
     * @param counts false if the work was not even begun, so that the attempt does not count
     */
    record Release(RetentionPeriod keep, boolean counts) implements Change {
        public Release(RetentionPeriod keep) {
            this(keep, true);
        }
    }

    /** PROCESSING stays, with a new lease. */
    record Renew(Duration lease) implements Change {}

    /**
     * PROCESSING → UNKNOWN.
     *
     * @param leaseOver someone other than the owner says so, hence only once the lease is over by the store's clock
     */
    record MarkUnknown(ResultPayload note, boolean leaseOver) implements Change {}

    /**
     * UNKNOWN → SUCCESS, FAILED or FREE, under a higher fence and the settler's name, so that the lost owner finds itself
     * overtaken. FREE puts back the end that the record was claimed to overwrite, as {@link Release} does.
     *
     * @param anyway a person's word: also from PROCESSING, overruling the owner; what it frees starts its attempts anew
     */
    record Settle(UUID settler, Status to, @Nullable ResultPayload payload, RetentionPeriod keep, boolean anyway)
            implements Change {
        public Settle {
            if (!to.sweepable()) {
                throw new IllegalArgumentException("a record is settled as SUCCESS, FAILED or FREE, not " + to);
            }
            if ((payload == null) != (to == Status.FREE)) {
                throw new IllegalArgumentException("a record settled as " + to + " has the payload " + payload);
            }
        }
    }

    /** PROCESSING stays, and remembers where to resume. */
    record SaveCheckpoint(byte[] data) implements Change {}

    /**
     * A copy of a record of another store, with what is left of its times. It does not contain an end that the record was claimed to overwrite.
     * It is written where there is no record, where the stored fence is lower, or where the fence is equal and the stored record was not at its
     * end.
     */
    record Mirror(StoredRecord record, Duration leaseLeft, Duration keepLeft, Duration tombstone) implements Change {}
}
