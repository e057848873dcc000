package io.onefold.spring.message;

import static org.assertj.core.api.Assertions.assertThat;

import io.onefold.store.StoreException;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiFunction;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.beans.DirectFieldAccessor;
import org.springframework.kafka.config.ConcurrentKafkaListenerContainerFactory;
import org.springframework.kafka.core.DefaultKafkaConsumerFactory;
import org.springframework.kafka.core.DefaultKafkaProducerFactory;
import org.springframework.kafka.listener.CommonErrorHandler;
import org.springframework.kafka.listener.DefaultAfterRollbackProcessor;
import org.springframework.kafka.listener.DefaultErrorHandler;
import org.springframework.kafka.transaction.KafkaTransactionManager;
import org.springframework.util.backoff.BackOff;
import org.springframework.util.backoff.FixedBackOff;

class KafkaListenerFactoriesTest {
    private static final ConsumerRecord<?, ?> RECORD = new ConsumerRecord<>("orders", 0, 0, null, "payload");

    private final ConcurrentKafkaListenerContainerFactory<String, String> factory =
            new ConcurrentKafkaListenerContainerFactory<>();

    @Test
    void an_error_handler_of_the_users_own_stays() {
        DefaultErrorHandler own = new DefaultErrorHandler();
        factory.setCommonErrorHandler(own);

        assertThat(handler()).isSameAs(own);
    }

    @Test
    void an_error_handler_of_the_users_own_is_patient_and_keeps_its_ways_with_what_fails() {
        DefaultErrorHandler own = new DefaultErrorHandler();
        FixedBackOff users = new FixedBackOff(7, 3);
        own.setBackOffFunction((failed, thrown) -> thrown instanceof IOException ? users : null);
        factory.setCommonErrorHandler(own);
        handler();

        BiFunction<ConsumerRecord<?, ?>, Exception, BackOff> chosen = chosen(own);
        assertThat(chosen.apply(RECORD, new IOException())).isSameAs(users);
        assertThat(chosen.apply(RECORD, new IllegalStateException())).isNull();
        assertThat(chosen.apply(RECORD, new StoreException("down")))
                .isInstanceOfSatisfying(
                        FixedBackOff.class,
                        patience -> assertThat(patience.getMaxAttempts()).isEqualTo(FixedBackOff.UNLIMITED_ATTEMPTS));
    }

    @SuppressWarnings("unchecked") // as the handler has it
    private static BiFunction<ConsumerRecord<?, ?>, Exception, BackOff> chosen(DefaultErrorHandler handler) {
        return (BiFunction<ConsumerRecord<?, ?>, Exception, BackOff>)
                Objects.requireNonNull(new DirectFieldAccessor(handler).getPropertyValue("userBackOffFunction"));
    }

    @Test
    void in_transactions_the_rollback_is_followed_by_patience_and_nothing_comes_before_it() {
        transactional();

        assertThat(handler()).isNull();
        assertThat(factory.createContainer("orders").getAfterRollbackProcessor())
                .isInstanceOf(DefaultAfterRollbackProcessor.class)
                .isSameAs(factory.createContainer("orders").getAfterRollbackProcessor());
    }

    @Test
    void an_after_rollback_processor_of_the_users_own_stays() {
        DefaultAfterRollbackProcessor<String, String> own = new DefaultAfterRollbackProcessor<>();
        factory.setAfterRollbackProcessor(own);
        transactional();

        assertThat(handler()).isNull();
        assertThat(factory.createContainer("orders").getAfterRollbackProcessor())
                .isSameAs(own);
    }

    @Test
    void advice_of_the_users_own_stays_inside() {
        MethodInterceptor own = MethodInvocation::proceed;
        factory.getContainerProperties().setAdviceChain(own);
        handler();

        assertThat(List.of(factory.getContainerProperties().getAdviceChain()))
                .hasSize(2)
                .last()
                .isSameAs(own);
    }

    private void transactional() {
        DefaultKafkaProducerFactory<String, String> producers = new DefaultKafkaProducerFactory<>(Map.of());
        producers.setTransactionIdPrefix("test-");
        factory.getContainerProperties().setKafkaAwareTransactionManager(new KafkaTransactionManager<>(producers));
    }

    private @Nullable CommonErrorHandler handler() {
        factory.setConsumerFactory(new DefaultKafkaConsumerFactory<>(Map.of()));
        new KafkaListenerFactories().postProcessAfterInitialization(factory, "factory");
        return factory.createContainer("orders").getCommonErrorHandler();
    }
}
