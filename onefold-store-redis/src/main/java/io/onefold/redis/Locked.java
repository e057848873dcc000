package io.onefold.redis;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What became of a try to run a {@link Section} under a lock. */
public sealed interface Locked<T> {

    /**
     * It ran, and the lock was its own from beginning to end.
     *
     * @param value what it returned
     */
    record Ran<T>(@Nullable T value) implements Locked<T> {}

    /**
     * Somebody else holds the lock. Nothing ran.
     *
     * @param free when the lock will be free if its owner has crashed
     */
    record Taken<T>(Duration free) implements Locked<T> {}
}
