package io.onefold.spring;

import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;

/** What the framework's wrappings hold. Each is known only where its library is. */
final class Unwrapped {
    private static final Set<String> MESSAGES = Set.of(
            "org.springframework.messaging.Message",
            "org.springframework.amqp.core.Message",
            "org.apache.kafka.clients.consumer.ConsumerRecord");
    private static final boolean WEB = present("org.springframework.http.HttpEntity");
    private static final boolean MESSAGING = present("org.springframework.messaging.Message");
    private static final boolean AMQP = present("org.springframework.amqp.core.Message");
    private static final boolean KAFKA = present("org.apache.kafka.clients.consumer.ConsumerRecord");

    private Unwrapped() {}

    static boolean isMessage(String type) {
        return MESSAGES.contains(type);
    }

    private static boolean present(String type) {
        return ClassUtils.isPresent(type, Unwrapped.class.getClassLoader());
    }

    static @Nullable Object of(@Nullable Object argument) {
        if (WEB && argument instanceof org.springframework.http.HttpEntity<?> entity) {
            return entity.getBody();
        }
        if (MESSAGING && argument instanceof org.springframework.messaging.Message<?> message) {
            return message.getPayload();
        }
        if (AMQP && argument instanceof org.springframework.amqp.core.Message message) {
            return message.getBody();
        }
        if (KAFKA && argument instanceof org.apache.kafka.clients.consumer.ConsumerRecord<?, ?> message) {
            return message.value();
        }
        return argument;
    }
}
