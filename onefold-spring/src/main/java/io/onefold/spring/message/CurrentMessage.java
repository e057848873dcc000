package io.onefold.spring.message;

import org.jspecify.annotations.Nullable;

/** The message that a container has handed to its listener on this thread: the listener's method may take the payload alone. */
final class CurrentMessage {
    private static final ThreadLocal<@Nullable Object> HELD = new ThreadLocal<>();

    private CurrentMessage() {}

    /** One that is among the arguments, else the one that is held; null if there is neither. */
    static <M> @Nullable M find(Class<M> type, @Nullable Object[] arguments) {
        for (Object argument : arguments) {
            if (type.isInstance(argument)) {
                return type.cast(argument);
            }
        }
        Object held = HELD.get();
        return type.isInstance(held) ? type.cast(held) : null;
    }

    /**
     * Null holds none.
     *
     * @return the one that was held before
     */
    static @Nullable Object hold(@Nullable Object message) {
        Object before = HELD.get();
        if (message == null) {
            HELD.remove();
        } else {
            HELD.set(message);
        }
        return before;
    }
}
