package io.onefold.spring.message;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import io.onefold.spring.ListenerSettings;
import io.onefold.spring.ListenerSettings.DeadLetterPolicy;
import io.onefold.spring.MessageResolver.GiveUpResult;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.amqp.AmqpException;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageProperties;
import org.springframework.amqp.core.Queue;
import org.springframework.amqp.rabbit.connection.Connection;
import org.springframework.amqp.rabbit.connection.RabbitUtils;
import org.springframework.amqp.rabbit.listener.AbstractMessageListenerContainer;
import org.springframework.amqp.rabbit.support.DefaultMessagePropertiesConverter;

/**
 * The queues of a container, as far as the application has declared them: a broker does not tell how a queue was declared.
 *
 * @param declared the application's queues
 */
record RabbitQueues(
        AbstractMessageListenerContainer container,
        Supplier<List<Queue>> declared,
        Supplier<ListenerSettings> settings) {
    private static final Logger LOG = LoggerFactory.getLogger(RabbitQueues.class);
    private static final long CONFIRMED_WITHIN_MILLIS = TimeUnit.SECONDS.toMillis(30);

    /** The header that only quorum queues put on a message that comes again. */
    private static final String DELIVERY_COUNT = "x-delivery-count";

    /** The headers that describe the way of the message. */
    private static final Set<String> SENDERS = Set.of(DELIVERY_COUNT, "CC", "BCC");

    /** The delivery mode of messages that a broker writes to disk. */
    private static final int PERSISTENT = 2;

    private static final String TYPE = "x-queue-type";
    private static final String EXCHANGE = "x-dead-letter-exchange";
    private static final String ROUTING_KEY = "x-dead-letter-routing-key";

    boolean isActive() {
        return container.isActive();
    }

    /** Returns true if the broker counts the deliveries of a message, and drops it when it has come too often. */
    boolean isCounted(MessageProperties message) {
        return message.getHeader(DELIVERY_COUNT) != null || isQuorum(argument(message.getConsumerQueue(), TYPE));
    }

    private static boolean isQuorum(@Nullable Object type) {
        return "quorum".equals(type);
    }

    /** Warns of queues that drop messages which have come too often. */
    void check() {
        for (String queue : container.getQueueNames()) {
            if (isQuorum(argument(queue, TYPE)) && argument(queue, EXCHANGE) == null) {
                LOG.warn(
                        "The quorum queue {} of an @Idempotent listener has no dead letter exchange that the application declares. RabbitMQ drops"
                                + " a message that was delivered too often ({} at most). Declare a dead letter exchange for it.",
                        queue,
                        Objects.requireNonNullElse(argument(queue, "x-delivery-limit"), "20 times from RabbitMQ 4 on"));
            }
        }
    }

    private @Nullable Object argument(@Nullable String queue, String name) {
        for (Queue known : declared.get()) {
            if (known.getName().equals(queue) || known.getActualName().equals(queue)) {
                return known.getArguments().get(name);
            }
        }
        return null;
    }

    /** Publishes the message to its destination, with the reason. A rejected message would go there without the reason. */
    GiveUpResult giveUp(Message message, Map<String, String> why) {
        MessageProperties properties = message.getMessageProperties();
        String queue = properties.getConsumerQueue();
        ListenerSettings.ParkingTarget parking = settings.get().parking();
        if (parking.routingKey() != null) {
            publish(message, parking.exchange(), parking.routingKey().replace("{queue}", String.valueOf(queue)), why);
            return GiveUpResult.DONE;
        }
        Object exchange = argument(queue, EXCHANGE);
        if (exchange == null) {
            return settings.get().deadLetters() == DeadLetterPolicy.ALWAYS ? GiveUpResult.BY_REFUSAL : GiveUpResult.NOT;
        }
        Object key = Objects.requireNonNullElse(
                argument(queue, ROUTING_KEY), Objects.requireNonNullElse(properties.getReceivedRoutingKey(), ""));
        publish(message, exchange.toString(), key.toString(), why);
        return GiveUpResult.DONE;
    }

    /** Publishes on a channel of its own: the channels of the connection factory may be in transactions, or may not confirm. */
    private void publish(Message message, String exchange, String key, Map<String, String> why) {
        Connection connection = container.getConnectionFactory().createConnection();
        try {
            publish(connection, message, exchange, key, why);
        } finally {
            RabbitUtils.closeConnection(connection); // back to the factory, where it caches connections
        }
    }

    private void publish(Connection connection, Message message, String exchange, String key, Map<String, String> why) {
        com.rabbitmq.client.Connection bare = connection.getDelegate();
        if (bare == null) {
            throw new AmqpException("cannot find the RabbitMQ connection behind that of " + container);
        }
        AtomicReference<@Nullable String> returned = new AtomicReference<>();
        try (Channel channel = bare.createChannel()) {
            channel.addReturnListener(back -> returned.set(back.getReplyText()));
            channel.confirmSelect();
            channel.basicPublish(exchange, key, true, properties(message, why), message.getBody());
            channel.waitForConfirmsOrDie(CONFIRMED_WITHIN_MILLIS);
        } catch (IOException | TimeoutException e) {
            throw new AmqpException("exchange \"" + exchange + "\" has not confirmed the message", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AmqpException(
                    "interrupted while waiting for exchange \"" + exchange + "\" to confirm the message", e);
        }
        if (returned.get() != null) {
            throw new AmqpException(
                    "exchange \"" + exchange + "\" routes \"" + key + "\" to no queue: " + returned.get());
        }
    }

    private static BasicProperties properties(Message message, Map<String, String> why) {
        BasicProperties as = new DefaultMessagePropertiesConverter()
                .fromMessageProperties(message.getMessageProperties(), StandardCharsets.UTF_8.name());
        Map<String, Object> headers = new HashMap<>(as.getHeaders() == null ? Map.of() : as.getHeaders());
        headers.keySet().removeAll(SENDERS);
        headers.putAll(why);
        // Onefold sends it, and not the first sender; it must not expire there, and a restart of the broker must not
        // lose it
        return as.builder()
                .headers(headers)
                .userId(null)
                .expiration(null)
                .deliveryMode(PERSISTENT)
                .build();
    }
}
