package io.onefold.spring;

import java.lang.reflect.RecordComponent;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.core.convert.TypeDescriptor;
import org.springframework.expression.AccessException;
import org.springframework.expression.EvaluationContext;
import org.springframework.expression.MethodExecutor;
import org.springframework.expression.MethodResolver;
import org.springframework.expression.spel.support.DataBindingMethodResolver;
import org.springframework.expression.spel.support.ReflectiveMethodExecutor;

/**
 * The methods that expressions may call: getters, accessors of records, all methods of immutable values, and the queries of collections,
 * maps and optional values. Any other method might change the arguments of the call.
 */
final class ReadOnlyMethods implements MethodResolver {
    static final ReadOnlyMethods INSTANCE = new ReadOnlyMethods();

    private static final Set<Class<?>> VALUES = Set.of(
            String.class,
            Boolean.class,
            Character.class,
            Byte.class,
            Short.class,
            Integer.class,
            Long.class,
            Float.class,
            Double.class,
            BigDecimal.class,
            BigInteger.class,
            UUID.class);
    private static final Set<String> OF_ALL = Set.of("toString", "hashCode");
    private static final Set<String> OF_ENUMS = Set.of("name", "ordinal");
    private static final Set<String> OF_OPTIONALS = Set.of("get", "orElse", "orElseThrow", "isPresent", "isEmpty");
    private static final Set<String> OF_COLLECTIONS = Set.of("size", "isEmpty", "contains");
    private static final Set<String> OF_LISTS = Set.of("get", "indexOf");
    private static final Set<String> OF_MAPS = Set.of("size", "isEmpty", "get", "getOrDefault", "containsKey");

    private final MethodResolver all = DataBindingMethodResolver.forInstanceMethodInvocation();

    private ReadOnlyMethods() {}

    @Override
    public @Nullable MethodExecutor resolve(
            EvaluationContext context, Object target, String name, List<TypeDescriptor> arguments)
            throws AccessException {
        if (!reads(target, name, arguments.isEmpty())) {
            return null;
        }
        MethodExecutor found = all.resolve(context, target, name, arguments);
        // a method without a result is not called to read something
        return found instanceof ReflectiveMethodExecutor executor
                        && executor.getMethod().getReturnType() != void.class
                ? found
                : null;
    }

    private static boolean reads(Object target, String name, boolean bare) {
        Class<?> type = target.getClass();
        return VALUES.contains(type)
                || type.getName().startsWith("java.time.")
                || (bare && (OF_ALL.contains(name) || isGetter(name) || isComponent(type, name)))
                || (target instanceof Enum && OF_ENUMS.contains(name))
                || (target instanceof Optional && OF_OPTIONALS.contains(name))
                || (target instanceof Collection && OF_COLLECTIONS.contains(name))
                || (target instanceof List && OF_LISTS.contains(name))
                || (target instanceof Map && OF_MAPS.contains(name));
    }

    private static boolean isGetter(String name) {
        int at = name.startsWith("get") ? 3 : name.startsWith("is") ? 2 : name.length();
        return at < name.length()
                && Character.isUpperCase(name.charAt(at))
                && !name.equals("getClass")
                && !name.startsWith("getAnd"); // getAndIncrement of a counter, for example
    }

    private static boolean isComponent(Class<?> type, String name) {
        RecordComponent[] components = type.getRecordComponents();
        for (RecordComponent component : components == null ? new RecordComponent[0] : components) {
            if (component.getName().equals(name)) {
                return true;
            }
        }
        return false;
    }
}
