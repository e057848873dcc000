package io.onefold.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Names the operation whose lost attempts an {@link io.onefold.upkeep.OutcomeProbe} resolves. It belongs on the probe's class, or on the
 * method that makes the bean.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
public @interface ForOperation {
    /** The operation's name. */
    String value();
}
