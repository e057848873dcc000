package io.onefold.spring.message;

import io.onefold.spring.ListenerSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.aopalliance.aop.Advice;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.amqp.core.Declarables;
import org.springframework.amqp.core.Queue;
import org.springframework.amqp.rabbit.config.AbstractRabbitListenerContainerFactory;
import org.springframework.amqp.rabbit.config.ContainerCustomizer;
import org.springframework.amqp.rabbit.listener.AbstractMessageListenerContainer;
import org.springframework.amqp.rabbit.listener.adapter.MessagingMessageListenerAdapter;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryAware;
import org.springframework.beans.factory.config.BeanPostProcessor;

/**
 * Makes the containers of annotated {@code @RabbitListener} methods hold their messages, and return messages that are not settled, around
 * all their other advice. Other containers of the same factory stay unchanged.
 */
public final class RabbitFactoryPostProcessor implements BeanPostProcessor, BeanFactoryAware {
    private @Nullable BeanFactory beans;

    @Override
    public void setBeanFactory(BeanFactory beans) {
        this.beans = beans;
    }

    @Override
    @SuppressWarnings({"unchecked", "rawtypes"}) // it takes all kinds of containers that the factory makes
    public Object postProcessAfterInitialization(Object bean, String name) {
        if (bean instanceof AbstractRabbitListenerContainerFactory factory) {
            Object own = ContainerFields.get(factory, "containerCustomizer");
            // by a proxy, since what customizers are handed is of another type in Spring AMQP 3
            ProxyFactory customizer = new ProxyFactory();
            customizer.addInterface(ContainerCustomizer.class);
            customizer.setTarget(own == null ? new Object() : own);
            customizer.addAdvice((MethodInterceptor) call -> called(call, own != null));
            factory.setContainerCustomizer((ContainerCustomizer) customizer.getProxy());
        }
        return bean;
    }

    private @Nullable Object called(MethodInvocation call, boolean owned) throws Throwable {
        boolean configures = call.getMethod().getDeclaringClass() == ContainerCustomizer.class;
        Object returned = configures && !owned ? null : call.proceed();
        if (configures && call.getArguments()[0] instanceof AbstractMessageListenerContainer container) {
            extend(container);
        }
        return returned;
    }

    private void extend(AbstractMessageListenerContainer container) {
        if (container.getMessageListener() instanceof MessagingMessageListenerAdapter adapter
                && ListenerMethods.isIdempotent(adapter, "handlerAdapter")) {
            Advice[] chain = (Advice[]) Objects.requireNonNull(ContainerFields.get(container, "adviceChain"));
            RabbitQueues queues = new RabbitQueues(container, this::queues, this::settings);
            container.setAdviceChain(CurrentMessageAdvice.before(RequeueAdvice.around(chain), queues));
            queues.check();
        }
    }

    private List<Queue> queues() {
        if (beans == null) {
            return List.of();
        }
        List<Queue> queues = new ArrayList<>(
                beans.getBeanProvider(Queue.class).orderedStream().toList());
        beans.getBeanProvider(Declarables.class)
                .forEach(several -> queues.addAll(several.getDeclarablesByType(Queue.class)));
        return queues;
    }

    private ListenerSettings settings() {
        return beans == null
                ? ListenerSettings.DEFAULT
                : beans.getBeanProvider(ListenerSettings.class).getIfAvailable(() -> ListenerSettings.DEFAULT);
    }
}
