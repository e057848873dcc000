package io.onefold.spring;

/** A call brought no key, and needs one: nothing was run. */
public final class MissingKeyException extends IllegalArgumentException {
    private static final long serialVersionUID = 1;

    MissingKeyException(String message) {
        super(message);
    }
}
