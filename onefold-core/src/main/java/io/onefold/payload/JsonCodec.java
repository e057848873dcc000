package io.onefold.payload;

import java.lang.reflect.Type;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Carries scalars, strings, bytes, enums, records, java.time, Optional, lists, sets, maps and arrays as JSON. Values
 * come back as they were, a BigDecimal with its scale. The bytes name no classes: they are read into the declared type
 * or not at all.
 */
public final class JsonCodec implements Codec {

    private static final int MAX_DEPTH = 256;

    private final JsonTypeReaders shapes = new JsonTypeReaders();

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
        JsonTypeReader shape = shapes.of(type);
        if (value != null && !shape.isInstance(value)) {
            throw new UnsupportedValueException("a value that is not a " + type.getTypeName());
        }
        return JsonWriter.write(value, MAX_DEPTH);
    }

    @Override
    public @Nullable Object decode(byte[] bytes, Type type, int version) {
        return shapes.of(type).read(JsonReader.read(bytes, MAX_DEPTH, Integer.MAX_VALUE));
    }

    /** Scalars, and records of them a few levels deep. */
    @Override
    public boolean isImmutable(Type type) {
        return isImmutable(type, 4);
    }

    private static boolean isImmutable(Type type, int levels) {
        if (!(type instanceof Class<?> raw) || raw == byte[].class || levels == 0) {
            return false;
        }
        return raw.isRecord()
                ? Stream.of(JavaRecordType.of(raw).components()).allMatch(part -> isImmutable(part.type(), levels - 1))
                : ScalarType.of(raw) != null;
    }
}
