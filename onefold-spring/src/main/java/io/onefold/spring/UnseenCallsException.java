package io.onefold.spring;

/** A method has the annotation, but nobody would see that it is called. */
public final class UnseenCallsException extends IllegalStateException {
    private static final long serialVersionUID = 1;

    UnseenCallsException(String message) {
        super(message);
    }
}
