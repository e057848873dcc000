package io.onefold.http;

import java.io.IOException;

/** Carries a rejection through the streams that a body is read by. */
final class UnfitBodyException extends IOException {
    private static final long serialVersionUID = 1;

    private final transient RejectedException rejection;

    UnfitBodyException(Problem.Type type, String detail) {
        super(detail);
        this.rejection = new RejectedException(type, detail);
    }

    static UnfitBodyException invalid(String detail) {
        return new UnfitBodyException(Problem.Type.BODY_INVALID, detail);
    }

    /** Whoever sends broken bodies should not make us collect stack traces. */
    @Override
    public synchronized Throwable fillInStackTrace() {
        return this;
    }

    RejectedException rejection() {
        return rejection;
    }
}
