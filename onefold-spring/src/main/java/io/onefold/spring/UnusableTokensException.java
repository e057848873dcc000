package io.onefold.spring;

/** The keys of a method are to be tokens, and cannot be. */
public final class UnusableTokensException extends IllegalArgumentException {
    private static final long serialVersionUID = 1;

    UnusableTokensException(String message) {
        super(message);
    }
}
