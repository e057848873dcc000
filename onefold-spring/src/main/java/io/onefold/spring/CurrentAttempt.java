package io.onefold.spring;

import io.onefold.Attempt;
import io.onefold.store.RecordId;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/**
 * The attempt that this thread is at work on, for keys of calls to others: {@code CurrentAttempt.get().childKey("psp")}. Log lines
 * written meanwhile have its operation and the safe form of its key in their diagnostic context, never the key itself.
 */
public final class CurrentAttempt {
    /** Where a Reactor context has the attempt. */
    public static final String CONTEXT = "io.onefold.attempt";

    /** Where the diagnostic context of log lines has the name of the operation. */
    public static final String MDC_OPERATION = "onefold.operation";

    /** Where the diagnostic context of log lines has the safe form of the key. */
    public static final String MDC_KEY = "onefold.key";

    /** Where a Reactor context has it together with those around it. */
    static final String CHAIN = "io.onefold.attempts";

    private static final ThreadLocal<@Nullable Held> HELD = new ThreadLocal<>();

    private CurrentAttempt() {}

    /** Null outside of methods that are safe to repeat. */
    public static @Nullable Attempt get() {
        Held held = HELD.get();
        return held == null ? null : held.attempt;
    }

    /** Runs with this attempt as the current one. */
    public static <T extends @Nullable Object> T with(@Nullable Attempt attempt, Callable<T> work) throws Exception {
        return within(attempt == null ? null : new Held(attempt, HELD.get()), work);
    }

    /** For other threads: the task has the attempt that is the current one now, for keys of its calls even when that one is over. */
    public static Runnable carriedBy(Runnable task) {
        Held held = HELD.get();
        return held == null ? task : () -> run(held, task);
    }

    private static void run(Held held, Runnable task) {
        try {
            within(held, () -> {
                task.run();
                return true;
            });
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException("a task throws nothing that is checked", e);
        }
    }

    static <T extends @Nullable Object> T within(@Nullable Held held, Callable<T> work) throws Exception {
        Held outer = HELD.get();
        // whoever copies such contexts to other threads may have put something there without an attempt
        String outerOperation = MDC.get(MDC_OPERATION);
        String outerKey = MDC.get(MDC_KEY);
        hold(held);
        log(held == null ? null : held.attempt.operation(), held == null ? null : held.attempt.safeKey());
        try {
            return work.call();
        } finally {
            hold(outer);
            log(outerOperation, outerKey);
        }
    }

    /** The attempt with those that it is made inside of. */
    static @Nullable Held held() {
        return HELD.get();
    }

    private static void hold(@Nullable Held held) {
        if (held == null) {
            HELD.remove();
        } else {
            HELD.set(held);
        }
    }

    record Held(Attempt attempt, @Nullable Held outer) {
        Held {
            // nobody asks for those that are over, and tasks that begin tasks would hold more and more of them
            outer = atWork(outer);
        }

        @SuppressWarnings("ReferenceEquality") // what is not changed is not made anew
        private static @Nullable Held atWork(@Nullable Held held) {
            if (held == null) {
                return null;
            }
            Held outer = atWork(held.outer);
            return held.attempt.isOver() ? outer : outer == held.outer ? held : new Held(held.attempt, outer);
        }

        /** Whether one of them is at work on the record. */
        boolean isInside(RecordId id) {
            for (Held held = this; held != null; held = held.outer) {
                // what was left behind by an attempt is no longer part of it
                if (held.attempt.isOf(id) && !held.attempt.isOver()) {
                    return true;
                }
            }
            return false;
        }
    }

    private static void log(@Nullable String operation, @Nullable String key) {
        put(MDC_OPERATION, operation);
        put(MDC_KEY, key);
    }

    private static void put(String name, @Nullable String value) {
        if (value == null) {
            MDC.remove(name);
        } else {
            MDC.put(name, value);
        }
    }
}
