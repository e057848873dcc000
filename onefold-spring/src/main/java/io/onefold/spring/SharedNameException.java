package io.onefold.spring;

/** Two methods have the same name: they would replay each other's responses. */
public final class SharedNameException extends IllegalStateException {
    private static final long serialVersionUID = 1;

    SharedNameException(String message) {
        super(message);
    }
}
