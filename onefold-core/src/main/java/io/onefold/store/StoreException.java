package io.onefold.store;

import org.jspecify.annotations.Nullable;

/** The store could not be asked, or its answer was lost: whether the step happened is not known. Repeating it is safe. */
public class StoreException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public StoreException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    public StoreException(String message) {
        super(message);
    }
}
