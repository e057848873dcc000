package io.onefold.payload;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The fields that hold the state of objects of one class outside of the JDK, looked up once per class. */
final class ObjectState {

    private static final ClassValue<ObjectState> CACHE = new ClassValue<>() {
        @Override
        protected ObjectState computeValue(Class<?> type) {
            return new ObjectState(type);
        }
    };

    private static final String LAZY = "org.hibernate.collection.spi.LazyInitializable";

    /** The method that tells if a collection is loaded, by class of collection. */
    private static final ClassValue<Optional<Method>> LOADED = new ClassValue<>() {
        @Override
        protected Optional<Method> computeValue(Class<?> type) {
            return loaded(type);
        }
    };

    private final List<Field> fields = new ArrayList<>();
    /** Why they cannot be looked at; null if they can. */
    private final @Nullable String trouble;

    private ObjectState(Class<?> type) {
        Class<?> at = type;
        String found = null;
        for (; at != null && !isOfJdk(at); at = at.getSuperclass()) {
            for (Field field : at.getDeclaredFields()) {
                if (Modifier.isStatic(field.getModifiers())) {
                    continue;
                }
                if (!field.trySetAccessible()) {
                    found = "cannot be compared with what is read back: open the package " + at.getPackageName()
                            + " to io.onefold.core";
                }
                fields.add(field);
            }
        }
        if (at != null && hasState(at) && !isContainer(at)) {
            found = "cannot be compared with what is read back: the state of " + at.getTypeName() + " is hidden";
        }
        trouble = found;
    }

    private static Optional<Method> loaded(@Nullable Class<?> type) {
        try {
            if (type == null || type.getName().equals(LAZY)) {
                return type == null ? Optional.empty() : Optional.of(type.getMethod("wasInitialized"));
            }
        } catch (NoSuchMethodException e) {
            return Optional.empty();
        }
        for (Class<?> above : type.getInterfaces()) {
            Optional<Method> found = loaded(above);
            if (found.isPresent()) {
                return found;
            }
        }
        return loaded(type.getSuperclass());
    }

    /** Returns true if the value is a Hibernate collection that has not been loaded, and that reading it would load. */
    static boolean isNotLoaded(Object value) {
        if (!isContainer(value.getClass())) {
            return false;
        }
        Method asked = LOADED.get(value.getClass()).orElse(null);
        try {
            return asked != null && Boolean.FALSE.equals(asked.invoke(value));
        } catch (ReflectiveOperationException e) {
            return false;
        }
    }

    private static boolean isContainer(Class<?> type) {
        return Collection.class.isAssignableFrom(type) || Map.class.isAssignableFrom(type);
    }

    private static boolean hasState(Class<?> type) {
        for (Class<?> at = type; at != null; at = at.getSuperclass()) {
            for (Field field : at.getDeclaredFields()) {
                if (!Modifier.isStatic(field.getModifiers())) {
                    return true;
                }
            }
        }
        return false;
    }

    static ObjectState of(Class<?> type) {
        return CACHE.get(type);
    }

    /** Returns true if it is a class of the JDK, whose fields are its own. */
    static boolean isOfJdk(Class<?> type) {
        ClassLoader loader = type.getClassLoader();
        return loader == null || loader == ClassLoader.getPlatformClassLoader();
    }

    /** @throws LossyResultException if they cannot be looked at */
    List<Field> fields() {
        if (trouble != null) {
            throw new LossyResultException(trouble);
        }
        return fields;
    }
}
