package io.onefold.store;

import org.jspecify.annotations.Nullable;

/**
 * The transaction was given up in favour of another one: nothing of it stays, and it counts as no attempt. If it is the caller's, it must be
 * rolled back. The same call may be made again, with a whole new transaction.
 */
public class TransactionConflictException extends StoreException {
    private static final long serialVersionUID = 1;

    public TransactionConflictException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
