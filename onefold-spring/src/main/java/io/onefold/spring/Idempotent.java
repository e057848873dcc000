package io.onefold.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Makes a method idempotent: calls with the same key have one effect and one response.
 *
 * <pre>{@code
 * @PostMapping("/orders")
 * @Idempotent(operation = "create-order", keep = "24h")
 * Order create(@RequestBody OrderRequest request) { ... }
 * }</pre>
 *
 * At most one of {@link #key}, {@link #header}, {@link #parameter} and {@link #content} says where the key comes from. Without any, a
 * handler of HTTP requests and a listener take the configured header, and a scheduled job takes its planned time. Other methods must give
 * one. An empty attribute takes the configuration of the operation, else the configuration of all operations, else the default.
 *
 * <p>Expressions are SpEL over the arguments ({@code #request.orderId}, {@code #p0}), and can only read. Durations are written {@code 24h},
 * {@code 90s}, {@code PT10M}. Both may hold placeholders ({@code ${...}}).
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
public @interface Idempotent {
    /**
     * The name of the operation in its records. If empty, a handler's name is its HTTP method and path, and the name of other methods is
     * their class and method. Renaming such a method makes it another operation, and its earlier records no longer count.
     */
    String operation() default "";

    /** The key, as an expression. A failing expression is an error, not a missing key. */
    String key() default "";

    /** The header of the HTTP request or of the message that has the key. */
    String header() default "";

    /** The parameter of the HTTP request that has the key, in its query or form. */
    String parameter() default "";

    /** An expression whose value is the key itself: equal values within the {@link #window} are one request. */
    String content() default "";

    /** The time for which equal content counts as the same request; needed with {@link #content}. */
    String window() default "";

    /** True if the key is a token that was issued to this user for this operation. */
    boolean token() default false;

    /** Rejects a request without a key. If false, such a request runs unprotected. */
    boolean required() default true;

    /**
     * An expression for the owner of the keys. Without it, the keys of a handler belong to the user who sent the request, and the keys of
     * messages to the consumer group and the channel. All other keys are shared by all callers, so a key must be unique by itself.
     */
    String scope() default "";

    /**
     * An expression for the content that must be equal under an equal key. Without it, all arguments that carry a part of the request
     * count.
     */
    String matching() default "";

    /** An expression for a business id, by which the record can be found. */
    String bizId() default "";

    TransactionMode mode() default TransactionMode.AUTO;

    DuplicatePolicy duplicates() default DuplicatePolicy.AS_CONFIGURED;

    /**
     * The message for a duplicate that is rejected, or that comes while the first call is in progress and does not get its response in
     * time.
     */
    String message() default "";

    /** The time for which a finished record responds to duplicates. */
    String keep() default "";

    /**
     * The time for which a duplicate waits for the call in progress. {@code 0s} means that it does not wait. Default: 2 seconds; {@code 0s}
     * for jobs.
     */
    String waitFor() default "";

    /** The time for which a silent owner counts as alive. */
    String lease() default "";

    /** The longest time for which the lease is renewed. */
    String maxRun() default "";

    /** The number of times that a request may be tried; 0 takes the configured number. */
    int maxAttempts() default 0;

    /** True if running twice does no harm: a lost attempt is then repeated instead of becoming unknown. */
    boolean safeToRepeat() default false;

    /**
     * Lets a transactional method run more than once within one call, if the database rolls its transaction back in favour of another. The
     * rollback leaves nothing of it in the database. This is for methods that do nothing outside of the database. Such a method must not
     * take or leave behind objects of a session, since the rollback clears the session. Without this attribute, callers get a {@link
     * RetryableTransactionException}.
     */
    boolean repeatOnConflict() default false;

    /**
     * Passes a failure on to waiting duplicates, instead of letting them run as soon as the key is free. Duplicates that came together then
     * fail together. A later duplicate runs. It is rejected together with {@link #overwrite}, and for operations whose duplicates do not
     * wait.
     */
    boolean waitersShareFailure() default false;

    /** Lets a changed payload under the same key run and overwrite the result. */
    boolean overwrite() default false;

    /** Failures that had no effect: the same request may be tried again. */
    Class<? extends Throwable>[] retryOn() default {};

    /** Failures that are a final response, which every duplicate gets. */
    Class<? extends Throwable>[] failOn() default {};
}
