package io.onefold.spring;

/** A method has the annotation, but its calls would not be seen. */
public final class CallsNotInterceptedException extends IllegalStateException {
    private static final long serialVersionUID = 1;

    CallsNotInterceptedException(String message) {
        super(message);
    }
}
