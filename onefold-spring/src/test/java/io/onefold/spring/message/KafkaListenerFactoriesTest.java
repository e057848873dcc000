package io.onefold.spring.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onefold.spring.Idempotent;
import io.onefold.spring.ListenerSettings;
import io.onefold.spring.UnsettledRecordException;
import io.onefold.store.StoreException;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.DirectFieldAccessor;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.kafka.config.ConcurrentKafkaListenerContainerFactory;
import org.springframework.kafka.config.MethodKafkaListenerEndpoint;
import org.springframework.kafka.core.DefaultKafkaConsumerFactory;
import org.springframework.kafka.core.DefaultKafkaProducerFactory;
import org.springframework.kafka.listener.AbstractMessageListenerContainer;
import org.springframework.kafka.listener.CommonDelegatingErrorHandler;
import org.springframework.kafka.listener.CommonErrorHandler;
import org.springframework.kafka.listener.ContainerProperties.AckMode;
import org.springframework.kafka.listener.DefaultAfterRollbackProcessor;
import org.springframework.kafka.listener.DefaultErrorHandler;
import org.springframework.kafka.listener.ListenerExecutionFailedException;
import org.springframework.kafka.listener.MessageListenerContainer;
import org.springframework.kafka.listener.RecordInterceptor;
import org.springframework.kafka.transaction.KafkaTransactionManager;
import org.springframework.messaging.handler.annotation.support.DefaultMessageHandlerMethodFactory;
import org.springframework.util.backoff.BackOff;
import org.springframework.util.backoff.BackOffExecution;
import org.springframework.util.backoff.FixedBackOff;

/** Containers as a factory makes them of listeners with and without the annotation. */
class KafkaListenerFactoriesTest {
    private static final ConsumerRecord<String, String> RECORD = new ConsumerRecord<>("orders", 0, 0, null, "payload");
    private static final String INTERCEPTOR = "recordInterceptor";

    @SuppressWarnings("unchecked") // nobody asks it for anything
    private static final Consumer<String, String> CONSUMER =
            ProxyFactory.getProxy(Consumer.class, (MethodInterceptor) call -> null);

    private final ConcurrentKafkaListenerContainerFactory<String, String> factory =
            new ConcurrentKafkaListenerContainerFactory<>();

    private ListenerSettings settings = ListenerSettings.DEFAULT;

    @Test
    void kafka_transactions_are_refused_with_the_way_out_unless_they_are_allowed_or_nobody_has_the_annotation() {
        transactional();

        assertThatThrownBy(() -> container("annotated"))
                .hasMessageContaining("annotated")
                .hasMessageContaining("never exist")
                .hasMessageContaining("outbox")
                .hasMessageContaining("onefold.listeners.kafka-transactions=true");
        assertThat(container("plain")).isNotNull();
    }

    @Test
    void in_transactions_a_processor_without_retries_is_refused_since_it_asks_nobody() {
        settings = settings.kafkaTransactions(true);
        factory.setAfterRollbackProcessor(new DefaultAfterRollbackProcessor<>(new FixedBackOff(0, 0)));
        transactional();

        assertThatThrownBy(() -> container("annotated"))
                .hasMessageContaining("would drop records")
                .hasMessageContaining("at least one retry");
    }

    @ParameterizedTest
    @EnumSource(
            value = AckMode.class,
            names = {"MANUAL", "MANUAL_IMMEDIATE"})
    void listeners_that_acknowledge_by_themselves_are_refused_since_nobody_would_acknowledge_duplicates(AckMode mode) {
        factory.getContainerProperties().setAckMode(mode);

        assertThatThrownBy(() -> container("annotated"))
                .hasMessageContaining("annotated")
                .hasMessageContaining(mode.name())
                .hasMessageContaining("BATCH or RECORD");
        assertThat(container("plain")).isNotNull();
    }

    @Test
    void a_container_without_an_error_handler_gets_one_only_if_its_listener_has_the_annotation() {
        assertThat(container("annotated").getCommonErrorHandler())
                .isInstanceOfSatisfying(
                        UnsettledErrorHandler.class,
                        handler -> assertThat(handler.others()).isExactlyInstanceOf(DefaultErrorHandler.class));
        assertThat(container("plain").getCommonErrorHandler()).isNull();
    }

