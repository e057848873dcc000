package io.onefold.store;

/** A commit was sent and not answered: whether it happened is not known. */
public final class LostCommitException extends StoreException {
    private static final long serialVersionUID = 1;

    public LostCommitException(String message, Throwable cause) {
        super(message, cause);
    }
}
