package io.onefold.spring.message;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.DirectFieldAccessor;
import org.springframework.beans.factory.config.BeanExpressionContext;
import org.springframework.beans.factory.config.BeanExpressionResolver;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;

/** What the factories of containers were given. They do not tell: they have setters only. */
record Factories(ConfigurableBeanFactory beans) {
    /**
     * Null if it was given nothing, or if there is no such factory.
     *
     * @param named as the listener's annotation says it; may be empty
     */
    @Nullable
    Object given(String named, String usual, String field) {
        Object found = named.isEmpty() ? usual : resolved(named);
        Object factory = found instanceof String name ? beans.containsBean(name) ? beans.getBean(name) : null : found;
        DirectFieldAccessor fields = factory == null ? null : new DirectFieldAccessor(factory);
        return fields != null && fields.isReadableProperty(field) ? fields.getPropertyValue(field) : null;
    }

    @Nullable
    Object resolved(String text) {
        String value = beans.resolveEmbeddedValue(text);
        BeanExpressionResolver expressions = beans.getBeanExpressionResolver();
        return expressions == null ? value : expressions.evaluate(value, new BeanExpressionContext(beans, null));
    }
}
