package io.onefold.spring.message;

import io.onefold.spring.Door;
import io.onefold.spring.KeyHeader;
import io.onefold.spring.Messages;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;

/**
 * Finds the message of a listener: as the broker's library has it among the arguments, else as the container holds it (see {@link
 * KafkaListenerFactories} and {@link RabbitListenerFactories}), else as Spring's own message or headers among the arguments.
 *
 * <p>Whose keys these are: with Kafka the consumer group's in that topic, with RabbitMQ the queue's. Headers are found by their names
 * as they are; bytes are read as UTF-8. A message of RabbitMQ that lacks the configured header has its {@code messageId} for a key.
 */
public final class ListenerMessages implements Messages {
    private final KeyHeader header;
    private final Factories factories;

    /**
     * @param header instead of which a message of RabbitMQ may have its {@code messageId}
     * @param beans among which the containers' factories are
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
