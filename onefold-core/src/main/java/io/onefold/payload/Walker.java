package io.onefold.payload;

import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Tells any value, part by part, as JSON: what a fingerprint hashes and what a codec stores. */
abstract class Walker {

    private final int maxDepth;
    private final Supplier<Map<String, @Nullable Object>> order;
    private int depth;

    /** The maps made here decide in which order the members of a map are told. */
    Walker(int maxDepth, Supplier<Map<String, @Nullable Object>> order) {
        this.maxDepth = maxDepth;
        this.order = order;
    }

    abstract void bracket(char bracket);

    abstract void name(String name);

    /** Null, or a Boolean, String, Number or {@link JsonNumber}. */
    abstract void scalar(@Nullable Object value);

    final void value(@Nullable Object value) {
        if (value == null || value instanceof String || value instanceof Number) {
            scalar(value);
        } else if (value instanceof Boolean || value instanceof JsonNumber) {
            scalar(value);
        } else if (value instanceof Record record) {
            enter('{');
            for (RecordType.Component component :
                    RecordType.of(record.getClass()).sorted()) {
                member(component.name(), component.get(record));
            }
            bracket('}');
        } else if (value instanceof Map<?, ?> map) {
            enter('{');
            named(map).forEach(this::member);
            bracket('}');
        } else if (value instanceof Set<?> set) {
            set(set);
        } else if (value instanceof Collection<?> list) {
            list(list);
        } else if (value instanceof Optional<?> optional) {
            value(optional.orElse(null));
        } else if (value.getClass().isArray() && !(value instanceof byte[])) {
            List<@Nullable Object> elements = new ArrayList<>();
            for (int i = 0; i < Array.getLength(value); i++) {
                elements.add(Array.get(value, i));
            }
            list(elements);
        } else {
            scalar(Scalar.textOf(value));
        }
    }

    final void enter(char bracket) {
        if (depth == maxDepth) {
            throw new MisfitException("nested deeper than " + maxDepth + " levels; is the structure cyclic?");
        }
        bracket(bracket);
    }

    void member(String name, @Nullable Object value) {
        name(name);
        inside(name, value);
    }

    void set(Set<?> set) {
        list(set);
    }

    private void list(Collection<?> list) {
        enter('[');
        list.forEach(element -> inside("[]", element));
        bracket(']');
    }

    final void inside(String step, @Nullable Object value) {
        depth++;
        try {
            value(value);
        } catch (MisfitException e) {
            throw e.within(step);
        }
        depth--;
    }

    private Map<String, @Nullable Object> named(Map<?, ?> map) {
        Map<String, @Nullable Object> named = order.get();
        map.forEach((key, value) -> {
            String name = key instanceof String text ? text : Scalar.textOf(key);
            if (named.containsKey(name)) {
                throw new MisfitException("two keys of the map are written alike").within(name);
            }
            named.put(name, value);
        });
        return named;
    }
}
