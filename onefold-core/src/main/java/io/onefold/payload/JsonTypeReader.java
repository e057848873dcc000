package io.onefold.payload;

import java.lang.invoke.MethodType;
import java.lang.reflect.Array;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reads the values of one declared type back from a JSON tree. */
record JsonTypeReader(Class<?> type, Function<Object, Object> parse) {

    boolean isInstance(Object value) {
        return MethodType.methodType(type).wrap().returnType().isInstance(value);
    }

    @Nullable
    Object read(@Nullable Object tree) {
        if (tree == null && type.isPrimitive()) {
            throw new UnsupportedValueException("null where a primitive " + type.getSimpleName() + " is declared");
        }
        return tree == null ? missing() : parse.apply(tree);
    }

    @Nullable
    Object read(String step, @Nullable Object tree) {
        try {
            return read(tree);
        } catch (UnsupportedValueException e) {
            throw e.within(step);
        }
    }

    /** Returns the value for a member that was not stored. */
    @Nullable
    Object missing() {
        if (type.isPrimitive()) {
            return Array.get(Array.newInstance(type, 1), 0);
        }
        return type == Optional.class ? Optional.empty() : null;
    }

    /** Narrows a node to the kind that is expected. */
    static <T> T expect(Class<T> kind, Object tree) {
        if (!kind.isInstance(tree)) {
            throw new UnsupportedValueException("expected " + name(kind) + ", found " + name(tree.getClass()));
        }
        return kind.cast(tree);
    }

    private static String name(Class<?> kind) {
        if (Map.class.isAssignableFrom(kind)) {
            return "an object";
        }
        if (List.class.isAssignableFrom(kind)) {
            return "an array";
        }
        return kind == String.class ? "a string" : kind == JsonNumber.class ? "a number" : "a boolean";
    }
}
