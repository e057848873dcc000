package io.onefold.payload;

import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** How the values of one declared type look as a JSON tree. */
interface Shape {

    @Nullable
    Object toTree(Object value);

    @Nullable
    Object fromTree(Object tree);

    /** What a member that was not stored is read as. */
    default @Nullable Object missing() {
        return null;
    }

    /** What a stored null is read as. */
    default @Nullable Object nothing() {
        return null;
    }

    default @Nullable Object write(@Nullable Object value) {
        return value == null ? null : toTree(value);
    }

    default @Nullable Object read(@Nullable Object tree) {
        return tree == null ? nothing() : fromTree(tree);
    }

    /** Narrows a node to the kind that a shape expects. */
    static <T> T expect(Class<T> kind, Object tree) {
        if (!kind.isInstance(tree)) {
            throw new MisfitException("expected " + name(kind) + ", found " + name(tree.getClass()));
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

    static List<@Nullable Object> elements(Object array) {
        List<@Nullable Object> elements = new ArrayList<>();
        for (int i = 0; i < Array.getLength(array); i++) {
            elements.add(Array.get(array, i));
        }
        return elements;
    }
}
