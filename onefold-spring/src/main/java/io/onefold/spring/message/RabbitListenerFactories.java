package io.onefold.spring.message;

import org.springframework.amqp.core.Message;
import org.springframework.amqp.rabbit.config.BaseRabbitListenerContainerFactory;
import org.springframework.beans.factory.config.BeanPostProcessor;

/**
 * Lets the containers of {@code @RabbitListener} methods hold their messages, and give back those that are not settled, around whatever
 * advice they have.
 */
public final class RabbitListenerFactories implements BeanPostProcessor {
    @Override
    public Object postProcessAfterInitialization(Object bean, String name) {
        if (bean instanceof BaseRabbitListenerContainerFactory<?> factory) {
            factory.setAdviceChain(Current.before(Requeue.around(factory.getAdviceChain()), Message.class));
        }
        return bean;
    }
}
