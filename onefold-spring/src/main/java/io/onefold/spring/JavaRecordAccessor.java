package io.onefold.spring;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.expression.AccessException;
import org.springframework.expression.EvaluationContext;
import org.springframework.expression.PropertyAccessor;
import org.springframework.expression.TypedValue;

/** Lets expressions read {@code #request.orderId} if it is a component of a record. */
final class JavaRecordAccessor implements PropertyAccessor {
    static final JavaRecordAccessor INSTANCE = new JavaRecordAccessor();

    private final ClassValue<Map<String, Method>> components = new ClassValue<>() {
        @Override
        protected Map<String, Method> computeValue(Class<?> type) {
            Map<String, Method> all = new ConcurrentHashMap<>();
            RecordComponent[] declared = type.getRecordComponents();
            for (RecordComponent component : declared == null ? new RecordComponent[0] : declared) {
                component.getAccessor().setAccessible(true);
                all.put(component.getName(), component.getAccessor());
            }
            return all;
        }
    };

    private JavaRecordAccessor() {}

    @Override
    public Class<?> @Nullable [] getSpecificTargetClasses() {
        return null;
    }

    @Override
    public boolean canRead(EvaluationContext context, @Nullable Object target, String name) {
        return target instanceof Record && components.get(target.getClass()).containsKey(name);
    }

    @Override
    public TypedValue read(EvaluationContext context, @Nullable Object target, String name) throws AccessException {
        if (target == null) {
            throw new AccessException("nothing has no " + name);
        }
        Method accessor = components.get(target.getClass()).get(name);
        if (accessor == null) {
            throw new AccessException("there is no " + name);
        }
        try {
            return new TypedValue(accessor.invoke(target));
        } catch (InvocationTargetException | IllegalAccessException e) {
            throw new AccessException(name + " cannot be read", e);
        }
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
