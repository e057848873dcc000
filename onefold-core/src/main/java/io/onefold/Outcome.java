package io.onefold;

import io.onefold.payload.ResultSerializer.StoredFailure;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The outcome of a request. */
public sealed interface Outcome<T> {

    /** The value, or the exception that says why there is none. */
    @Nullable
    T orThrow();

    /**
     * This call ran the work.
     *
     * @param stored false when the store could not be told before the lease ended: the value is true, but a duplicate will be
     *     answered "unknown" until it is settled
     */
    record Executed<T>(@Nullable T value, boolean stored) implements Outcome<T> {
        @Override
        public @Nullable T orThrow() {
            return value;
        }
    }

    /**
     * The work ran before; this is its result.
     *
     * @param kept false when the result was too large, could not be written or did not read back as itself; then there is no value
     */
    record Replayed<T>(@Nullable T value, boolean kept) implements Outcome<T> {
        @Override
        public @Nullable T orThrow() {
            if (!kept) {
                throw new ResultNotKeptException();
            }
            return value;
        }
    }

    /** The work failed for good before; this is its failure. */
    record Failed<T>(StoredFailure failure) implements Outcome<T> {
        @Override
        public T orThrow() {
            throw new OperationFailedException(failure);
        }
    }

    /** Somebody is at work on it. */
    record InProgress<T>(Duration retryAfter) implements Outcome<T> {
        @Override
        public T orThrow() {
            throw new InProgressException(retryAfter);
        }
    }

    /**
     * The attempt that this call waited for has failed, and nothing ran for this call; see {@link Operation#waitersShareFailure()}.
     *
     * @param cause what the attempt threw, if it ran in this process
     */
    record AttemptFailed<T>(@Nullable Throwable cause) implements Outcome<T> {
        @Override
        public T orThrow() {
            throw new AttemptFailedException(cause);
        }
    }

    /** The key was used with another payload; the fields that differ, where they were recorded. */
    record Conflict<T>(List<String> fields) implements Outcome<T> {
        @Override
        public T orThrow() {
            throw new ConflictException(fields);
        }
    }

    /** An earlier attempt was lost in mid-work, and nobody knows yet whether it had its effect. */
    record Unknown<T>(Instant since) implements Outcome<T> {
        @Override
        public T orThrow() {
            throw new UnknownOutcomeException(since);
        }
    }

    /** The request may not run and gets no earlier answer. */
    record Rejected<T>(RejectionReason reason, String message) implements Outcome<T> {
        @Override
        public T orThrow() {
            throw new RejectedException(reason, message);
        }
    }

    /** The work ran, but its claim had been settled or taken over meanwhile. */
    record Overtaken<T>(@Nullable T value) implements Outcome<T> {
        @Override
        public T orThrow() {
            throw new OvertakenException(value);
        }
    }

    /** Why a request is refused. */
    enum RejectionReason {
        /** The operation refuses duplicates instead of replaying their result. */
        DUPLICATE("the request was handled before"),
        /** Its record was kept for as long as it had to be, and only a tombstone is left. */
        LATE("the request was handled long ago; its answer is no longer kept"),
        /** A later payload has overwritten this one. */
        SUPERSEDED("a later payload has overwritten this one"),
        /** All attempts were used up. */
        EXHAUSTED("the operation was attempted too often"),
        TOKEN_MISSING("the token does not exist"),
        TOKEN_FOREIGN("the token was issued to another user or for another operation"),
        TOKEN_EXPIRED("the token has expired");

        private final String message;

        RejectionReason(String message) {
            this.message = message;
        }

        public String message() {
            return message;
        }
    }
}
