package io.onefold;

import java.util.Objects;

/**
 * Thrown by joined work that has failed, but whose effect is to stay: the record commits with the effect and says that the operation
 * failed. Whoever called the work gets the cause; duplicates get the failure, and the work does not run again.
 */
public final class CommittedFailureException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** @param cause what the caller is to get */
    public CommittedFailureException(Throwable cause) {
        super(
                "the operation failed, and its effect is committed",
                Objects.requireNonNull(cause, "cause"),
                false,
                false);
    }

    Throwable failure() {
        return Objects.requireNonNull(getCause());
    }
}
