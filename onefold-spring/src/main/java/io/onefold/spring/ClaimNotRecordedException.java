package io.onefold.spring;

import io.onefold.store.StoreException;

/** The claim of a request could not be recorded: nothing was run. */
public final class ClaimNotRecordedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    ClaimNotRecordedException(StoreException cause) {
        super("the request could not be recorded, and was not begun", cause);
    }
}
