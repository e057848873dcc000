package io.onefold.spring;

/** A method has the annotation, but its calls would not be seen. */
public final class UnseenCallsException extends IllegalStateException {
    private static final long serialVersionUID = 1;

    UnseenCallsException(String message) {
        super(message);
    }
}
