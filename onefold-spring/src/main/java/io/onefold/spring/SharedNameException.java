package io.onefold.spring;

/** Two methods under one name: they would answer each other's duplicates. */
public final class SharedNameException extends IllegalStateException {
    private static final long serialVersionUID = 1;

    SharedNameException(String message) {
        super(message);
    }
}
