package io.onefold.spring.message;

import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.beans.DirectFieldAccessor;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.kafka.config.AbstractKafkaListenerContainerFactory;
import org.springframework.kafka.config.ContainerCustomizer;
import org.springframework.kafka.listener.AbstractMessageListenerContainer;
import org.springframework.kafka.listener.CommonErrorHandler;
import org.springframework.kafka.listener.ContainerProperties;
import org.springframework.kafka.listener.DelegatingMessageListener;
import org.springframework.kafka.listener.FailedRecordProcessor;
import org.springframework.kafka.listener.RecordInterceptor;
import org.springframework.kafka.listener.adapter.MessagingMessageListenerAdapter;

/**
 * Lets the containers of annotated {@code @KafkaListener} methods hold their records; and gives who judges their failures {@linkplain
 * PatientErrorHandler patience}, as those of Kafka's own kind drop a record after some tries. In transactions that is the
 * after-rollback processor, which an error handler would keep failures from. Other containers of the same factory stay as the
 * application has made them.
 */
public final class KafkaListenerFactories implements BeanPostProcessor {
    static final String ERROR_HANDLER = "commonErrorHandler";
    private static final String MANAGER = "transactionManager";

    @Override
    public Object postProcessAfterInitialization(Object bean, String name) {
        if (bean instanceof AbstractKafkaListenerContainerFactory<?, ?, ?> factory) {
            extend(factory);
        }
        return bean;
    }

    @SuppressWarnings("unchecked") // so the field is declared
    private static <C extends AbstractMessageListenerContainer<K, V>, K, V> void extend(
            AbstractKafkaListenerContainerFactory<C, K, V> factory) {
        ContainerCustomizer<K, V, C> own =
                (ContainerCustomizer<K, V, C>) ContainerFields.get(factory, "containerCustomizer");
        factory.setContainerCustomizer(container -> {
            if (own != null) {
                own.configure(container);
            }
            Object listener = container.getContainerProperties().getMessageListener();
            if (adapter(listener) instanceof MessagingMessageListenerAdapter<?, ?> adapter
                    && ListenerMethods.isIdempotent(adapter, "handlerMethod")) {
                extend(container);
            }
        });
    }

    /** Behind the application's advice, which is not to be called for this, and behind its filters. */
    private static @Nullable Object adapter(@Nullable Object listener) {
        Object advised = listener == null ? null : AopProxyUtils.getSingletonTarget(listener);
        if (advised != null) {
            return adapter(advised);
        }
        return listener instanceof DelegatingMessageListener<?> filter ? adapter(filter.getDelegate()) : listener;
    }

    @SuppressWarnings("unchecked") // so the field is declared
    private static <K, V> void extend(AbstractMessageListenerContainer<K, V> container) {
        container.setRecordInterceptor(new CurrentRecordInterceptor<>(
                (RecordInterceptor<K, V>) ContainerFields.get(container, "recordInterceptor")));
        CommonErrorHandler handler = container.getCommonErrorHandler();
        Object judge =
                isTransactional(container.getContainerProperties()) ? container.getAfterRollbackProcessor() : handler;
        if (judge instanceof FailedRecordProcessor processor) {
            PatientErrorHandler.patient(processor);
        } else if (judge == null) {
            container.setCommonErrorHandler(PatientErrorHandler.create());
        }
    }

    private static boolean isTransactional(ContainerProperties properties) {
        // the getter for managers that are not Kafka's own is to be removed, while they are still heeded
        DirectFieldAccessor fields = new DirectFieldAccessor(properties);
        return properties.getKafkaAwareTransactionManager() != null
                || (fields.isReadableProperty(MANAGER) && fields.getPropertyValue(MANAGER) != null);
    }
}