    @Test
    void an_error_handler_of_the_users_own_stays_as_it_is_and_never_sees_what_must_come_again() {
        for (CommonErrorHandler own : List.of(
                new DefaultErrorHandler(), new CommonDelegatingErrorHandler(new DefaultErrorHandler()), new Own())) {
            factory.setCommonErrorHandler(own);

            assertThat(container("plain").getCommonErrorHandler()).isSameAs(own);
            assertThat(container("annotated").getCommonErrorHandler())
                    .isInstanceOfSatisfying(
                            UnsettledErrorHandler.class,
                            handler -> assertThat(handler.others()).isSameAs(own));
        }
        CommonErrorHandler handler =
                Objects.requireNonNull(container("annotated").getCommonErrorHandler());
        handlesOne(handler, new UnsettledRecordException("busy", new IllegalStateException()), false);
        handlesOne(
                handler,
                new ListenerExecutionFailedException(
                        "failed", new UnsettledRecordException("busy", new IllegalStateException())),
                false);
        handlesOne(handler, new CommitFailedException("expelled"), false);
        handlesOne(handler, new ListenerExecutionFailedException("failed", new CommitFailedException("its own")), true);
        handlesOne(
                handler, new ListenerExecutionFailedException("failed", new StoreException("of its own call")), true);
    }

    /** The application's handler takes all that it sees. */
    private void handlesOne(CommonErrorHandler handler, Exception thrown, boolean taken) {
        assertThat(handler.handleOne(thrown, RECORD, CONSUMER, container("plain")))
                .as(thrown.toString())
                .isEqualTo(taken);
    }

    static final class Own implements CommonErrorHandler {
        @Override
        public boolean handleOne(
                Exception thrown,
                ConsumerRecord<?, ?> failed,
                Consumer<?, ?> consumer,
                MessageListenerContainer container) {
            return true;
        }
    }

    @Test
    void a_patient_handler_keeps_its_ways_with_what_fails() {
        DefaultErrorHandler own = new DefaultErrorHandler();
        own.setResetStateOnExceptionChange(false);
        FixedBackOff users = new FixedBackOff(7, 3);
        AtomicInteger asked = new AtomicInteger();
        own.setBackOffFunction((failed, thrown) -> {
            asked.incrementAndGet();
            return thrown instanceof IOException ? users : null;
        });
        RedeliveringErrorHandler.patient(RedeliveringErrorHandler.patient(own));

        assertThat(new DirectFieldAccessor(own).getPropertyValue("failureTracker.resetStateOnExceptionChange"))
                .isEqualTo(true);
        assertThat(backOff(own, new IOException())).isSameAs(users);
        assertThat(backOff(own, new IllegalStateException())).isNull();
        assertThat(backOff(own, new StoreException("of a call that a plain listener makes")))
                .isNull();
        assertThat(asked).hasValue(3);
    }

    /** Spring takes a plain {@link RuntimeException} after another exception for the same failure, and goes on with its retries. */
    @Test
    void a_patient_handler_counts_the_failures_of_a_record_that_was_not_settled_before() {
        DefaultErrorHandler own = new DefaultErrorHandler(new FixedBackOff(7, 3));
        RedeliveringErrorHandler.patient(own);
        UnsettledRecordException unsettled = new UnsettledRecordException("down", new StoreException("down"));
        RecordInterceptor<String, String> interceptor = intercept(container("annotated"), RECORD);
        BackOffExecution retries =
                Objects.requireNonNull(backOff(own, unsettled)).start();

        interceptor.failure(RECORD, unsettled, CONSUMER);
        for (int i = 0; i < 100; i++) {
            assertThat(retries.nextBackOff()).isEqualTo(1_000);
        }
        interceptor.failure(RECORD, new RuntimeException("of the method"), CONSUMER);
        for (int i = 0; i < 3; i++) {
            assertThat(retries.nextBackOff()).isEqualTo(7);
        }
        assertThat(retries.nextBackOff()).isEqualTo(BackOffExecution.STOP);
        interceptor.clearThreadState(CONSUMER);
    }

    @SuppressWarnings("unchecked") // as the handler has it
    private static @Nullable BackOff backOff(DefaultErrorHandler handler, Exception thrown) {
        return ((BiFunction<ConsumerRecord<?, ?>, Exception, @Nullable BackOff>) Objects.requireNonNull(
                        new DirectFieldAccessor(handler).getPropertyValue("userBackOffFunction")))
                .apply(RECORD, thrown);
    }

    @Test
    void in_transactions_the_rollback_is_followed_by_patience_and_nothing_comes_before_it() {
        settings = settings.kafkaTransactions(true);
        transactional();
        AbstractMessageListenerContainer<?, ?> container = container("annotated");

        assertThat(container.getCommonErrorHandler()).isNull();
        assertThat(new DirectFieldAccessor(container.getAfterRollbackProcessor())
                        .getPropertyValue("userBackOffFunction"))
                .isNotNull()
                .extracting(function -> function.getClass().getName())
                .asString()
                .startsWith("io.onefold.");
    }

