package io.onefold.spring;

import io.onefold.payload.PayloadParser;
import java.lang.reflect.Array;
import java.nio.charset.StandardCharsets;
import java.time.temporal.Temporal;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The state of an argument as a tree of maps, lists, sets and scalars, for a {@link ArgumentFingerprinter}. Each field counts, whether or not it can be
 * written as JSON: two arguments that a method can tell apart have different trees. A class counts where the declared type leaves it
 * open.
 */
final class ArgumentStateTree {
    private static final String TYPE = "@type";
    private static final String ELEMENTS = "@elements";

    /** Slightly below the limit of a fingerprint. */
    private static final int MAX_DEPTH = 60;

    /** The most values that fit into a fingerprint. */
    private static final int MAX_VALUES = 1 << 20;

    private int values;

    private ArgumentStateTree() {}

    /** @throws NoFingerprintException if it cannot be compared */
    static @Nullable Object of(@Nullable Object value, DeclaredType declared) {
        return new ArgumentStateTree().tree(value, declared, 0);
    }

    private @Nullable Object tree(@Nullable Object value, DeclaredType declared, int depth) {
        if (value == null || PlatformValues.isPlain(value.getClass())) {
            return value;
        }
        if (depth > MAX_DEPTH || ++values > MAX_VALUES) {
            throw new NoFingerprintException(
                    value.getClass().getName() + " holds itself, or is nested deeper than " + MAX_DEPTH
                            + " levels, or has more than " + MAX_VALUES + " values",
                    null);
        }
        if (value instanceof Enum<?> constant) {
            // two enums may have constants of one name
            Class<?> type = constant.getDeclaringClass();
            return declared.raw() == type ? constant.name() : Map.of(TYPE, type.getName(), "name", constant.name());
        }
        if (value instanceof Optional<?> optional) {
            return tree(optional.orElse(null), declared.elements(), depth + 1);
        }
        if (value instanceof Collection<?> || value instanceof Map<?, ?>) {
            return container(value, declared, depth);
        }
        Class<?> type = value.getClass();
        return PlatformValues.isPlatform(type)
                ? ofPlatform(value, type, declared, depth)
                : object(value, declared, depth);
    }

    private @Nullable Object ofPlatform(Object value, Class<?> type, DeclaredType declared, int depth) {
        if (type.isArray() && !(value instanceof byte[])) {
            return array(value, declared, depth);
        }
        if (value instanceof Map.Entry<?, ?> entry) {
            return PlatformValues.list(
                    tree(entry.getKey(), DeclaredType.UNKNOWN, depth + 1),
                    tree(entry.getValue(), DeclaredType.UNKNOWN, depth + 1));
        }
        if (value instanceof AtomicReference<?> reference) {
            return tree(reference.get(), DeclaredType.UNKNOWN, depth + 1);
        }
        Function<Object, @Nullable Object> reading = PlatformValues.reading(type);
        if (reading == null) {
            String trouble = StateClass.of(type).trouble();
            throw new NoFingerprintException(
                    trouble == null ? type.getName() + " is a class of the JDK whose state cannot be read" : trouble,
                    null);
        }
        Object read = reading.apply(value);
        return read instanceof long[] ? array(read, DeclaredType.UNKNOWN, depth) : read;
    }

    private Object array(Object array, DeclaredType declared, int depth) {
        List<@Nullable Object> elements = new ArrayList<>();
        for (int i = 0; i < Array.getLength(array); i++) {
            elements.add(inside("[]", Array.get(array, i), declared.elements(), depth));
        }
        return elements;
    }

    private @Nullable Object object(Object given, DeclaredType declared, int depth) {
        Object value = WrapperContents.of(given);
        if (value == null || value != given) {
            return tree(value, DeclaredType.UNKNOWN, depth + 1);
        }
        if (value.getClass().isArray()) {
            return array(value, declared, depth);
        }
        if (value instanceof CharSequence text) {
            return text.toString();
        }
        if (StateClass.of(value.getClass()).isJson()) {
            return PayloadParser.json(value.toString().getBytes(StandardCharsets.UTF_8), MAX_DEPTH, MAX_VALUES);
        }
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        if (declared.raw() != value.getClass()) {
            tree.put(TYPE, value.getClass().getName());
        }
        fields(value, tree, depth);
        return tree;
    }

    private void fields(Object value, Map<String, @Nullable Object> tree, int depth) {
        StateClass state = StateClass.of(value.getClass());
        if (state.trouble() != null) {
            throw new NoFingerprintException(state.trouble(), null);
        }
        for (StateClass.StateField field : state.fields()) {
            tree.put(field.name(), inside(field.name(), field.reading().apply(value), field.type(), depth));
        }
    }

    /** Returns the elements. For a class of the application, it adds the class's own fields. */
    private Object container(Object value, DeclaredType declared, int depth) {
        Map<String, @Nullable Object> own = new LinkedHashMap<>();
        if (!StateClass.isLibrary(value.getClass())) {
            fields(value, own, depth);
        }
        Object elements = value instanceof Map<?, ?> map
                ? map(map, declared.elements(), depth)
                : collection((Collection<?>) value, declared.elements(), depth);
        if (own.isEmpty()) {
            return elements;
        }
        own.put(ELEMENTS, elements);
        return own;
    }

    private Object collection(Collection<?> elements, DeclaredType declared, int depth) {
        Collection<@Nullable Object> all = elements instanceof Set<?> ? set() : new ArrayList<>(elements.size());
        for (Object element : elements) {
            all.add(inside("[]", element, declared, depth));
        }
        return all;
    }

    private Object map(Map<?, ?> map, DeclaredType declared, int depth) {
        if (!hasNames(map)) {
            Set<@Nullable Object> entries = set();
            map.forEach((key, value) -> entries.add(PlatformValues.list(
                    inside("[]", key, DeclaredType.UNKNOWN, depth + 1), inside("[]", value, declared, depth + 1))));
            return entries;
        }
        Map<Object, @Nullable Object> members = new LinkedHashMap<>();
        map.forEach((key, value) -> members.put(key, inside("[]", value, declared, depth)));
        return members;
    }

    /** Returns true if all keys are of one class, whose values have one text each. */
    private static boolean hasNames(Map<?, ?> map) {
        Class<?> one = null;
        for (Object key : map.keySet()) {
            boolean named = key instanceof String
                    || key instanceof Enum<?>
                    || key instanceof UUID
                    || key instanceof Long
                    || key instanceof Integer
                    || (key instanceof Temporal && PlatformValues.isPlain(key.getClass()));
            Class<?> type =
                    key instanceof Enum<?> constant ? constant.getDeclaringClass() : named ? key.getClass() : null;
            if (type == null || (one != null && one != type)) {
                return false;
            }
            one = type;
        }
        return true;
    }

    /** Returns a set by identity: values that differ may have equal trees. */
    private static Set<@Nullable Object> set() {
        return Collections.newSetFromMap(new IdentityHashMap<>());
    }

    private @Nullable Object inside(String step, @Nullable Object value, DeclaredType declared, int depth) {
        try {
            return tree(value, declared, depth + 1);
        } catch (NoFingerprintException e) {
            throw depth < 8 ? e.within(step) : e;
        }
    }
}
