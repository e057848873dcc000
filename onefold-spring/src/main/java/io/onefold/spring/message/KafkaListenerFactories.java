package io.onefold.spring.message;

import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.DirectFieldAccessor;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.kafka.config.AbstractKafkaListenerContainerFactory;
import org.springframework.kafka.listener.ContainerProperties;
import org.springframework.kafka.listener.DefaultAfterRollbackProcessor;

/**
 * Lets the containers of {@code @KafkaListener} methods hold their records, around whatever advice they have; and has those that leave
 * failures to Kafka's own error handler do the same with {@linkplain PatientErrorHandler patience}, as that one drops a record after ten
 * tries. In transactions it is the after-rollback processor that judges failures, and an error handler would keep them from it.
 */
public final class KafkaListenerFactories implements BeanPostProcessor {
    private static final Logger LOG = LoggerFactory.getLogger(KafkaListenerFactories.class);
    private static final String ERROR_HANDLER = "commonErrorHandler";
    private static final String AFTER_ROLLBACK = "afterRollbackProcessor";
    private static final String MANAGER = "transactionManager";

    @Override
    public Object postProcessAfterInitialization(Object bean, String name) {
        if (bean instanceof AbstractKafkaListenerContainerFactory<?, ?, ?> factory) {
            ContainerProperties properties = factory.getContainerProperties();
            properties.setAdviceChain(Current.before(properties.getAdviceChain(), ConsumerRecord.class));
            boolean transactional = isTransactional(properties);
            if (!isSet(factory, transactional ? AFTER_ROLLBACK : ERROR_HANDLER, name)) {
                if (transactional) {
                    factory.setAfterRollbackProcessor(
                            PatientErrorHandler.patient(new DefaultAfterRollbackProcessor<>()));
                } else {
                    factory.setCommonErrorHandler(PatientErrorHandler.create());
                }
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

    /** The factory does not tell: it has a setter only. */
    private static boolean isSet(AbstractKafkaListenerContainerFactory<?, ?, ?> factory, String field, String name) {
        DirectFieldAccessor fields = new DirectFieldAccessor(factory);
        if (fields.isReadableProperty(field)) {
            return fields.getPropertyValue(field) != null;
        }
        LOG.warn(
                "there is no telling whether {} has a {}; it needs a patient one, see PatientErrorHandler",
                name,
                field);
        return true;
    }
}
