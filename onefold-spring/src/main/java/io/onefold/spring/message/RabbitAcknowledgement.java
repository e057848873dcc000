package io.onefold.spring.message;

import org.jspecify.annotations.Nullable;
import org.springframework.amqp.core.AcknowledgeMode;
import org.springframework.beans.DirectFieldAccessor;
import org.springframework.beans.factory.config.BeanExpressionContext;
import org.springframework.beans.factory.config.BeanExpressionResolver;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;

/** Who acknowledges the messages of a {@code @RabbitListener}. */
final class RabbitAcknowledgement {
    private static final String USUAL_FACTORY = "rabbitListenerContainerFactory";
    private static final String FIELD = "acknowledgeMode";

    private RabbitAcknowledgement() {}

    /** Why messages would be lost; null if they are not. */
    static @Nullable String trouble(ConfigurableBeanFactory beans, String containerFactory, String ackMode) {
        String mode = ackMode.isEmpty() ? null : String.valueOf(resolved(beans, ackMode));
        if (mode == null) {
            mode = ofFactory(beans, containerFactory.isEmpty() ? USUAL_FACTORY : resolved(beans, containerFactory));
        }
        return AcknowledgeMode.NONE.name().equals(mode)
                ? "gets messages that RabbitMQ forgets when it sends them, so that those which must come again never would:"
                        + " let the container acknowledge them, with the mode AUTO"
                : null;
    }

    private static @Nullable Object resolved(ConfigurableBeanFactory beans, String text) {
        String value = beans.resolveEmbeddedValue(text);
        BeanExpressionResolver expressions = beans.getBeanExpressionResolver();
        return expressions == null ? value : expressions.evaluate(value, new BeanExpressionContext(beans, null));
    }

    /** The factory does not tell: it has a setter only. */
    private static @Nullable String ofFactory(ConfigurableBeanFactory beans, @Nullable Object named) {
        Object factory = named instanceof String name ? beans.containsBean(name) ? beans.getBean(name) : null : named;
        DirectFieldAccessor fields = factory == null ? null : new DirectFieldAccessor(factory);
        return fields != null && fields.isReadableProperty(FIELD)
                ? String.valueOf(fields.getPropertyValue(FIELD))
                : null;
    }
}
