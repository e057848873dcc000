package io.onefold.spring.message;

import io.onefold.spring.MessageResolver;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.messaging.Message;
import org.springframework.messaging.MessageHeaders;

/**
 * A message that Spring has made from the broker's message.
 *
 * @param scoping the headers that say whose keys these are
 */
record MappedMessage(Map<String, Object> mapped, List<String> scoping) implements MessageResolver.ListenerMessage {

    /** Returns the headers of the first message, or the first headers, among the arguments; null if there are none. */
    static @Nullable Map<String, Object> headers(@Nullable Object[] arguments) {
        for (Object argument : arguments) {
            if (argument instanceof Message<?> message) {
                return message.getHeaders();
            }
            if (argument instanceof MessageHeaders headers) {
                return headers;
            }
        }
        return null;
    }

    /** Returns the same message, with the value of another header in place of a missing one. */
    MappedMessage or(String missing, String other) {
        Object value = mapped.get(other);
        if (value == null || mapped.containsKey(missing)) {
            return this;
        }
        Map<String, Object> more = new HashMap<>(mapped);
        more.put(missing, value);
        return new MappedMessage(more, scoping);
    }

    @Override
    public List<String> headers(String name) {
        return HeaderTexts.of(mapped.get(name));
    }

    @Override
    public List<String> scope() {
        return scoping.stream()
                .map(mapped::get)
                .filter(Objects::nonNull)
                .map(Object::toString)
                .toList();
    }
}
