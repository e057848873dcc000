package io.onefold.jackson;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.deser.std.StdScalarDeserializer;

/** Numbers that are written as their texts, as for clients that would round them. */
final class NumberTextDeserializer extends StdScalarDeserializer<Object> {

    private static final Map<Class<?>, Function<String, Object>> PARSERS = Map.of(
            Long.class, Long::valueOf,
            long.class, Long::valueOf,
            Integer.class, Integer::valueOf,
            int.class, Integer::valueOf,
            BigInteger.class, BigInteger::new,
            BigDecimal.class, BigDecimal::new);

    private final transient Function<String, Object> parser;

    private NumberTextDeserializer(Class<?> type, Function<String, Object> parser) {
        super(type);
        this.parser = parser;
    }

    /** Null for types that are read from texts anyway, or from no text. */
    static @Nullable NumberTextDeserializer of(Class<?> type) {
        Function<String, Object> parser = PARSERS.get(type);
        return parser == null ? null : new NumberTextDeserializer(type, parser);
    }

    @Override
    public Object deserialize(JsonParser json, DeserializationContext context) {
        if (json.currentToken() == JsonToken.VALUE_STRING) {
            String text = json.getString();
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
