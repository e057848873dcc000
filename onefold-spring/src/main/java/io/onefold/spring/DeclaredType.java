package io.onefold.spring;

import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ResolvableType;

/**
 * The declared type of a value.
 *
 * @param element the declared type of the elements of a collection, a map, an array or an Optional; null if it is not declared
 */
record DeclaredType(Class<?> raw, @Nullable DeclaredType element) {
    static final DeclaredType UNKNOWN = new DeclaredType(Object.class, null);

    /** Stops at generic types that describe themselves without end. */
    private static final int MAX_NESTING = 8;

    static DeclaredType of(ResolvableType type) {
        return of(type, MAX_NESTING);
    }

    private static DeclaredType of(ResolvableType type, int nesting) {
        Class<?> raw = type.resolve(Object.class);
        ResolvableType element = nesting == 0 ? null : element(type, raw);
        return new DeclaredType(raw, element == null ? null : of(element, nesting - 1));
    }

    /** Returns the type of the elements, or null if the type has none. */
    static @Nullable ResolvableType element(ResolvableType type, Class<?> raw) {
        if (raw.isArray()) {
            return type.getComponentType();
        }
        if (Collection.class.isAssignableFrom(raw)) {
            return type.asCollection().getGeneric(0);
        }
        if (Map.class.isAssignableFrom(raw)) {
            return type.asMap().getGeneric(1);
        }
        return raw == Optional.class ? type.getGeneric(0) : null;
    }

    DeclaredType elements() {
        return element == null ? UNKNOWN : element;
    }
}
