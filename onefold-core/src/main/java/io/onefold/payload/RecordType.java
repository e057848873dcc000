package io.onefold.payload;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
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
    private final List<Component> components = new ArrayList<>();
    private final Component[] sorted;
    private final MethodHandle constructor;

    private RecordType(Class<?> type) {
        this.type = type;
        try {
            List<Class<?>> parameters = new ArrayList<>();
            for (RecordComponent component : type.getRecordComponents()) {
                components.add(Component.of(component));
                parameters.add(component.getType());
            }
            Constructor<?> found = type.getDeclaredConstructor(parameters.toArray(Class<?>[]::new));
            found.setAccessible(true);
            constructor = MethodHandles.lookup()
                    .unreflectConstructor(found)
                    .asSpreader(Object[].class, parameters.size())
                    .asType(MethodType.methodType(Object.class, Object[].class));
        } catch (ReflectiveOperationException | RuntimeException e) {
            throw new MisfitException(
                    "record " + type.getName() + " is not accessible: open its package to io.onefold.core", e);
        }
        sorted = components.stream()
                .sorted(Comparator.comparing(Component::name))
                .toArray(Component[]::new);
    }

    static RecordType of(Class<?> type) {
        return CACHE.get(type);
    }

    List<Component> components() {
        return components;
    }

    /** By name: the order in which a canonical form lists them. Not copied: the caller only reads it. */
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
            Method accessor = component.getAccessor();
            accessor.setAccessible(true);
            MethodHandle getter = MethodHandles.lookup()
                    .unreflect(accessor)
                    .asType(MethodType.methodType(Object.class, Object.class));
            return new Component(component.getName(), component.getGenericType(), getter);
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
