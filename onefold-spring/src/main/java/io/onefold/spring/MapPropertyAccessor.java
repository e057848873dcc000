package io.onefold.spring;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.expression.AccessException;
import org.springframework.expression.EvaluationContext;
import org.springframework.expression.PropertyAccessor;
import org.springframework.expression.TypedValue;

/** Lets expressions read {@code #message.orderId} if it is an entry of a map. */
final class MapPropertyAccessor implements PropertyAccessor {
    static final MapPropertyAccessor INSTANCE = new MapPropertyAccessor();

    private MapPropertyAccessor() {}

    @Override
    public Class<?> @Nullable [] getSpecificTargetClasses() {
        return new Class<?>[] {Map.class};
    }

    @Override
    public boolean canRead(EvaluationContext context, @Nullable Object target, String name) {
        return target instanceof Map;
    }

    @Override
    public TypedValue read(EvaluationContext context, @Nullable Object target, String name) {
        Object value = target instanceof Map<?, ?> map ? map.get(name) : null;
        return value == null ? TypedValue.NULL : new TypedValue(value);
    }

    @Override
    public boolean canWrite(EvaluationContext context, @Nullable Object target, String name) {
        return false;
    }

    @Override
    public void write(EvaluationContext context, @Nullable Object target, String name, @Nullable Object value)
            throws AccessException {
        throw new AccessException("expressions only read");
    }
}
