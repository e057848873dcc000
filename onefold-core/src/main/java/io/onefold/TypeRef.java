package io.onefold;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;

/** A result type with its type arguments: {@code new TypeRef<List<Receipt>>() {}}. */
public abstract class TypeRef<T> {
    private final Type type;

    protected TypeRef() {
        if (!(getClass().getGenericSuperclass() instanceof ParameterizedType parent)) {
            throw new IllegalArgumentException("TypeRef needs a type argument: new TypeRef<List<Receipt>>() {}");
        }
        type = parent.getActualTypeArguments()[0];
    }

    final Type type() {
        return type;
    }
}
