package io.onefold;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.Objects;

/** A result type with its type arguments: {@code new TypeRef<List<Receipt>>() {}}. */
public abstract class TypeRef<T> {
    private final Type type;

    protected TypeRef() {
        if (!(getClass().getGenericSuperclass() instanceof ParameterizedType parent)) {
            throw new IllegalArgumentException("TypeRef needs a type argument: new TypeRef<List<Receipt>>() {}");
        }
        type = parent.getActualTypeArguments()[0];
    }

    private TypeRef(Type type) {
        this.type = type;
    }

    /** A type that is known by reflection only. */
    public static TypeRef<?> of(Type type) {
        return new TypeRef<Object>(Objects.requireNonNull(type, "type")) {};
    }

    final Type type() {
        return type;
    }
}
