package io.onefold.spring;

/**
 * A record of Kafka that is not settled yet: another consumer is at work on it, its outcome is unknown, or the store cannot be asked.
 * The cause says which. Only annotated listeners throw it, so that an error handler which other listeners share can tell.
 */
public final class UnsettledRecordException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** @param cause why it must come again */
    public UnsettledRecordException(String message, RuntimeException cause) {
        super(message, cause);
    }
}
