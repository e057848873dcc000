package io.onefold.spring;

/** An expression of an {@link Idempotent} has failed: nothing was run. */
public final class KeyExpressionException extends IllegalStateException {
    private static final long serialVersionUID = 1;

    KeyExpressionException(String message, Throwable cause) {
        super(message, cause);
    }
}
