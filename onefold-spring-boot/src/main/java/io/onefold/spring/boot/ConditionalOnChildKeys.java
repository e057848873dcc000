package io.onefold.spring.boot;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.context.annotation.Conditional;

/** Where {@code onefold.clients.child-keys} is not {@code none}. */
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
@Conditional(OnChildKeysCondition.class)
public @interface ConditionalOnChildKeys {
    /** Only where it is {@code all}: for clients whose requests cannot be named. */
    boolean unnamed() default false;
}
