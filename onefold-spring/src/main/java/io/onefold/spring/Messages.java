package io.onefold.spring;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Finds the message that a listener is called for. */
@FunctionalInterface
public interface Messages {
    /** None is ever found. */
    Messages NONE = (door, arguments) -> null;

    /**
     * The message that this thread handles.
     *
     * @param arguments of the listener: the message may be one of them
     * @return null if there is no telling
     */
    @Nullable
    Message current(Door door, @Nullable Object[] arguments);

    /**
     * Why the container of a listener would lose messages, or deliver them for ever; null if nothing is known against it.
     *
     * @param containerFactory as the listener's annotation says it; may be empty
     * @param ackMode as the listener's annotation says it; may be empty
     */
    default @Nullable String trouble(Door door, String containerFactory, String ackMode) {
        return null;
    }

    /**
     * Whether the container of a listener hands over many messages at once, where the listener's annotation does not say.
     *
     * @param containerFactory as the listener's annotation says it; may be empty
     */
    default boolean isBatch(Door door, String containerFactory) {
        return false;
    }

    /** What a method may know of its message. */
    interface Message {
        /** The values of a header, as text. */
        List<String> headers(String name);

        /** The consumer group and the channel: whose keys these are. */
        List<String> scope();

        /** Whether its broker counts how often it is given back, and drops it after some times. */
        default boolean isCounted() {
            return false;
        }

        /** Whether its consumer still has it: not if that stops, or has lost its connection. */
        default boolean isHeld() {
            return true;
        }

        /**
         * Gives up a message that was not settled in time.
         *
         * @param why headers for whoever takes it: which request it is, and what happened
         */
        default GivenUp giveUp(Map<String, String> why) {
            return GivenUp.NOT;
        }
    }

    /** What became of a message that was to be given up. */
    enum GivenUp {
        /** Nobody is known who takes it: it must come again. */
        NOT,
        /** It goes to the dead letters if it is refused. */
        BY_REFUSAL,
        /** Somebody else has it: it may be acknowledged. */
        DONE
    }
}
