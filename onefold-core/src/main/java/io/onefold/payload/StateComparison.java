package io.onefold.payload;

import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.net.URL;
import java.security.MessageDigest;
import java.util.Collection;
import java.util.Date;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The comparison of a result with what was read back of it, by class and by field. State that a codec never writes counts too, since
 * whoever gets the replay could see that it is missing. No {@code equals} of the application is asked: many compare an id alone.
 *
 * <p>Collections and maps are compared by what they hold, whatever class they are of, unless it is declared.
 */
@SuppressWarnings("JavaUtilDate") // results of applications have them
final class StateComparison {

    private static final Fingerprinter JSON =
            Fingerprinter.standard().maxDepth(1_000).maxBytes(Integer.MAX_VALUE);

    private final Codec codec;
    private final Set<ComparedPair> compared = new HashSet<>();

    StateComparison(Codec codec) {
        this.codec = codec;
    }

    /** @throws LossyResultException naming what has changed first */
    void compare(@Nullable Object value, @Nullable Object copy) {
        if (value == copy) {
            return;
        }
        if (value == null || copy == null) {
            throw new LossyResultException(value == null ? "was null and is read back as a value" : "is not read back");
        }
        if (ObjectState.isNotLoaded(value)) {
            throw new LossyResultException("is not loaded yet");
        }
        if (value instanceof Collection<?> items && copy instanceof Collection<?> others && isOneKind(items, others)) {
            elements(items, others);
            fieldsOfOneClass(value, copy);
        } else if (value instanceof Map<?, ?> map && copy instanceof Map<?, ?> other) {
            entries(map, other);
            fieldsOfOneClass(value, copy);
        } else if (value instanceof Date date && copy.getClass() == Date.class) {
            // what databases give is a java.sql.Timestamp
            check(date.getClass() == Date.class || date.getClass().getName().equals("java.sql.Timestamp"), value, copy);
            check(date.toInstant().equals(((Date) copy).toInstant()), value, copy);
        } else if (codec.isTree(value.getClass()) && codec.isTree(copy.getClass())) {
            check(json(value).equals(json(copy)), value, copy);
        } else if (value.getClass() != copy.getClass()) {
            throw new LossyResultException("is a " + value.getClass().getTypeName() + " and is read back as a "
                    + copy.getClass().getTypeName());
        } else if (value.getClass().isArray()) {
            array(value, copy);
        } else if (ObjectState.isOfJdk(value.getClass())) {
            jdk(value, copy);
        } else {
            check(!(value instanceof Enum<?>), value, copy);
            if (compared.add(new ComparedPair(value, copy))) {
                fields(value, copy);
            }
        }
    }

    private static void check(boolean same, Object value, Object copy) {
        if (!same) {
            throw new LossyResultException(
                    value.getClass() == copy.getClass()
                            ? "is read back as another " + value.getClass().getTypeName()
                            : "is a " + value.getClass().getTypeName() + " and is read back as a "
                                    + copy.getClass().getTypeName());
        }
    }

    private void inside(String step, @Nullable Object value, @Nullable Object copy) {
        try {
            compare(value, copy);
        } catch (LossyResultException e) {
            throw e.within(step);
        }
    }

    private static boolean isOneKind(Collection<?> one, Collection<?> other) {
        return one instanceof List == other instanceof List && one instanceof Set == other instanceof Set;
    }

    private void elements(Collection<?> items, Collection<?> others) {
        check(items.size() == others.size(), items, others);
        Iterator<?> other = others.iterator();
        for (Object item : items) {
            inside("[]", item, other.next());
        }
    }

    private void entries(Map<?, ?> map, Map<?, ?> other) {
        check(map.size() == other.size(), map, other);
        Map<Object, @Nullable Object> byKey = null;
        Iterator<? extends Map.Entry<?, ?>> next = other.entrySet().iterator();
        for (Map.Entry<?, ?> entry : map.entrySet()) {
            Object key = entry.getKey();
            if (key == null || ObjectState.isOfJdk(key.getClass()) || key instanceof Enum<?>) {
                byKey = byKey == null ? new HashMap<>(other) : byKey;
                check(byKey.containsKey(key), map, other);
                inside("*", entry.getValue(), byKey.get(key)); // a key is content
            } else {
                // by their order, since their own equality may leave something out
                Map.Entry<?, ?> same = next.next();
                inside("key", key, same.getKey());
                inside("*", entry.getValue(), same.getValue());
            }
        }
    }

    private void array(Object value, Object copy) {
        if (value instanceof byte[] bytes) {
            check(MessageDigest.isEqual(bytes, (byte[]) copy), value, copy);
            return;
        }
        check(Array.getLength(value) == Array.getLength(copy), value, copy);
        for (int i = 0; i < Array.getLength(value); i++) {
            inside("[]", Array.get(value, i), Array.get(copy, i));
        }
    }

    /** Compares two objects of one JDK class, which has an equality of its own, or none. */
    private void jdk(Object value, Object copy) {
        if (value instanceof Optional<?> optional) {
            inside("?", optional.orElse(null), ((Optional<?>) copy).orElse(null));
        } else if (value instanceof Map.Entry<?, ?> entry) {
            inside("key", entry.getKey(), ((Map.Entry<?, ?>) copy).getKey());
            inside("value", entry.getValue(), ((Map.Entry<?, ?>) copy).getValue());
        } else if (value instanceof AtomicReference<?> reference) {
            inside("?", reference.get(), ((AtomicReference<?>) copy).get());
        } else if (value instanceof Pattern pattern) {
            check(pattern.flags() == ((Pattern) copy).flags(), value, copy);
            check(pattern.pattern().equals(((Pattern) copy).pattern()), value, copy);
        } else if (value instanceof URL url) {
            // its equality would ask the network
            check(url.toExternalForm().equals(((URL) copy).toExternalForm()), value, copy);
        } else if (value instanceof CharSequence || value instanceof AtomicBoolean || isAtomic(value)) {
            check(value.toString().equals(copy.toString()), value, copy);
        } else if (value.getClass() != Object.class) {
            check(value.equals(copy), value, copy);
        }
    }

    private static boolean isAtomic(Object value) {
        return value instanceof Number && value.getClass().getPackageName().equals("java.util.concurrent.atomic");
    }

    private void fieldsOfOneClass(Object value, Object copy) {
        boolean own = value.getClass() == copy.getClass() && !ObjectState.isOfJdk(value.getClass());
        if (own && compared.add(new ComparedPair(value, copy))) {
            fields(value, copy);
        }
    }

    private void fields(Object value, Object copy) {
        for (Field field : ObjectState.of(value.getClass()).fields()) {
            inside(field.getName(), read(field, value), read(field, copy));
        }
    }

    private static @Nullable Object read(Field field, Object from) {
        try {
            return field.get(from);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e); // it was made accessible
        }
    }

    private Fingerprint json(Object tree) {
        return JSON.json(codec.encode(tree, tree.getClass()));
    }

    /** Two objects that are being compared, or were: those that hold each other would be compared for ever. */
    private record ComparedPair(Object value, Object copy) {
        @Override
        @SuppressWarnings("ReferenceEquality") // their own equality may leave something out
        public boolean equals(@Nullable Object other) {
            return other instanceof ComparedPair pair && pair.value == value && pair.copy == copy;
        }

        @Override
        public int hashCode() {
            return System.identityHashCode(copy);
        }
    }
}
