package io.onefold.server.gateway;

/** The caller cannot be identified without waiting, and this thread must not wait. */
final class CallerPendingException extends RuntimeException {
    private static final long serialVersionUID = 1;

    CallerPendingException() {
        super("who asks is not known yet", null, false, false);
    }
}
