package io.onefold.spring.message;

import io.onefold.spring.ListenerSettings;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryAware;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.kafka.config.AbstractKafkaListenerContainerFactory;
import org.springframework.kafka.config.ContainerCustomizer;
import org.springframework.kafka.core.KafkaOperations;
import org.springframework.kafka.listener.AbstractMessageListenerContainer;
import org.springframework.kafka.listener.CommonErrorHandler;
import org.springframework.kafka.listener.ContainerProperties;
import org.springframework.kafka.listener.DeadLetterPublishingRecoverer;
import org.springframework.kafka.listener.DefaultErrorHandler;
import org.springframework.kafka.listener.DelegatingMessageListener;
import org.springframework.kafka.listener.FailedRecordProcessor;
import org.springframework.kafka.listener.RecordInterceptor;
import org.springframework.kafka.listener.adapter.MessagingMessageListenerAdapter;

/**
 * Prepares the containers of annotated {@code @KafkaListener} methods. They hold their current record. Records that must come again are kept from
 * the error handler, since Kafka's own kinds drop a record after some tries: {@link UnsettledErrorHandler} stands before it. In transactions the
 * after-rollback processor becomes {@linkplain RedeliveringErrorHandler patient} instead, since an error handler would keep failures from it. Other
 * containers of the same factory stay as the application has made them.
 */
public final class KafkaFactoryPostProcessor implements BeanPostProcessor, BeanFactoryAware {
    static final String ERROR_HANDLER = "commonErrorHandler";

    private @Nullable BeanFactory beans;

    @Override
    public void setBeanFactory(BeanFactory beans) {
        this.beans = beans;
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String name) {
        if (bean instanceof AbstractKafkaListenerContainerFactory<?, ?, ?> factory) {
            extend(factory);
        }
        return bean;
    }

    @SuppressWarnings("unchecked") // so the field is declared
    private <C extends AbstractMessageListenerContainer<K, V>, K, V> void extend(
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

    /** Returns the adapter behind the application's advice, which must not be called for this, and behind its filters. */
    private static @Nullable Object adapter(@Nullable Object listener) {
        Object advised = listener == null ? null : AopProxyUtils.getSingletonTarget(listener);
        if (advised != null) {
            return adapter(advised);
        }
        return listener instanceof DelegatingMessageListener<?> filter ? adapter(filter.getDelegate()) : listener;
    }

    @SuppressWarnings("unchecked") // so the field is declared
    private <K, V> void extend(AbstractMessageListenerContainer<K, V> container) {
        if (!settings().kafkaTransactions()) {
            KafkaTransactions.refuse(container.getContainerProperties(), String.valueOf(container.getListenerId()));
        }
        refuseManual(container);
        Object judge = KafkaDeadLetters.judge(container);
        KafkaOperations<?, ?> template = judge == null ? template() : null;
        CommonErrorHandler bare = judge == null && template == null ? new DefaultErrorHandler() : null;
        container.setRecordInterceptor(new CurrentRecordInterceptor<>(
                (RecordInterceptor<K, V>) ContainerFields.get(container, "recordInterceptor"),
                new KafkaDeadLetters(container, bare, this::settings)));
        if (KafkaTransactions.isIn(container.getContainerProperties())) {
            if (judge instanceof FailedRecordProcessor processor) {
                patient(container, processor);
            }
        } else if (bare != null) {
            container.setCommonErrorHandler(UnsettledErrorHandler.before(bare));
        } else if (template != null) {
            container.setCommonErrorHandler(
                    UnsettledErrorHandler.before(new DefaultErrorHandler(new DeadLetterPublishingRecoverer(template))));
        } else if (judge instanceof CommonErrorHandler handler) {
            container.setCommonErrorHandler(UnsettledErrorHandler.before(handler));
        }
    }

    private static void refuseManual(AbstractMessageListenerContainer<?, ?> container) {
        ContainerProperties.AckMode mode = container.getContainerProperties().getAckMode();
        if (mode == ContainerProperties.AckMode.MANUAL || mode == ContainerProperties.AckMode.MANUAL_IMMEDIATE) {
            throw new IllegalStateException("The @Idempotent listener " + container.getListenerId()
                    + " has a container with the ack mode " + mode
                    + ". The listener is not called for duplicates, so nobody would acknowledge them. Leave that to the container, with the"
                    + " mode BATCH or RECORD");
        }
    }

    private static void patient(AbstractMessageListenerContainer<?, ?> container, FailedRecordProcessor processor) {
        if (RedeliveringErrorHandler.isWithoutRetries(processor)) {
            throw new IllegalStateException("The @Idempotent listener " + container.getListenerId()
                    + " has a container whose after-rollback processor has no retries. It would drop records that must come again. Give it a"
                    + " back-off with at least one retry");
        }
        RedeliveringErrorHandler.patient(processor);
    }

    /** For the dead letters of containers that have no error handler, if the application wants some; null if it does not. */
    private @Nullable KafkaOperations<?, ?> template() {
        return beans == null || settings().deadLetters() != ListenerSettings.DeadLetterPolicy.ALWAYS
                ? null
                : beans.getBeanProvider(KafkaOperations.class).getIfUnique();
    }

    private ListenerSettings settings() {
        return beans == null
                ? ListenerSettings.DEFAULT
                : beans.getBeanProvider(ListenerSettings.class).getIfAvailable(() -> ListenerSettings.DEFAULT);
    }
}
