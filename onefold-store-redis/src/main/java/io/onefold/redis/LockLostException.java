package io.onefold.redis;

import org.jspecify.annotations.Nullable;

/**
 * A section ran to its end, but its lock was lost meanwhile: the process was paused, or the store out of reach, for longer than the lease.
 * Another may have held the lock at the same time. Only what was written under a fence is safe.
 */
public final class LockLostException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final transient @Nullable Object value;

    LockLostException(HeldLock held, @Nullable Object value, @Nullable Throwable cause) {
        super(
                "lock " + held.name() + " was lost before the section under fence " + held.fence()
                        + " had ended: it may have run beside another, and only the fence protects what it wrote",
                cause);
        this.value = value;
    }

    /** What the section returned, if it did. */
    public @Nullable Object value() {
        return value;
    }
}
