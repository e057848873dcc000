package io.onefold.spring;

/** Two methods have the same name: they would replay each other's responses. */
public final class DuplicateOperationNameException extends IllegalStateException {
    private static final long serialVersionUID = 1;

    DuplicateOperationNameException(String message) {
        super(message);
    }
}
