package io.onefold.spring.message;

import com.rabbitmq.client.Channel;
import org.aopalliance.aop.Advice;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.amqp.core.Message;

/**
 * An advice that makes a message of RabbitMQ the {@linkplain CurrentMessage current message} while its listener is at work. It stands
 * first in the container's chain, so that a retry further in finds the message too. A batch is let through, since the listener of one
 * cannot be safe to repeat.
 */
record CurrentMessageAdvice(RabbitQueues queues) implements MethodInterceptor {
    /** The chain with this advice at its head. */
    static Advice[] before(Advice[] chain, RabbitQueues queues) {
        Advice[] longer = new Advice[chain.length + 1];
        longer[0] = new CurrentMessageAdvice(queues);
        System.arraycopy(chain, 0, longer, 1, chain.length);
        return longer;
    }

    @Override
    public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        Message message = CurrentMessage.find(Message.class, invocation.getArguments());
        if (message == null) {
            return invocation.proceed();
        }
        Channel channel = null;
        for (Object argument : invocation.getArguments()) {
            channel = argument instanceof Channel found ? found : channel;
        }
        CurrentMessage before = CurrentMessage.hold(new CurrentMessage(message, new RabbitConsumer(queues, channel)));
        try {
            return invocation.proceed();
        } finally {
            CurrentMessage.hold(before);
        }
    }
}
