package io.onefold.payload.contract;

import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.Collection;
import java.util.Date;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** All state of a value as a text, with the classes of what is not a collection: equal texts mean equal values. */
@SuppressWarnings("JavaUtilDate") // results of applications have them
final class ObjectSnapshot {

    private final StringBuilder text = new StringBuilder();
    private final IdentityHashMap<Object, Integer> drawn = new IdentityHashMap<>();

    private ObjectSnapshot() {}

    static String of(@Nullable Object value) {
        ObjectSnapshot picture = new ObjectSnapshot();
        picture.draw(value);
        return picture.text.toString();
    }

    private void draw(@Nullable Object value) {
        if (value == null) {
            text.append("null");
        } else if (value instanceof Collection<?> items) {
            text.append(value instanceof Set<?> ? "Set" : value instanceof List<?> ? "List" : "Collection");
            drawAll(items);
        } else if (value instanceof Map<?, ?> map) {
            Map<String, String> sorted = new TreeMap<>();
            map.forEach((key, each) -> sorted.put(of(key), of(each)));
            text.append(sorted);
        } else if (value instanceof Optional<?> optional) {
            drawAll(optional.stream().toList());
        } else if (value instanceof Date date) {
            text.append(date.toInstant());
        } else if (value.getClass().isArray()) {
            text.append(value.getClass().getTypeName());
            for (int i = 0; i < Array.getLength(value); i++) {
                text.append(i).append('=');
                draw(Array.get(value, i));
            }
        } else if (value instanceof Enum<?> constant) {
            text.append(constant.name());
        } else if (value.getClass() == Object.class) {
            text.append("Object");
        } else if (value.getClass().getName().startsWith("java.")) {
            text.append(value.getClass().getName()).append(' ').append(value);
        } else {
            drawFields(value);
        }
    }

    private void drawAll(Collection<?> items) {
        text.append('[');
        for (Object item : items) {
            draw(item);
            text.append(", ");
        }
        text.append(']');
    }

    private void drawFields(Object value) {
        Integer known = drawn.putIfAbsent(value, drawn.size());
        text.append(value.getClass().getName()).append('#').append(drawn.get(value));
        for (Class<?> at = value.getClass();
                known == null && at != Object.class && at != null;
                at = at.getSuperclass()) {
            for (Field field : at.getDeclaredFields()) {
                if (!Modifier.isStatic(field.getModifiers()) && field.trySetAccessible()) {
                    text.append(' ').append(field.getName()).append('=');
                    try {
                        draw(field.get(value));
                    } catch (IllegalAccessException e) {
                        throw new AssertionError(e);
                    }
                }
            }
        }
    }
}
