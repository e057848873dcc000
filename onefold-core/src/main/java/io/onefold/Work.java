package io.onefold;

import org.jspecify.annotations.Nullable;

/** The work of an operation that runs once. Its exceptions reach the caller unchanged. */
@FunctionalInterface
public interface Work<T, X extends Exception> {
    @Nullable
    T run(Attempt attempt) throws X;
}
