package io.onefold.spring;

import io.onefold.Attempt;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/** The attempt that this thread is at work on, for keys of calls to others: {@code CurrentAttempt.get().childKey("psp")}. */
public final class CurrentAttempt {
    private static final ThreadLocal<@Nullable Attempt> HELD = new ThreadLocal<>();

    private CurrentAttempt() {}

    /** Null outside of methods that are safe to repeat. */
    public static @Nullable Attempt get() {
        return HELD.get();
    }

    /** Runs with this attempt as the current one. */
    public static <T extends @Nullable Object> T with(@Nullable Attempt attempt, Callable<T> work) throws Exception {
        Attempt outer = HELD.get();
        HELD.set(attempt);
        try {
            return work.call();
        } finally {
            if (outer == null) {
                HELD.remove();
            } else {
                HELD.set(outer);
            }
        }
    }
}
