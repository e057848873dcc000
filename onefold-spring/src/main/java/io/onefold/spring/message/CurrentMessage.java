package io.onefold.spring.message;

import org.jspecify.annotations.Nullable;

/**
 * The message that a container has handed to its listener on this thread: the listener's method may take the payload alone.
 *
 * @param consumer what is known of who has handed it over
 */
record CurrentMessage(Object message, @Nullable Object consumer) {
    private static final ThreadLocal<@Nullable CurrentMessage> HELD = new ThreadLocal<>();

    /** One that is among the arguments, else the one that is held; null if there is neither. */
    static <M> @Nullable M find(Class<M> type, @Nullable Object[] arguments) {
        for (Object argument : arguments) {
            if (type.isInstance(argument)) {
                return type.cast(argument);
            }
        }
        CurrentMessage held = HELD.get();
        return held != null && type.isInstance(held.message) ? type.cast(held.message) : null;
    }

    /** What is known of who has handed over the message that is held; null if nothing is. */
    static <C> @Nullable C consumer(Class<C> type) {
        CurrentMessage held = HELD.get();
        return held != null && type.isInstance(held.consumer) ? type.cast(held.consumer) : null;
    }

    /**
     * Null holds none.
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
