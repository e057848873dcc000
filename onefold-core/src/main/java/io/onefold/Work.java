package io.onefold;

import org.jspecify.annotations.Nullable;

/** What happens once. Its exceptions reach the caller as they are. */
@FunctionalInterface
public interface Work<T, X extends Exception> {
    @Nullable
    T run(Attempt attempt) throws X;
}
