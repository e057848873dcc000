package io.onefold.spring.boot;

import io.onefold.Onefold;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;

/** Where there is an engine, and {@code onefold.enabled} is not false: the application may have one of its own, and be switched off. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@ConditionalOnProperty(name = "onefold.enabled", matchIfMissing = true)
@ConditionalOnBean(Onefold.class)
public @interface ConditionalOnOnefold {}
