package io.onefold.spring.message;

import io.onefold.spring.InvocationSource;
import io.onefold.spring.KeyHeader;
import io.onefold.spring.MessageResolver;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;

/**
 * Finds the message of a listener. It looks for the broker library's message among the arguments, else for the message that the container
 * holds (see {@link KafkaFactoryPostProcessor} and {@link RabbitFactoryPostProcessor}), else for Spring's own message or headers among the
 * arguments.
 *
 * <p>With Kafka, keys belong to the consumer group in that topic; with RabbitMQ, to the queue. Header names match exactly; bytes are read
 * as UTF-8. If a message of RabbitMQ lacks the configured header, its {@code messageId} is the key.
 */
public final class ListenerMessageResolver implements MessageResolver {
    private final KeyHeader header;
    private final ContainerFactories factories;

    /**
     * @param header the header that the {@code messageId} of a RabbitMQ message may replace
     * @param beans the beans that include the containers' factories
     */
    public ListenerMessageResolver(KeyHeader header, ConfigurableBeanFactory beans) {
        this.header = header;
        this.factories = new ContainerFactories(beans);
    }

    @Override
    public @Nullable ListenerMessage current(InvocationSource door, @Nullable Object[] arguments) {
        return switch (door) {
            case KAFKA -> KafkaMessage.of(arguments);
            case RABBIT -> RabbitMessage.of(arguments, header.name());
            case HTTP, SCHEDULED, CALL -> null;
        };
    }

    @Override
    public boolean isBatch(InvocationSource door, String containerFactory) {
        String usual = door == InvocationSource.KAFKA
                ? KafkaFailureHandling.USUAL_FACTORY
                : RabbitAcknowledgement.USUAL_FACTORY;
        return Boolean.TRUE.equals(factories.given(containerFactory, usual, "batchListener"));
    }

    @Override
    public @Nullable String trouble(InvocationSource door, String containerFactory, String ackMode) {
        return switch (door) {
            case KAFKA -> KafkaFailureHandling.trouble(factories, containerFactory);
            case RABBIT -> RabbitAcknowledgement.trouble(factories, containerFactory, ackMode);
            case HTTP, SCHEDULED, CALL -> null;
        };
    }
}
