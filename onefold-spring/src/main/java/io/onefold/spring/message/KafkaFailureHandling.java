package io.onefold.spring.message;

import org.jspecify.annotations.Nullable;
import org.springframework.kafka.config.AbstractKafkaListenerContainerFactory;
import org.springframework.kafka.listener.CommonLoggingErrorHandler;

/** Checks how the failed records of a {@code @KafkaListener} are handled. */
final class KafkaFailureHandling {
    static final String USUAL_FACTORY = "kafkaListenerContainerFactory";

    private KafkaFailureHandling() {}

    /** The reason why records would be lost; null if they are not, or if it cannot be known. */
    static @Nullable String trouble(ContainerFactories factories, String containerFactory) {
        String strange =
                factories.strange(containerFactory, USUAL_FACTORY, AbstractKafkaListenerContainerFactory.class);
        if (strange != null) {
            return strange;
        }
        Object handler = factories.given(containerFactory, USUAL_FACTORY, KafkaFactoryPostProcessor.ERROR_HANDLER);
        return handler instanceof CommonLoggingErrorHandler
                ? "has a container whose error handler logs failures and goes on, so that records which must come again never"
                        + " would: give it a DefaultErrorHandler, or none"
                : null;
    }
}
