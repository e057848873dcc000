package io.onefold.spring.message;

import com.rabbitmq.client.Channel;
import org.jspecify.annotations.Nullable;

/**
 * The consumer that has handed a message of RabbitMQ to its listener.
 *
 * @param channel null if the container does not tell
 */
record RabbitConsumer(RabbitQueues queues, @Nullable Channel channel) {
    /** Returns true if this consumer still has the message: a broker that loses the channel gives the message to others. */
    boolean isActive() {
        return queues.isActive() && (channel == null || channel.isOpen());
    }
}
