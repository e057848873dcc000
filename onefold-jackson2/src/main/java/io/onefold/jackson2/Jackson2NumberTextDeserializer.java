package io.onefold.jackson2;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.deser.std.StdScalarDeserializer;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Numbers that are written as their texts, as for clients that would round them. */
final class Jackson2NumberTextDeserializer extends StdScalarDeserializer<Object> {

    private static final long serialVersionUID = 1;

    private static final Map<Class<?>, Function<String, Object>> PARSERS = Map.of(
            Long.class, Long::valueOf,
            long.class, Long::valueOf,
            Integer.class, Integer::valueOf,
            int.class, Integer::valueOf,
            BigInteger.class, BigInteger::new,
            BigDecimal.class, BigDecimal::new);

    private final transient Function<String, Object> parser;

    private Jackson2NumberTextDeserializer(Class<?> type, Function<String, Object> parser) {
        super(type);
        this.parser = parser;
    }

    /** Null for types that are read from texts anyway, or from no text. */
    static @Nullable Jackson2NumberTextDeserializer of(Class<?> type) {
        Function<String, Object> parser = PARSERS.get(type);
        return parser == null ? null : new Jackson2NumberTextDeserializer(type, parser);
    }

    @Override
    public Object deserialize(JsonParser json, DeserializationContext context) throws IOException {
        if (json.currentToken() == JsonToken.VALUE_STRING) {
            String text = json.getText();
            try {
                Object number = parser.apply(text);
                if (number.toString().equals(text)) {
                    return number;
                }
            } catch (NumberFormatException e) {
                // said below
            }
        }
        return context.handleUnexpectedToken(context.constructType(handledType()), json);
    }
}
