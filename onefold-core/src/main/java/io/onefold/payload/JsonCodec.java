package io.onefold.payload;

import java.lang.reflect.Type;
import org.jspecify.annotations.Nullable;

/**
 * Carries scalars, strings, bytes, enums, records, java.time, Optional, lists, sets, maps and arrays as JSON. Values
 * come back as they were, a BigDecimal with its scale. The bytes name no classes: they are read into the declared type
 * or not at all.
 */
public final class JsonCodec implements Codec {

    private static final int MAX_DEPTH = 256;

    private final Shapes shapes = new Shapes();

    @Override
    public String id() {
        return "json";
    }

    @Override
    public int version() {
        return 1;
    }

    @Override
    public void check(Type type) {
        shapes.of(type);
    }

    @Override
    public byte[] encode(@Nullable Object value, Type type) {
        Shape shape = shapes.of(type);
        if (value != null && !shape.isInstance(value)) {
            throw new MisfitException("a value that is not a " + type.getTypeName());
        }
        return JsonWriter.write(value, MAX_DEPTH);
    }

    @Override
    public @Nullable Object decode(byte[] bytes, Type type, int version) {
        return shapes.of(type).read(JsonReader.read(bytes, MAX_DEPTH, Integer.MAX_VALUE));
    }
}
