package io.onefold.spring;

import io.onefold.Attempt;
import io.onefold.store.RecordId;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/**
 * The attempt that this thread works on. It gives calls to other services their keys: {@code CurrentAttempt.get().childKey("psp")}. Log
 * lines written during the attempt have its operation and the safe form of its key in their diagnostic context, never the key itself.
 */
public final class CurrentAttempt {
    /** The key of the attempt in a Reactor context. */
    public static final String CONTEXT = "io.onefold.attempt";

    /** The key of the operation's name in the diagnostic context of log lines. */
    public static final String MDC_OPERATION = "onefold.operation";

    /** The key of the safe form of the idempotency key in the diagnostic context of log lines. */
    public static final String MDC_KEY = "onefold.key";

    /** The key of the attempt and the attempts around it in a Reactor context. */
    static final String CHAIN = "io.onefold.attempts";

    private static final ThreadLocal<@Nullable AttemptBinding> HELD = new ThreadLocal<>();

    private CurrentAttempt() {}

    /** Returns the current attempt, or null outside of idempotent methods. */
    public static @Nullable Attempt get() {
        AttemptBinding held = HELD.get();
        return held == null ? null : held.attempt;
    }

    /** Runs with this attempt as the current one. */
    public static <T extends @Nullable Object> T with(@Nullable Attempt attempt, Callable<T> work) throws Exception {
        return within(attempt == null ? null : new AttemptBinding(attempt, HELD.get()), work);
    }

    /**
     * Wraps a task for another thread. The task keeps the attempt that is current now, so that its calls get keys even after the attempt
     * has ended.
     */
    public static Runnable carriedBy(Runnable task) {
        AttemptBinding held = HELD.get();
        return held == null ? task : () -> run(held, task);
    }

    private static void run(AttemptBinding held, Runnable task) {
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

    static <T extends @Nullable Object> T within(@Nullable AttemptBinding held, Callable<T> work) throws Exception {
        AttemptBinding outer = HELD.get();
        // code that copies such contexts to other threads may have put entries there without an attempt
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

    /** The current attempt with the attempts around it. */
    static @Nullable AttemptBinding held() {
        return HELD.get();
    }

    private static void hold(@Nullable AttemptBinding held) {
        if (held == null) {
            HELD.remove();
        } else {
            HELD.set(held);
        }
    }

    record AttemptBinding(Attempt attempt, @Nullable AttemptBinding outer) {
        AttemptBinding {
            // ended attempts are not needed, and tasks that start tasks would hold more and more of them
            outer = atWork(outer);
        }

        @SuppressWarnings("ReferenceEquality") // an unchanged chain is not copied
        private static @Nullable AttemptBinding atWork(@Nullable AttemptBinding held) {
            if (held == null) {
                return null;
            }
            AttemptBinding outer = atWork(held.outer);
            return held.attempt.isOver() ? outer : outer == held.outer ? held : new AttemptBinding(held.attempt, outer);
        }

        /** Returns true if one of the attempts works on the record. */
        boolean isInside(RecordId id) {
            for (AttemptBinding held = this; held != null; held = held.outer) {
                // work that outlives its attempt is no longer part of it
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
