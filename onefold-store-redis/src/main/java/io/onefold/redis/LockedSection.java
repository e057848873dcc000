package io.onefold.redis;

import org.jspecify.annotations.Nullable;

/** What one at a time may do. Its exceptions reach the caller as they are. */
@FunctionalInterface
public interface LockedSection<T, X extends Exception> {
    @Nullable
    T run(HeldLock held) throws X;
}
