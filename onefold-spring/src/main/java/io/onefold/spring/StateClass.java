package io.onefold.spring;

import java.io.Closeable;
import java.lang.annotation.Annotation;
import java.lang.reflect.Field;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.BaseStream;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ResolvableType;
import org.springframework.util.StringUtils;

/** The fields that make up the state of a class, including those of its superclasses. They are looked up once for each class. */
final class StateClass {
    private static final ClassValue<StateClass> ALL = new ClassValue<>() {
        @Override
        protected StateClass computeValue(Class<?> type) {
            return new StateClass(type);
        }
    };

    private static final Set<String> ENTITIES = Set.of(
            "jakarta.persistence.Entity",
            "jakarta.persistence.MappedSuperclass",
            "javax.persistence.Entity",
            "javax.persistence.MappedSuperclass");
    private static final Set<String> LAZY = Set.of(
            "org.hibernate.proxy.HibernateProxy",
            "org.hibernate.collection.spi.PersistentCollection",
            "org.hibernate.collection.spi.LazyInitializable",
            "org.eclipse.persistence.indirection.IndirectContainer");
    private static final String PROXIED = "org.springframework.aop.SpringProxy";
    private static final String FUNCTION = "kotlin.Function";
    private static final String MESSAGE = "com.google.protobuf.MessageLite";
    private static final Set<String> JSON =
            Set.of("tools.jackson.databind.JsonNode", "com.fasterxml.jackson.databind.JsonNode");
    private static final List<String> REQUESTS = List.of(
            "jakarta.servlet.",
            "org.springframework.http.server.",
            "org.springframework.web.context.request.",
            "org.springframework.web.server.");

    /** Types whose values are computed from other state. */
    private static final Set<String> COMPUTED = Set.of("kotlin.Lazy", "groovy.lang.MetaClass");

    /** Libraries whose collections hold their elements and caches. */
    private static final List<String> LIBRARIES = List.of(
            "kotlin.",
            "com.google.common.collect.",
            "org.springframework.util.",
            "com.fasterxml.jackson.",
            "tools.jackson.");

    private final @Nullable String trouble;
    private final boolean json;
    private final List<StateField> fields;

    private StateClass(Class<?> type) {
        List<StateField> found = new ArrayList<>();
        this.json = SupertypeNames.match(type, JSON::contains);
        String wrong = trouble(type);
        if (wrong == null && !json && !Enum.class.isAssignableFrom(type) && !PlatformValues.isPlatform(type)) {
            wrong = collect(type, found);
        }
        this.trouble = wrong;
        // a JVM lists fields in an order of its own
        found.sort(Comparator.comparing(StateField::name));
        this.fields = Collections.unmodifiableList(found);
    }

    static StateClass of(Class<?> type) {
        return ALL.get(type);
    }

    /** The reason why values of this class have no fingerprint; null if they have one. */
    @Nullable
    String trouble() {
        return trouble;
    }

    /** Returns true if its values are trees of JSON, which print themselves as text. */
    boolean isJson() {
        return json;
    }

    List<StateField> fields() {
        return fields;
    }

    /** Returns true if only the elements count of a collection of this class. */
    static boolean isLibrary(Class<?> type) {
        return PlatformValues.isPlatform(type) || LIBRARIES.stream().anyMatch(type.getName()::startsWith);
    }

