package io.onefold.http;

import java.io.IOException;

/** Carries a rejection through the streams that a body is read by. */
final class InvalidBodyException extends IOException {
    private static final long serialVersionUID = 1;

    private final transient ProblemException rejection;

    InvalidBodyException(Problem.ProblemType type, String detail) {
        super(detail);
        this.rejection = new ProblemException(type, detail);
    }

    static InvalidBodyException invalid(String detail) {
        return new InvalidBodyException(Problem.ProblemType.BODY_INVALID, detail);
    }

    /** Collects no stack trace, because clients that send invalid bodies should not cause that cost. */
    @Override
    public synchronized Throwable fillInStackTrace() {
        return this;
    }

    ProblemException rejection() {
        return rejection;
    }
}
