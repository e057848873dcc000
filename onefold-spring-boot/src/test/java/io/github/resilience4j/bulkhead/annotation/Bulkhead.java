package io.github.resilience4j.bulkhead.annotation;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** In the place of Resilience4j's, which is known by its name. */
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.TYPE})
public @interface Bulkhead {
    /** Whether it has threads of its own. */
    enum Type {
        SEMAPHORE,
        THREADPOOL
    }

    /** How calls are limited. */
    Type type() default Type.SEMAPHORE;
}
