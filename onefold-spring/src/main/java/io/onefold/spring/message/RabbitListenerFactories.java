package io.onefold.spring.message;

import org.aopalliance.aop.Advice;
import org.springframework.amqp.rabbit.config.AbstractRabbitListenerContainerFactory;
import org.springframework.amqp.rabbit.config.ContainerCustomizer;
import org.springframework.amqp.rabbit.listener.AbstractMessageListenerContainer;
import org.springframework.amqp.rabbit.listener.adapter.MessagingMessageListenerAdapter;
import org.springframework.beans.factory.config.BeanPostProcessor;

/**
 * Lets the containers of annotated {@code @RabbitListener} methods hold their messages, and give back those that are not settled, around
 * whatever advice they have. Other containers of the same factory stay as the application has made them.
 */
public final class RabbitListenerFactories implements BeanPostProcessor {
    @Override
    public Object postProcessAfterInitialization(Object bean, String name) {
        if (bean instanceof AbstractRabbitListenerContainerFactory<?> factory) {
            extend(factory);
        }
        return bean;
    }

    @SuppressWarnings("unchecked") // so the field is declared
    private static <C extends AbstractMessageListenerContainer> void extend(
            AbstractRabbitListenerContainerFactory<C> factory) {
        ContainerCustomizer<C> own = (ContainerCustomizer<C>) Fields.get(factory, "containerCustomizer");
        factory.setContainerCustomizer(container -> {
            if (own != null) {
                own.configure(container);
            }
            if (container.getMessageListener() instanceof MessagingMessageListenerAdapter adapter
                    && ListenerMethods.isIdempotent(adapter, "handlerAdapter")) {
                Advice[] chain = (Advice[]) Fields.get(container, "adviceChain");
                container.setAdviceChain(CurrentMessageAdvice.before(Requeue.around(chain)));
            }
        });
    }
}
