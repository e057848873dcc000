package io.onefold.spring;

/**
 * A record of Kafka that is not settled yet: another consumer works on it, its outcome is unknown, or the store is unreachable. The cause
 * says which. Only annotated listeners throw it, so an error handler that other listeners share can tell them apart.
 */
public final class UnsettledRecordException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** @param cause the reason why it must come again */
    public UnsettledRecordException(String message, RuntimeException cause) {
        super(message, cause);
    }
}
