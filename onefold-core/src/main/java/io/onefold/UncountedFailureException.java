package io.onefold;

/**
 * Thrown by joined work that has failed, and whose failure somebody else counts when the transaction is rolled back: once the response to
 * the failure is known, say. Whoever waits for the attempt hears the cause.
 */
public final class UncountedFailureException extends NotBegunException {
    private static final long serialVersionUID = 1;

    public UncountedFailureException(Throwable cause) {
        super("not counted yet", cause);
    }
}
