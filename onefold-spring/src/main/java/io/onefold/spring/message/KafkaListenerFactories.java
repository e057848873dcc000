package io.onefold.spring.message;

import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.DirectFieldAccessor;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.kafka.config.AbstractKafkaListenerContainerFactory;
import org.springframework.kafka.listener.ContainerProperties;
import org.springframework.kafka.listener.DefaultAfterRollbackProcessor;
import org.springframework.kafka.listener.FailedRecordProcessor;

/**
 * Lets the containers of {@code @KafkaListener} methods hold their records, around whatever advice they have; and gives who judges
 * their failures {@linkplain PatientErrorHandler patience}, as those of Kafka's own kind drop a record after some tries. In transactions
 * that is the after-rollback processor, which an error handler would keep failures from.
 */
public final class KafkaListenerFactories implements BeanPostProcessor {
    private static final Logger LOG = LoggerFactory.getLogger(KafkaListenerFactories.class);
    static final String ERROR_HANDLER = "commonErrorHandler";
    private static final String AFTER_ROLLBACK = "afterRollbackProcessor";
    private static final String MANAGER = "transactionManager";

    @Override
    public Object postProcessAfterInitialization(Object bean, String name) {
        if (bean instanceof AbstractKafkaListenerContainerFactory<?, ?, ?> factory) {
            ContainerProperties properties = factory.getContainerProperties();
            properties.setAdviceChain(Current.before(properties.getAdviceChain(), ConsumerRecord.class));
            boolean transactional = isTransactional(properties);
            Object own = own(factory, transactional ? AFTER_ROLLBACK : ERROR_HANDLER, name);
            if (own instanceof FailedRecordProcessor judge) {
                PatientErrorHandler.patient(judge);
            } else if (own == null && transactional) {
                factory.setAfterRollbackProcessor(PatientErrorHandler.patient(new DefaultAfterRollbackProcessor<>()));
            } else if (own == null) {
                factory.setCommonErrorHandler(PatientErrorHandler.create());
            }
        }
        return bean;
    }

    private static boolean isTransactional(ContainerProperties properties) {
        // the getter for managers that are not Kafka's own is to be removed, while they are still heeded
        DirectFieldAccessor fields = new DirectFieldAccessor(properties);
        return properties.getKafkaAwareTransactionManager() != null
                || (fields.isReadableProperty(MANAGER) && fields.getPropertyValue(MANAGER) != null);
    }

    /** What it was given, or something in its place if there is no telling: the factory has a setter only. */
    private static @Nullable Object own(
            AbstractKafkaListenerContainerFactory<?, ?, ?> factory, String field, String name) {
        DirectFieldAccessor fields = new DirectFieldAccessor(factory);
        if (fields.isReadableProperty(field)) {
            return fields.getPropertyValue(field);
        }
        LOG.warn(
                "there is no telling whether {} has a {}; it needs a patient one, see PatientErrorHandler",
                name,
                field);
        return field;
    }
}
