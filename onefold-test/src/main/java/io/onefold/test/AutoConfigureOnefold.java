package io.onefold.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;

/**
 * Brings Onefold's starter into a test of a slice: {@code @WebMvcTest} and {@code @WebFluxTest} leave it out, like everything that is
 * not the web's, and {@code @Idempotent} would do nothing there. Where the slice has no database, records are kept in memory.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@ImportAutoConfiguration
public @interface AutoConfigureOnefold {}
