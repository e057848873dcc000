package io.onefold.spring;

/** The call brought no key, but needs one: nothing was run. */
public final class MissingKeyException extends IllegalArgumentException {
    private static final long serialVersionUID = 1;

    MissingKeyException(String message) {
        super(message);
    }
}
