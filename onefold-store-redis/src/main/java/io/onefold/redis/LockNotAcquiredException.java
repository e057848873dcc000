package io.onefold.redis;

import java.time.Duration;

/** Somebody else held the lock for as long as one was ready to wait. Nothing ran. */
public final class LockNotAcquiredException extends RuntimeException {
    private static final long serialVersionUID = 1;

    LockNotAcquiredException(String name, Duration waited) {
        super("lock " + name + " was held by another for " + waited + ", or waiting for it was interrupted");
    }
}
