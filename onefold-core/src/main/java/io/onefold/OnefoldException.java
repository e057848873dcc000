package io.onefold;

/** An outcome without a value, for callers who asked for the value. */
public abstract class OnefoldException extends RuntimeException {
    private static final long serialVersionUID = 1;

    OnefoldException(String message) {
        super(message);
    }
}
