package io.onefold.store;

import org.jspecify.annotations.Nullable;

/**
 * A lock was not to be had in time: another transaction holds it, and may hold it for long. Nothing stays of this one, and the same
 * call may be made again. Onefold has repeated its own steps for as long as it may, and never repeats the caller's work for this.
 */
public class RecordLockTimeoutException extends TransactionConflictException {
    private static final long serialVersionUID = 1;

    public RecordLockTimeoutException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
