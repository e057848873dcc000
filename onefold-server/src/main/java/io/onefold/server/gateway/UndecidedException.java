package io.onefold.server.gateway;

/** Who asks cannot be told without waiting, and whoever wants to know must not wait. */
final class UndecidedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    UndecidedException() {
        super("who asks is not known yet", null, false, false);
    }
}