    @Test
    void an_after_rollback_processor_of_the_users_own_stays() {
        settings = settings.kafkaTransactions(true);
        DefaultAfterRollbackProcessor<String, String> own = new DefaultAfterRollbackProcessor<>();
        factory.setAfterRollbackProcessor(own);
        transactional();

        assertThat(container("annotated").getCommonErrorHandler()).isNull();
        assertThat(container("annotated").getAfterRollbackProcessor()).isSameAs(own);
    }

    @Test
    void advice_filters_interceptors_and_customizers_of_the_users_own_stay() {
        MethodInterceptor advice = MethodInvocation::proceed;
        AtomicInteger customized = new AtomicInteger();
        AtomicInteger intercepted = new AtomicInteger();
        RecordInterceptor<String, String> interceptor = (received, consumer) -> {
            intercepted.incrementAndGet();
            return received;
        };
        factory.getContainerProperties().setAdviceChain(advice);
        factory.setRecordFilterStrategy(received -> false);
        factory.setRecordInterceptor(interceptor);
        factory.setContainerCustomizer(container -> customized.incrementAndGet());

        AbstractMessageListenerContainer<String, String> plain = container("plain");
        assertThat(plain.getContainerProperties().getAdviceChain()).containsExactly(advice);
        assertThat(new DirectFieldAccessor(plain).getPropertyValue(INTERCEPTOR)).isSameAs(interceptor);
        AbstractMessageListenerContainer<String, String> annotated = container("annotated");
        assertThat(annotated.getContainerProperties().getAdviceChain()).containsExactly(advice);
        assertThat(customized).hasValue(2);
        intercept(annotated, new ConsumerRecord<>("orders", 0, 0, "key", "payload"))
                .clearThreadState(CONSUMER);
        assertThat(intercepted).hasValue(1);
    }

    @Test
    void the_record_is_at_hand_while_the_listener_is_at_work_and_no_longer() {
        ConsumerRecord<String, String> received = new ConsumerRecord<>("orders", 0, 0, "key", "payload");
        RecordInterceptor<String, String> interceptor = intercept(container("annotated"), received);

        assertThat(CurrentMessage.find(ConsumerRecord.class, new Object[0])).isSameAs(received);
        interceptor.failure(received, new IllegalStateException(), CONSUMER);
        assertThat(CurrentMessage.find(ConsumerRecord.class, new Object[0])).isNull();
    }

    @SuppressWarnings("unchecked") // as the container has it
    private static RecordInterceptor<String, String> intercept(
            AbstractMessageListenerContainer<String, String> container, ConsumerRecord<String, String> received) {
        RecordInterceptor<String, String> interceptor = (RecordInterceptor<String, String>)
                Objects.requireNonNull(new DirectFieldAccessor(container).getPropertyValue(INTERCEPTOR));
        assertThat(interceptor.intercept(received, CONSUMER)).isSameAs(received);
        return interceptor;
    }

    private void transactional() {
        DefaultKafkaProducerFactory<String, String> producers = new DefaultKafkaProducerFactory<>(Map.of());
        producers.setTransactionIdPrefix("test-");
        factory.getContainerProperties().setKafkaAwareTransactionManager(new KafkaTransactionManager<>(producers));
    }

    private AbstractMessageListenerContainer<String, String> container(String method) {
        if (factory.getConsumerFactory() == null) {
            factory.setConsumerFactory(new DefaultKafkaConsumerFactory<>(Map.of()));
            KafkaFactoryPostProcessor factories = new KafkaFactoryPostProcessor();
            DefaultListableBeanFactory beans = new DefaultListableBeanFactory();
            beans.registerSingleton("settings", settings);
            factories.setBeanFactory(beans);
            factories.postProcessAfterInitialization(factory, "factory");
        }
        DefaultMessageHandlerMethodFactory handlers = new DefaultMessageHandlerMethodFactory();
        handlers.afterPropertiesSet();
        MethodKafkaListenerEndpoint<String, String> endpoint = new MethodKafkaListenerEndpoint<>();
        endpoint.setId(method);
        endpoint.setTopics("orders");
        endpoint.setBean(new Listeners());
        endpoint.setBeanFactory(new DefaultListableBeanFactory());
        endpoint.setMessageHandlerMethodFactory(handlers);
        try {
            endpoint.setMethod(Listeners.class.getMethod(method, String.class));
        } catch (NoSuchMethodException e) {
            throw new IllegalArgumentException(e);
        }
        return factory.createListenerContainer(endpoint);
    }

    static class Listeners {
        @Idempotent(operation = "on")
        public void annotated(String payload) {}

        public void plain(String payload) {}
    }
}
