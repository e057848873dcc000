package io.onefold.redis;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What became of a try to run a {@link LockedSection} under a lock. */
public sealed interface LockResult<T> {

    /**
     * It ran, and the lock was its own from beginning to end.
     *
     * @param value what it returned
     */
    record SectionRan<T>(@Nullable T value) implements LockResult<T> {}

    /**
     * Somebody else holds the lock. Nothing ran.
     *
     * @param free when the lock will be free if its owner has crashed
     */
    record NotAcquired<T>(Duration free) implements LockResult<T> {}
}
