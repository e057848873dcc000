package io.onefold.spring;

import java.lang.reflect.Method;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;

/** The source of a method's calls. */
public enum InvocationSource {
    /** A handler of HTTP requests. */
    HTTP("org.springframework.web.bind.annotation.RequestMapping"),
    KAFKA("org.springframework.kafka.annotation.KafkaListener"),
    RABBIT("org.springframework.amqp.rabbit.annotation.RabbitListener"),
    SCHEDULED("org.springframework.scheduling.annotation.Scheduled"),
    /** Other beans. */
    CALL("");

    /** The annotation of handlers on the server side. Clients are described by the same annotation. */
    static final String EXCHANGE = "org.springframework.web.service.annotation.HttpExchange";

    private final String annotation;

    InvocationSource(String annotation) {
        this.annotation = annotation;
    }

    static InvocationSource of(Method method, Class<?> type) {
        MergedAnnotations onMethod = MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY);
        MergedAnnotations onType = MergedAnnotations.from(type, SearchStrategy.TYPE_HIERARCHY);
        boolean handles = onMethod.isPresent("org.springframework.amqp.rabbit.annotation.RabbitHandler");
        if (handles && onType.isPresent(RABBIT.annotation)) {
            return RABBIT;
        }
        if (onMethod.isPresent("org.springframework.kafka.annotation.KafkaHandler")
                && onType.isPresent(KAFKA.annotation)) {
            return KAFKA;
        }
        for (InvocationSource door : values()) {
            if (door != CALL && onMethod.isPresent(door.annotation)) {
                return door;
            }
        }
        boolean serves = onMethod.isPresent(EXCHANGE) && onType.isPresent("org.springframework.stereotype.Controller");
        return serves ? HTTP : CALL;
    }

    String annotation() {
        return annotation;
    }

    /** Returns true if calls bring messages, which are delivered again unless they are acknowledged. */
    public boolean listens() {
        return this == KAFKA || this == RABBIT;
    }
}
