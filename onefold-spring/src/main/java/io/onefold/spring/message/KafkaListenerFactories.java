package io.onefold.spring.message;

import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.DirectFieldAccessor;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.kafka.config.AbstractKafkaListenerContainerFactory;
import org.springframework.kafka.listener.ContainerProperties;

/**
 * Lets the containers of {@code @KafkaListener} methods hold their records, around whatever advice they have; and gives those without
 * an error handler a {@linkplain PatientErrorHandler patient one}, as Kafka's own drops a record after ten tries.
 */
public final class KafkaListenerFactories implements BeanPostProcessor {
    private static final Logger LOG = LoggerFactory.getLogger(KafkaListenerFactories.class);
    private static final String ERROR_HANDLER = "commonErrorHandler";

    @Override
    public Object postProcessAfterInitialization(Object bean, String name) {
        if (bean instanceof AbstractKafkaListenerContainerFactory<?, ?, ?> factory) {
            ContainerProperties properties = factory.getContainerProperties();
            properties.setAdviceChain(Current.before(properties.getAdviceChain(), ConsumerRecord.class));
            if (!isHandled(factory, name)) {
                factory.setCommonErrorHandler(PatientErrorHandler.create());
            }
        }
        return bean;
    }

    /** The factory does not tell: it has a setter only. */
    private static boolean isHandled(AbstractKafkaListenerContainerFactory<?, ?, ?> factory, String name) {
        DirectFieldAccessor fields = new DirectFieldAccessor(factory);
        if (fields.isReadableProperty(ERROR_HANDLER)) {
            return fields.getPropertyValue(ERROR_HANDLER) != null;
        }
        LOG.warn(
                "there is no telling whether {} has an error handler; it needs a patient one, see PatientErrorHandler",
                name);
        return true;
    }
}
