package io.onefold.spring;

/** The keys of a method are declared as tokens, but cannot be. */
public final class UnusableTokensException extends IllegalArgumentException {
    private static final long serialVersionUID = 1;

    UnusableTokensException(String message) {
        super(message);
    }
}
