package io.onefold.payload;

import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.Comparator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The components and the canonical constructor of a record class, looked up once per class. */
final class JavaRecordType {

    private static final ClassValue<JavaRecordType> CACHE = new ClassValue<>() {
        @Override
        protected JavaRecordType computeValue(Class<?> type) {
            return new JavaRecordType(type);
        }
    };

    private final RecordComponentAccess[] components;
    private final RecordComponentAccess[] sorted;
    private final Constructor<?> constructor;

    private JavaRecordType(Class<?> type) {
        RecordComponent[] declared = type.getRecordComponents();
        try {
            constructor = type.getDeclaredConstructor(
                    Stream.of(declared).map(RecordComponent::getType).toArray(Class<?>[]::new));
            constructor.setAccessible(true);
            components = Stream.of(declared).map(RecordComponentAccess::of).toArray(RecordComponentAccess[]::new);
        } catch (NoSuchMethodException | RuntimeException e) {
            throw new UnsupportedValueException(
                    "record " + type.getName() + " is not accessible: open its package to io.onefold.core", e);
        }
        sorted = Stream.of(components)
                .sorted(Comparator.comparing(RecordComponentAccess::name))
                .toArray(RecordComponentAccess[]::new);
    }

    static JavaRecordType of(Class<?> type) {
        return CACHE.get(type);
    }

    /** Returns the components in the order of their declaration. Neither array is copied: callers only read them. */
    RecordComponentAccess[] components() {
        return components;
    }

    /** By name: the order in which they are written. */
    RecordComponentAccess[] sorted() {
        return sorted;
    }

    Object create(@Nullable Object[] arguments) {
        try {
            return constructor.newInstance(arguments);
        } catch (ReflectiveOperationException e) {
            throw new UnsupportedValueException(
                    "the constructor of " + constructor.getName() + " refused what was stored", e.getCause());
        }
    }

    record RecordComponentAccess(String name, Type type, Method accessor) {

        static RecordComponentAccess of(RecordComponent component) {
            component.getAccessor().setAccessible(true);
            return new RecordComponentAccess(component.getName(), component.getGenericType(), component.getAccessor());
        }

        @Nullable
        Object get(Object record) {
            try {
                return accessor.invoke(record);
            } catch (ReflectiveOperationException e) {
                throw new UnsupportedValueException("the accessor failed", e.getCause()).within(name);
            }
        }
    }
}