    private static @Nullable String trouble(Class<?> type) {
        for (Class<?> each = type; each != null; each = each.getSuperclass()) {
            for (Annotation annotation : each.getAnnotations()) {
                if (ENTITIES.contains(annotation.annotationType().getName())) {
                    return each.getName() + " is a JPA entity, whose state depends on what was loaded";
                }
            }
        }
        if (SupertypeNames.match(type, LAZY::contains)) {
            return type.getName() + " is a lazy proxy of JPA, whose state depends on what was loaded";
        }
        if (type.isHidden() || SupertypeNames.match(type, FUNCTION::equals)) {
            return type.getName() + " is a function, and functions cannot be compared";
        }
        if (Proxy.isProxyClass(type) || type.getName().contains("$$") || SupertypeNames.match(type, PROXIED::equals)) {
            return type.getName() + " is a proxy, whose state is somewhere else";
        }
        if (SupertypeNames.match(type, MESSAGE::equals)) {
            return type.getName() + " is a message of Protocol Buffers, which keeps caches among its fields";
        }
        if (Closeable.class.isAssignableFrom(type)
                || Iterator.class.isAssignableFrom(type)
                || BaseStream.class.isAssignableFrom(type)
                || SupertypeNames.match(type, PayloadParameters::isStream)) {
            return type.getName() + " can be read only once";
        }
        return SupertypeNames.match(type, name -> REQUESTS.stream().anyMatch(name::startsWith))
                ? type.getName() + " is the framework's, and no payload"
                : null;
    }

    /** @return the part that cannot be read; null if all can be */
    private static @Nullable String collect(Class<?> type, List<StateField> found) {
        Set<String> names = new HashSet<>();
        for (Class<?> each = type; each != null && each != Object.class; each = each.getSuperclass()) {
            if (PlatformValues.isPlatform(each)) {
                return inherited(type, each, found);
            }
            for (Field field : each.getDeclaredFields()) {
                if (!counts(each, field)) {
                    continue;
                }
                try {
                    field.setAccessible(true);
                } catch (InaccessibleObjectException e) {
                    return field + " cannot be read: open its package to io.onefold.spring";
                }
                // a field may be hidden by another field of the same name
                String name = names.add(field.getName()) ? field.getName() : each.getName() + "." + field.getName();
                DeclaredType declared = DeclaredType.of(ResolvableType.forField(field, type));
                found.add(new StateField(name, declared, value -> get(field, value), field));
            }
        }
        return null;
    }

    /** Adds the state that a class inherits from a class of the JDK. */
    private static @Nullable String inherited(Class<?> type, Class<?> platform, List<StateField> found) {
        boolean contains = Collection.class.isAssignableFrom(platform) || Map.class.isAssignableFrom(platform);
        Function<Object, @Nullable Object> reading = contains ? null : PlatformValues.reading(platform);
        if (reading != null && platform != Number.class) {
            found.add(new StateField("super", DeclaredType.UNKNOWN, reading, null));
            return null;
        }
        for (Class<?> each = platform; !contains && each != null; each = each.getSuperclass()) {
            for (Field field : each.getDeclaredFields()) {
                if (!Modifier.isStatic(field.getModifiers()) && !Modifier.isTransient(field.getModifiers())) {
                    return type.getName() + " extends " + platform.getName() + ", whose state cannot be read";
                }
            }
        }
        return null;
    }

    private static boolean counts(Class<?> type, Field field) {
        if (Modifier.isStatic(field.getModifiers())
                || COMPUTED.contains(field.getType().getName())) {
            return false;
        }
        if (field.isSynthetic()) {
            return field.getName().startsWith("val$"); // a variable that an anonymous class has captured
        }
        return !Modifier.isTransient(field.getModifiers()) || hasSetter(type, field);
    }

    /** Returns true if a field has a setter. A transient field without one is a cache. */
    private static boolean hasSetter(Class<?> type, Field field) {
        String setter = "set" + StringUtils.capitalize(field.getName());
        for (Method method : type.getDeclaredMethods()) {
            if (method.getName().equals(setter) && method.getParameterCount() == 1) {
                return true;
            }
        }
        return false;
    }

    private static @Nullable Object get(Field field, Object value) {
        try {
            return field.get(value);
        } catch (IllegalAccessException e) {
            throw new NoFingerprintException(field + " cannot be read", e);
        }
    }

    /**
     * A part of the state.
     *
     * @param field null for the state that a class of the JDK holds
     */
    record StateField(
            String name,
            DeclaredType type,
            Function<Object, @Nullable Object> reading,
            @Nullable Field field) {}
}
