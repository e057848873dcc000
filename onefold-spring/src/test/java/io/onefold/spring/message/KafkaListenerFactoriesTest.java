package io.onefold.spring.message;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.kafka.config.ConcurrentKafkaListenerContainerFactory;
import org.springframework.kafka.core.DefaultKafkaConsumerFactory;
import org.springframework.kafka.listener.CommonErrorHandler;
import org.springframework.kafka.listener.DefaultErrorHandler;

class KafkaListenerFactoriesTest {
    private final ConcurrentKafkaListenerContainerFactory<String, String> factory =
            new ConcurrentKafkaListenerContainerFactory<>();

    @Test
    void a_factory_without_an_error_handler_gets_a_patient_one() {
        assertThat(handler()).isInstanceOf(DefaultErrorHandler.class);
    }

    @Test
    void an_error_handler_of_the_users_own_stays() {
        DefaultErrorHandler own = new DefaultErrorHandler();
        factory.setCommonErrorHandler(own);

        assertThat(handler()).isSameAs(own);
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

    private @Nullable CommonErrorHandler handler() {
        factory.setConsumerFactory(new DefaultKafkaConsumerFactory<>(Map.of()));
        new KafkaListenerFactories().postProcessAfterInitialization(factory, "factory");
        return factory.createContainer("orders").getCommonErrorHandler();
    }
}
