package io.onefold.spring.message;

import com.rabbitmq.client.Channel;
import org.jspecify.annotations.Nullable;

/**
 * Who has handed a message of RabbitMQ to its listener.
 *
 * @param channel null if the container does not tell
 */
record RabbitConsumer(RabbitQueues queues, @Nullable Channel channel) {
    /** Whether the message is still this consumer's: a broker that misses the channel has given it to others. */
    boolean isActive() {
        return queues.isActive() && (channel == null || channel.isOpen());
    }
}
