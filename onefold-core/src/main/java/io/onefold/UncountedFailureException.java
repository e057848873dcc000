package io.onefold;

/**
 * Thrown by joined work that has failed, to tell Onefold not to count the failure. The thrower counts it after the rollback, for instance once
 * the response to the failure is known. Callers that wait for the attempt hear the cause.
 */
public final class UncountedFailureException extends WorkNotStartedException {
    private static final long serialVersionUID = 1;

    public UncountedFailureException(Throwable cause) {
        super("the work failed; the failure is counted after the rollback", cause);
    }
}
