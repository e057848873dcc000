package io.onefold.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.context.annotation.Import;

/**
 * Makes {@link Idempotent} work. It needs a bean of type {@link io.onefold.Onefold}, and takes beans of type {@link Policies},
 * {@link Requests}, {@link Messages}, {@link Printer}, {@link JoinedTransactions}, {@link LegacySettings}, {@link KeyHeader},
 * {@link java.time.Clock} (for the planned times of jobs) and {@code ObservationRegistry} where there are some. With Spring Boot's starter it is not needed.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@Import({IdempotentConfiguration.class, IdempotentConfiguration.Proxies.class})
public @interface EnableIdempotent {
    /**
     * Whether beans are to be called by their classes, even if they have interfaces; that holds for all beans that are wrapped. Handlers
     * that implement interfaces need it: else Spring does not see that they are handlers.
     */
    boolean proxyTargetClass() default false;
}
