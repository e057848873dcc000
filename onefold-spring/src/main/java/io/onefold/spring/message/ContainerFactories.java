package io.onefold.spring.message;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.DirectFieldAccessor;
import org.springframework.beans.factory.config.BeanExpressionContext;
import org.springframework.beans.factory.config.BeanExpressionResolver;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;

/** Reads the settings of container factories from their fields, since the factories have only setters. */
record ContainerFactories(ConfigurableBeanFactory beans) {
    /**
     * Returns null if the factory has no such setting, or if there is no such factory.
     *
     * @param named as the listener's annotation says it; may be empty
     */
    @Nullable
    Object given(String named, String usual, String field) {
        Object factory = factory(named, usual);
        DirectFieldAccessor fields = factory == null ? null : new DirectFieldAccessor(factory);
        return fields != null && fields.isReadableProperty(field) ? fields.getPropertyValue(field) : null;
    }

    /** Returns null if there is no such factory. */
    @Nullable
    Object factory(String named, String usual) {
        Object found = named.isEmpty() ? usual : resolved(named);
        return found instanceof String name ? beans.containsBean(name) ? beans.getBean(name) : null : found;
    }

    /** The reason why the containers of a factory are unknown; null if the factory is of the known type, or if there is none. */
    @Nullable
    String strange(String named, String usual, Class<?> known) {
        Object factory = factory(named, usual);
        return factory == null || known.isInstance(factory)
                ? null
                : "has a container of " + factory.getClass().getName()
                        + ", which may drop messages that must come again: let its factory" + " be one that extends "
                        + known.getSimpleName();
    }

    @Nullable
    Object resolved(String text) {
        String value = beans.resolveEmbeddedValue(text);
        BeanExpressionResolver expressions = beans.getBeanExpressionResolver();
        return expressions == null ? value : expressions.evaluate(value, new BeanExpressionContext(beans, null));
    }
}
