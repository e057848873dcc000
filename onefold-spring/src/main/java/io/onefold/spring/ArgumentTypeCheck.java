package io.onefold.spring;

import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ResolvableType;

/**
 * Checks the declared type of an argument for values that have no fingerprint: entities and lazy proxies of JPA, types that refer to each
 * other, values that can be read only once, and classes of the JDK whose state cannot be read. If a declared type leaves the class open,
 * {@link ArgumentStateTree} checks the actual value.
 */
final class ArgumentTypeCheck {
    /** Stops the check of generic types that describe themselves without end. */
    private static final int MAX_DEPTH = 32;

    private final List<Class<?>> way = new ArrayList<>();
    private final Set<ResolvableType> seen = new HashSet<>();
    private final Map<Class<?>, Set<TypeReference>> toItself = new HashMap<>();

    private ArgumentTypeCheck() {}

    /** @throws NoFingerprintException if no value of this type could be compared */
    static void check(ResolvableType type) {
        new ArgumentTypeCheck().walk(type, TypeReference.ONE);
    }

    private void walk(ResolvableType type, TypeReference reference) {
        Class<?> raw = type.resolve(Object.class);
        ResolvableType element = DeclaredType.element(type, raw);
        String trouble = trouble(raw);
        if (trouble != null) {
            throw new NoFingerprintException(trouble, null);
        }
        if (element != null) {
            inside("[]", element, TypeReference.MANY);
        }
        if (raw.isArray() || StateClass.isLibrary(raw) || raw.isEnum() || raw.isInterface()) {
            return;
        }
        if (way.contains(raw)) {
            checkCircle(raw, reference);
        } else if (seen.add(type) && way.size() < MAX_DEPTH) {
            way.add(raw);
            for (StateClass.StateField field : StateClass.of(raw).fields()) {
                Field declared = field.field();
                if (declared != null) {
                    inside(field.name(), ResolvableType.forField(declared, type), TypeReference.ONE);
                }
            }
            way.remove(way.size() - 1);
        }
    }

    private void inside(String step, ResolvableType type, TypeReference reference) {
        try {
            walk(type, reference);
        } catch (NoFingerprintException e) {
            throw e.within(step);
        }
    }

    private static @Nullable String trouble(Class<?> raw) {
        String trouble = StateClass.of(raw).trouble();
        boolean open = raw.isPrimitive() || raw.isArray() || raw.isInterface() || raw.isEnum() || raw == Object.class;
        boolean held = Collection.class.isAssignableFrom(raw) || Map.class.isAssignableFrom(raw);
        return trouble != null || open || held || !PlatformValues.isPlatform(raw) || PlatformValues.isKnown(raw)
                ? trouble
                : raw.getName() + " is a class of the JDK whose state cannot be read";
    }

    /**
     * Rejects types whose values hold themselves. A type with values of its own kind, such as a tree, is allowed. Two types that refer to
     * each other are rejected. So is a type that refers to one and to many of its own kind, such as a parent with children. A record is
     * created after its components, so it cannot hold itself.
     */
    private void checkCircle(Class<?> raw, TypeReference reference) {
        List<Class<?>> circle = way.subList(way.indexOf(raw), way.size());
        if (circle.stream().allMatch(Class::isRecord)) {
            return;
        }
        if (circle.size() > 1) {
            String all = circle.stream().map(Class::getName).collect(Collectors.joining(" and "));
            throw new NoFingerprintException(all + " refer to each other, so that values hold themselves", null);
        }
        Set<TypeReference> known = toItself.computeIfAbsent(raw, type -> EnumSet.noneOf(TypeReference.class));
        known.add(reference);
        if (known.size() > 1) {
            throw new NoFingerprintException(
                    raw.getName() + " refers to one and to many of its own, so that values hold themselves", null);
        }
    }

    private enum TypeReference {
        ONE,
        MANY
    }
}
