package io.onefold.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Makes a method safe to repeat: calls with the same key have one effect and one answer.
 *
 * <pre>{@code
 * @PostMapping("/orders")
 * @Idempotent(operation = "create-order", keep = "24h")
 * Order create(@RequestBody OrderRequest request) { ... }
 * }</pre>
 *
 * At most one of {@link #key}, {@link #header}, {@link #parameter} and {@link #content} says where the key comes from. Without any, a
 * handler of HTTP requests and a listener take the configured header, and a scheduled job its planned time; other methods must say.
 * What is left empty here is as configured for the operation, else for all operations, else the default.
 *
 * <p>Expressions are SpEL over the arguments ({@code #request.orderId}, {@code #p0}), and only read. Durations are written
 * {@code 24h}, {@code 90s}, {@code PT10M}; both may hold placeholders ({@code ${...}}).
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
public @interface Idempotent {
    /**
     * The name that records are kept under. Left empty, a handler's is its method and path, that of others their class and method:
     * then renaming the method makes it another operation, whose earlier records no longer answer.
     */
    String operation() default "";

    /** The key, as an expression. One that fails is an error, not a missing key. */
    String key() default "";

    /** The header that has the key: of the HTTP request, or of the message. */
    String header() default "";

    /** The parameter of the HTTP request that has the key, in its query or form. */
    String parameter() default "";

    /** An expression whose value is the key itself: equal values within the {@link #window} are one request. */
    String content() default "";

    /** How long equal content counts as the same request; needed with {@link #content}. */
    String window() default "";

    /** The key is a token that was issued to this user for this operation. */
    boolean token() default false;

    /** Whether a request without a key is refused; otherwise it runs unprotected. */
    boolean required() default true;

    /**
     * An expression for whose keys these are. Without it, keys of handlers are those of the user who sent the request, keys of messages those of
     * the consumer group and the channel; all others are everybody's, so that a key must be unique by itself.
     */
    String scope() default "";

    /** An expression for what must be equal under an equal key; without it, all arguments that carry something. */
    String matching() default "";

    /** An expression for a business id that the record can be found by. */
    String bizId() default "";

    Mode mode() default Mode.AUTO;

    Duplicates duplicates() default Duplicates.AS_CONFIGURED;

    /** What a duplicate is told that is refused, or that comes while the first is under way and does not get its answer in time. */
    String message() default "";

    /** How long a finished record answers duplicates. */
    String keep() default "";

    /**
     * How long a duplicate waits for the call in progress. {@code 0s} means not at all. Default: 2 seconds; {@code 0s} for jobs.
     */
    String waitFor() default "";

    /** How long a silent owner is presumed alive. */
    String lease() default "";

    /** How long the lease is renewed at most. */
    String maxRun() default "";

    /** How often a request may be tried; 0 for as configured. */
    int maxAttempts() default 0;

    /** Running it twice does no harm: a lost attempt is repeated instead of becoming unknown. */
    boolean safeToRepeat() default false;

    /**
     * It may run more than once within one call, if it is joined: when the database gives its transaction up for another, which left
     * nothing of it there. For methods that do nothing outside of the database, and that neither are given nor leave behind anything of
     * a session, which the rollback clears. Without it, their callers get a {@link RetryableTransactionException}.
     */
    boolean repeatOnConflict() default false;

    /**
     * A duplicate that waits for a call which fails hears of the failure, instead of running as soon as the key is free. So duplicates that
     * came together fail together. One that comes later runs. Refused together with {@link #overwrite}, and where no duplicate waits.
     */
    boolean waitersShareFailure() default false;

    /** A changed payload under the same key runs and overwrites the result. */
    boolean overwrite() default false;

    /** Failures that had no effect: the same request may be tried again. */
    Class<? extends Throwable>[] retryOn() default {};

    /** Failures that are the answer, told to every duplicate. */
    Class<? extends Throwable>[] failOn() default {};
}
