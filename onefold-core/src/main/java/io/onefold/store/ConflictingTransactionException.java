package io.onefold.store;

import org.jspecify.annotations.Nullable;

/** The transaction was given up in favour of another one: it must be rolled back, and may be repeated as a whole. */
public class ConflictingTransactionException extends StoreException {
    private static final long serialVersionUID = 1;

    public ConflictingTransactionException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
