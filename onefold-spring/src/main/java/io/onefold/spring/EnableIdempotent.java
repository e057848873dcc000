package io.onefold.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.context.annotation.Import;

/**
 * Makes {@link Idempotent} work. It needs a bean of type {@link io.onefold.Onefold}. It uses beans of type {@link OperationSettingsRegistry}, {@link
 * RequestResolver}, {@link MessageResolver}, {@link ArgumentFingerprinter}, {@link SpringTransactionSupport}, {@link LegacySettings}, {@link KeyHeader}, {@link
 * java.time.Clock} (for the planned times of jobs) and {@code ObservationRegistry} if they exist. Spring Boot's starter makes it
 * unnecessary.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@Import({IdempotentConfiguration.class, IdempotentConfiguration.ProxyCreatorCheck.class})
public @interface EnableIdempotent {
    /**
     * Proxies beans by their classes, even if they have interfaces. This applies to all wrapped beans. Handlers that implement interfaces
     * need it: otherwise Spring does not recognise them as handlers.
     */
    boolean proxyTargetClass() default false;
}
