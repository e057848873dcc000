package io.onefold.payload;

import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.Comparator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The components and the canonical constructor of a record class, looked up once per class. */
final class RecordType {

    private static final ClassValue<RecordType> CACHE = new ClassValue<>() {
        @Override
        protected RecordType computeValue(Class<?> type) {
            return new RecordType(type);
        }
    };

    private final Component[] components;
    private final Component[] sorted;
    private final Constructor<?> constructor;

    private RecordType(Class<?> type) {
        RecordComponent[] declared = type.getRecordComponents();
        try {
            constructor = type.getDeclaredConstructor(
                    Stream.of(declared).map(RecordComponent::getType).toArray(Class<?>[]::new));
            constructor.setAccessible(true);
            components = Stream.of(declared).map(Component::of).toArray(Component[]::new);
        } catch (NoSuchMethodException | RuntimeException e) {
            throw new MisfitException(
                    "record " + type.getName() + " is not accessible: open its package to io.onefold.core", e);
        }
        sorted = Stream.of(components)
                .sorted(Comparator.comparing(Component::name))
                .toArray(Component[]::new);
    }

    static RecordType of(Class<?> type) {
        return CACHE.get(type);
    }

    /** As declared. Neither array is copied: callers only read them. */
    Component[] components() {
        return components;
    }

    /** By name: the order in which they are written. */
    Component[] sorted() {
        return sorted;
    }

    Object create(@Nullable Object[] arguments) {
        try {
            return constructor.newInstance(arguments);
        } catch (ReflectiveOperationException e) {
            throw new MisfitException(
                    "the constructor of " + constructor.getName() + " refused what was stored", e.getCause());
        }
    }

    record Component(String name, Type type, Method accessor) {

        static Component of(RecordComponent component) {
            component.getAccessor().setAccessible(true);
            return new Component(component.getName(), component.getGenericType(), component.getAccessor());
        }

        @Nullable
        Object get(Object record) {
            try {
                return accessor.invoke(record);
            } catch (ReflectiveOperationException e) {
                throw new MisfitException("the accessor failed", e.getCause()).within(name);
            }
        }
    }
}
