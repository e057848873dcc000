package io.onefold.payload;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
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

    private final Class<?> type;
    private final Component[] components;
    private final Component[] sorted;
    private final MethodHandle constructor;

    private RecordType(Class<?> type) {
        this.type = type;
        RecordComponent[] declared = type.getRecordComponents();
        try {
            Constructor<?> found = type.getDeclaredConstructor(
                    Stream.of(declared).map(RecordComponent::getType).toArray(Class<?>[]::new));
            found.setAccessible(true);
            constructor = MethodHandles.lookup()
                    .unreflectConstructor(found)
                    .asSpreader(Object[].class, declared.length)
                    .asType(MethodType.methodType(Object.class, Object[].class));
            components = new Component[declared.length];
            for (int i = 0; i < declared.length; i++) {
                components[i] = Component.of(declared[i]);
            }
        } catch (ReflectiveOperationException | RuntimeException e) {
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

    /** By name: the order in which a canonical form lists them. */
    Component[] sorted() {
        return sorted;
    }

    Object create(@Nullable Object[] arguments) {
        try {
            return (Object) constructor.invokeExact(arguments);
        } catch (Error e) {
            throw e;
        } catch (Throwable e) {
            throw new MisfitException("the constructor of " + type.getName() + " refused what was stored", e);
        }
    }

    record Component(String name, Type type, MethodHandle getter) {

        static Component of(RecordComponent component) throws IllegalAccessException {
            component.getAccessor().setAccessible(true);
            MethodHandle getter = MethodHandles.lookup().unreflect(component.getAccessor());
            MethodType erased = MethodType.methodType(Object.class, Object.class);
            return new Component(component.getName(), component.getGenericType(), getter.asType(erased));
        }

        @Nullable
        Object get(Object record) {
            try {
                return (Object) getter.invokeExact(record);
            } catch (RuntimeException | Error e) {
                throw e;
            } catch (Throwable e) {
                throw new MisfitException("the accessor failed", e).within(name);
            }
        }
    }
}
