package io.onefold.spring.message;

import io.onefold.spring.Door;
import io.onefold.spring.KeyHeader;
import io.onefold.spring.Messages;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;

/**
 * Finds the message of a listener. It looks for the broker library's message among the arguments, else for the message that the container
 * holds (see {@link KafkaListenerFactories} and {@link RabbitListenerFactories}), else for Spring's own message or headers among the
 * arguments.
 *
 * <p>With Kafka, keys belong to the consumer group in that topic; with RabbitMQ, to the queue. Header names match exactly; bytes are read
 * as UTF-8. If a message of RabbitMQ lacks the configured header, its {@code messageId} is the key.
 */
public final class ListenerMessages implements Messages {
    private final KeyHeader header;
    private final Factories factories;

    /**
     * @param header the header that the {@code messageId} of a RabbitMQ message may replace
     * @param beans the beans that include the containers' factories
     */
    public ListenerMessages(KeyHeader header, ConfigurableBeanFactory beans) {
        this.header = header;
        this.factories = new Factories(beans);
    }

    @Override
    public @Nullable Message current(Door door, @Nullable Object[] arguments) {
        return switch (door) {
            case KAFKA -> KafkaMessage.of(arguments);
            case RABBIT -> RabbitMessage.of(arguments, header.name());
            case HTTP, SCHEDULED, CALL -> null;
        };
    }

    @Override
    public boolean isBatch(Door door, String containerFactory) {
        String usual = door == Door.KAFKA ? KafkaFailures.USUAL_FACTORY : RabbitAcknowledgement.USUAL_FACTORY;
        return Boolean.TRUE.equals(factories.given(containerFactory, usual, "batchListener"));
    }

    @Override
    public @Nullable String trouble(Door door, String containerFactory, String ackMode) {
        return switch (door) {
            case KAFKA -> KafkaFailures.trouble(factories, containerFactory);
            case RABBIT -> RabbitAcknowledgement.trouble(factories, containerFactory, ackMode);
            case HTTP, SCHEDULED, CALL -> null;
        };
    }
}
