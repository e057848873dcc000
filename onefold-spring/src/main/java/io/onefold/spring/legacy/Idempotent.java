package io.onefold.spring.legacy;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Protects a method against repeated submission, by a token that the client makes: in the header {@code Idempotent-Token}, in a
 * parameter, or by an expression on the arguments. A duplicate is refused with the {@link #message}, or gets the first answer if
 * {@code idempotent.return-cached-result} is true. After a failure the same token may be used again.
 *
 * <p>The same engine as {@link io.onefold.spring.Idempotent}, which new code should use.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface Idempotent {
    /** The lifetime of a token in seconds; 0 takes {@code idempotent.expire-time}, which is 300 unless configured. */
    int expireTime() default 0;

    /** The message for a duplicate. */
    String message() default "请勿重复提交";

    /** True if the token may be in a request parameter. */
    boolean allowParam() default false;

    /** The name of that parameter. */
    String paramName() default "idempotentToken";

    /** The token, as an expression on the arguments. */
    String tokenExpression() default "";
}
