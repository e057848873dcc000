package io.onefold.spring;

import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ResolvableType;
import org.springframework.util.ClassUtils;

/** Unwraps the values that the framework's wrappers hold. Each wrapper is known only if its library is present. */
final class WrapperContents {
    private static final Set<String> MESSAGES = Set.of(
            "org.springframework.messaging.Message",
            "org.springframework.amqp.core.Message",
            "org.apache.kafka.clients.consumer.ConsumerRecord");
    private static final boolean WEB = present("org.springframework.http.HttpEntity");
    private static final boolean MESSAGING = present("org.springframework.messaging.Message");
    private static final boolean AMQP = present("org.springframework.amqp.core.Message");
    private static final boolean KAFKA = present("org.apache.kafka.clients.consumer.ConsumerRecord");

    private WrapperContents() {}

    static boolean isMessage(String type) {
        return MESSAGES.contains(type);
    }

    private static boolean present(String type) {
        return ClassUtils.isPresent(type, WrapperContents.class.getClassLoader());
    }

    /** The declared type of the wrapped value; the type itself if it wraps nothing. */
    static ResolvableType type(ResolvableType type) {
        Class<?> raw = type.resolve(Object.class);
        String name = raw.getName();
        if (name.equals("org.springframework.amqp.core.Message")) {
            return ResolvableType.forClass(byte[].class);
        }
        if (name.equals("org.apache.kafka.clients.consumer.ConsumerRecord")) {
            return type.getGeneric(1);
        }
        boolean wraps = SupertypeNames.match(raw, above -> above.equals("org.springframework.http.HttpEntity"))
                || name.equals("org.springframework.messaging.Message");
        return wraps ? type.getGeneric(0) : type;
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
