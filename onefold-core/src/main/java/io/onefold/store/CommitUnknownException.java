package io.onefold.store;

/** A commit was sent and not answered: whether it happened is not known. */
public final class CommitUnknownException extends StoreException {
    private static final long serialVersionUID = 1;

    public CommitUnknownException(String message, Throwable cause) {
        super(message, cause);
    }
}
