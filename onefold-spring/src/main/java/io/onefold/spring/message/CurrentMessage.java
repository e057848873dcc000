package io.onefold.spring.message;

import org.jspecify.annotations.Nullable;

/**
 * The message that a container has handed to its listener on this thread: the listener's method may take only the payload.
 *
 * @param consumer the known facts about the consumer that handed it over
 */
record CurrentMessage(Object message, @Nullable Object consumer) {
    private static final ThreadLocal<@Nullable CurrentMessage> HELD = new ThreadLocal<>();

    /** Returns the message among the arguments, else the one that is held; null if there is neither. */
    static <M> @Nullable M find(Class<M> type, @Nullable Object[] arguments) {
        for (Object argument : arguments) {
            if (type.isInstance(argument)) {
                return type.cast(argument);
            }
        }
        CurrentMessage held = HELD.get();
        return held != null && type.isInstance(held.message) ? type.cast(held.message) : null;
    }

    /** Returns the consumer that handed over the held message; null if nothing is known. */
    static <C> @Nullable C consumer(Class<C> type) {
        CurrentMessage held = HELD.get();
        return held != null && type.isInstance(held.consumer) ? type.cast(held.consumer) : null;
    }

    /**
     * Holds a message; null holds none.
     *
     * @return the one that was held before
     */
    static @Nullable CurrentMessage hold(@Nullable CurrentMessage message) {
        CurrentMessage before = HELD.get();
        if (message == null) {
            HELD.remove();
        } else {
            HELD.set(message);
        }
        return before;
    }
}
