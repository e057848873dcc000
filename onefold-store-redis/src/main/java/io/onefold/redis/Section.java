package io.onefold.redis;

import org.jspecify.annotations.Nullable;

/** What one at a time may do. Its exceptions reach the caller as they are. */
@FunctionalInterface
public interface Section<T, X extends Exception> {
    @Nullable
    T run(Held held) throws X;
}
