package io.onefold.spring.message;

import io.onefold.spring.MessageResolver;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.support.AmqpHeaders;

/**
 * A message of RabbitMQ.
 *
 * @param usual the header that the id of the message may replace
 * @param consumer null if nothing is known of the consumer that handed it over
 */
record RabbitMessage(
        Message received, String usual, @Nullable RabbitConsumer consumer) implements MessageResolver.ListenerMessage {

    static MessageResolver.@Nullable ListenerMessage of(@Nullable Object[] arguments, String usual) {
        Message found = CurrentMessage.find(Message.class, arguments);
        if (found != null) {
            return new RabbitMessage(found, usual, CurrentMessage.consumer(RabbitConsumer.class));
        }
        Map<String, Object> mapped = MappedMessage.headers(arguments);
        if (mapped == null) {
            return null;
        }
        MappedMessage message = new MappedMessage(mapped, List.of(AmqpHeaders.CONSUMER_QUEUE));
        return message.or(usual, AmqpHeaders.MESSAGE_ID);
    }

    @Override
    public List<String> headers(String name) {
        Object value = received.getMessageProperties().getHeader(name);
        boolean id = name.equals(AmqpHeaders.MESSAGE_ID) || (value == null && name.equals(usual));
        return HeaderTexts.of(id ? received.getMessageProperties().getMessageId() : value);
    }

    @Override
    public List<String> scope() {
        String queue = received.getMessageProperties().getConsumerQueue();
        return queue == null ? List.of() : List.of(queue);
    }

    @Override
    public boolean isCounted() {
        return consumer != null && consumer.queues().isCounted(received.getMessageProperties());
    }

    @Override
    public boolean isHeld() {
        return consumer != null && consumer.isActive();
    }

    @Override
    public MessageResolver.GiveUpResult giveUp(Map<String, String> why) {
        return consumer == null
                ? MessageResolver.GiveUpResult.NOT
                : consumer.queues().giveUp(received, why);
    }
}
