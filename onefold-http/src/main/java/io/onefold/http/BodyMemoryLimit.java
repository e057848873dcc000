package io.onefold.http;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The memory that all bodies of a contract share. Each body may take only a little, but there may be as many bodies as connections, and
 * each may be held for long.
 */
final class BodyMemoryLimit {
    private final long most;
    private final AtomicLong taken = new AtomicLong();

    BodyMemoryLimit(long most) {
        this.most = most;
    }

    /** The default limit, a quarter of the heap: the rest of the heap is for everything else. */
    static long standard() {
        return Runtime.getRuntime().maxMemory() / 4;
    }

    /** Takes this many bytes. Returns true if that many were left; then the caller must give them back later. */
    boolean take(int bytes) {
        if (taken.addAndGet(bytes) <= most) {
            return true;
        }
        giveBack(bytes);
        return false;
    }

    void giveBack(long bytes) {
        taken.addAndGet(-bytes);
    }

    long taken() {
        return taken.get();
    }
}
