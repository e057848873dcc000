package io.onefold.http;

import java.util.concurrent.atomic.AtomicLong;

/**
 * How much memory all bodies of a contract have together. Each of them may have little, but there may be as many as there are
 * connections, and each may take its time.
 */
final class BodyMemory {
    private final long most;
    private final AtomicLong taken = new AtomicLong();

    BodyMemory(long most) {
        this.most = most;
    }

    /** What is left of the heap is for all else. */
    static long standard() {
        return Runtime.getRuntime().maxMemory() / 4;
    }

    /** Whether there was as much left; it must be given back then. */
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
