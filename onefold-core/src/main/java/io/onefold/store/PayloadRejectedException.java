package io.onefold.store;

import org.jspecify.annotations.Nullable;

/**
 * The store has heard the step and refuses its payload for good: it is too large, say. Nothing was written, and the same step would be
 * refused again; without the payload it may be taken.
 */
public class PayloadRejectedException extends StoreException {
    private static final long serialVersionUID = 1;

    public PayloadRejectedException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
