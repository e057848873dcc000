package io.onefold.store;

import org.jspecify.annotations.Nullable;

/** The store answers, but not for this one record: a later version wrote it, say. Of other records this says nothing. */
public final class UnreadableRecordException extends StoreException {
    private static final long serialVersionUID = 1;

    public UnreadableRecordException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    public UnreadableRecordException(String message) {
        super(message);
    }
}
