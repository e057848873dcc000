package io.onefold.spring.message;

import org.jspecify.annotations.Nullable;
import org.springframework.amqp.core.AcknowledgeMode;
import org.springframework.amqp.rabbit.config.AbstractRabbitListenerContainerFactory;

/** Checks how the messages of a {@code @RabbitListener} are acknowledged. */
final class RabbitAcknowledgement {
    static final String USUAL_FACTORY = "rabbitListenerContainerFactory";
    private static final String FIELD = "acknowledgeMode";

    private RabbitAcknowledgement() {}

    /** The reason why messages would be lost; null if they are not. */
    static @Nullable String trouble(ContainerFactories factories, String containerFactory, String ackMode) {
        String strange =
                factories.strange(containerFactory, USUAL_FACTORY, AbstractRabbitListenerContainerFactory.class);
        if (strange != null) {
            return strange;
        }
        Object mode = ackMode.isEmpty()
                ? factories.given(containerFactory, USUAL_FACTORY, FIELD)
                : factories.resolved(ackMode);
        return AcknowledgeMode.NONE.name().equals(String.valueOf(mode))
                ? "gets messages that RabbitMQ forgets when it sends them, so that those which must come again never would:"
                        + " let the container acknowledge them, with the mode AUTO"
                : null;
    }
}
