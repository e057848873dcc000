package io.onefold.spring;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Finds the message of a listener's call. */
@FunctionalInterface
public interface MessageResolver {
    /** Finds no message. */
    MessageResolver NONE = (door, arguments) -> null;

    /**
     * The message that this thread handles.
     *
     * @param arguments the listener's arguments: the message may be one of them
     * @return null if it cannot be found
     */
    @Nullable
    ListenerMessage current(InvocationSource door, @Nullable Object[] arguments);

    /**
     * The reason why the container of a listener would lose messages, or deliver them for ever; null if there is no known reason.
     *
     * @param containerFactory as the listener's annotation says it; may be empty
     * @param ackMode as the listener's annotation says it; may be empty
     */
    default @Nullable String trouble(InvocationSource door, String containerFactory, String ackMode) {
        return null;
    }

    /**
     * Returns true if the container of a listener hands over many messages at once. It is asked if the listener's annotation does not say.
     *
     * @param containerFactory as the listener's annotation says it; may be empty
     */
    default boolean isBatch(InvocationSource door, String containerFactory) {
        return false;
    }

    /** The message as its listener's method sees it. */
    interface ListenerMessage {
        /** The values of a header, as text. */
        List<String> headers(String name);

        /** The owner of the keys: the consumer group and the channel. */
        List<String> scope();

        /** Returns true if the broker counts how often the message is returned, and drops it after a number of times. */
        default boolean isCounted() {
            return false;
        }

        /** Returns true if the consumer still has the message. It does not if it stops, or has lost its connection. */
        default boolean isHeld() {
            return true;
        }

        /**
         * Gives up a message that was not settled in time.
         *
         * @param why headers for the receiver: which request it is, and what happened
         */
        default GiveUpResult giveUp(Map<String, String> why) {
            return GiveUpResult.NOT;
        }
    }

    /** The result of giving up a message. */
    enum GiveUpResult {
        /** No destination is known: the message must come again. */
        NOT,
        /** The message goes to the dead letters if it is rejected. */
        BY_REFUSAL,
        /** Another destination has the message: it may be acknowledged. */
        DONE
    }
}
