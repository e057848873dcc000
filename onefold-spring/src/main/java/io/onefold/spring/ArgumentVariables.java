package io.onefold.spring;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.expression.BeanResolver;
import org.springframework.expression.ConstructorResolver;
import org.springframework.expression.EvaluationContext;
import org.springframework.expression.IndexAccessor;
import org.springframework.expression.MethodResolver;
import org.springframework.expression.OperatorOverloader;
import org.springframework.expression.PropertyAccessor;
import org.springframework.expression.TypeComparator;
import org.springframework.expression.TypeConverter;
import org.springframework.expression.TypeLocator;
import org.springframework.expression.TypedValue;
import org.springframework.expression.spel.support.DataBindingPropertyAccessor;
import org.springframework.expression.spel.support.SimpleEvaluationContext;

/**
 * The arguments of a call as the variables of an expression. The expression can only read: there are no types, constructors, beans or
 * assignments. Each call has its own instance, so everything that calls have in common, including what is known of classes, is shared.
 */
final class ArgumentVariables implements EvaluationContext {
    private static final EvaluationContext READING = SimpleEvaluationContext.forPropertyAccessors(
                    DataBindingPropertyAccessor.forReadOnlyAccess(),
                    JavaRecordAccessor.INSTANCE,
                    MapPropertyAccessor.INSTANCE)
            .withMethodResolvers(ReadOnlyMethods.INSTANCE)
            .withAssignmentDisabled()
            .build();

    private final Map<String, Integer> places;
    private final @Nullable Object[] arguments;

    /** @param places the index of each variable's argument */
    ArgumentVariables(Map<String, Integer> places, @Nullable Object[] arguments) {
        this.places = places;
        this.arguments = arguments;
    }

    @Override
    public @Nullable Object lookupVariable(String name) {
        Integer at = places.get(name);
        return at == null ? null : arguments[at];
    }

    @Override
    public void setVariable(String name, @Nullable Object value) {
        throw new UnsupportedOperationException("expressions only read");
    }

    @Override
    public boolean isAssignmentEnabled() {
        return false;
    }

    @Override
    public TypedValue getRootObject() {
        return READING.getRootObject();
    }

    @Override
    public List<PropertyAccessor> getPropertyAccessors() {
        return READING.getPropertyAccessors();
    }

    @Override
    public List<IndexAccessor> getIndexAccessors() {
        return READING.getIndexAccessors();
    }

    @Override
    public List<ConstructorResolver> getConstructorResolvers() {
        return READING.getConstructorResolvers();
    }

    @Override
    public List<MethodResolver> getMethodResolvers() {
        return READING.getMethodResolvers();
    }

    @Override
    public @Nullable BeanResolver getBeanResolver() {
        return READING.getBeanResolver();
    }

    @Override
    public TypeLocator getTypeLocator() {
        return READING.getTypeLocator();
    }

    @Override
    public TypeConverter getTypeConverter() {
        return READING.getTypeConverter();
    }

    @Override
    public TypeComparator getTypeComparator() {
        return READING.getTypeComparator();
    }

    @Override
    public OperatorOverloader getOperatorOverloader() {
        return READING.getOperatorOverloader();
    }
}
