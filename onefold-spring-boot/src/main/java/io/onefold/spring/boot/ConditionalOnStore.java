package io.onefold.spring.boot;

import io.onefold.spring.boot.OnefoldProperties.StoreKind;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.context.annotation.Conditional;

/** Holds if {@code onefold.store} is one of these. */
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
@Conditional(OnStoreCondition.class)
@interface ConditionalOnStore {
    StoreKind[] value();
}
