package io.onefold.payload;

import org.jspecify.annotations.Nullable;

/**
 * The stored result cannot be read here, or cannot be trusted. The operation did run: a caller that gets this exception
 * must never run it again. Messages name codecs, versions and keys, never content.
 */
public final class UnreadableResultException extends RuntimeException {

    private static final long serialVersionUID = 1;

    public enum UnreadableReason {
        UNKNOWN_CODEC,
        /** Written by a newer release, as happens during a rolling deployment. */
        NEWER_VERSION,
        UNKNOWN_KEY,
        /** Forged, damaged, or moved from another record. */
        BAD_SEAL,
        NOT_SEALED,
        MALFORMED
    }

    private final UnreadableReason reason;

    UnreadableResultException(UnreadableReason reason, String message) {
        this(reason, message, null);
    }

    UnreadableResultException(UnreadableReason reason, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.reason = reason;
    }

    static UnreadableResultException badSeal(String keyId) {
        return new UnreadableResultException(
                UnreadableReason.BAD_SEAL, "The seal of key \"" + keyId + "\" does not fit");
    }

    public UnreadableReason reason() {
        return reason;
    }
}
