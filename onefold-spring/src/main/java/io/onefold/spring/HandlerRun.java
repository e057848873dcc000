package io.onefold.spring;

import io.onefold.NotExecutedException;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;

/**
 * The one run of a handler for a request. Advice around the handler may call it again, as {@code @Retry} does, and a second run could
 * repeat the effect of the first. A second run is allowed only if the first never reached its method, or has thrown an exception that says
 * that nothing was carried out. Otherwise the second call gets the result of the first.
 */
final class HandlerRun {
    /** The key of the whole call's run in a Reactor context. */
    static final String CONTEXT = "io.onefold.handler-run";

    private static final String ATTRIBUTE = HandlerRun.class.getName();

    private final IdempotentMethod method;
    private boolean begun;
    private boolean returned;
    private @Nullable Object value;
    private @Nullable Throwable thrown;

    HandlerRun(IdempotentMethod method) {
        this.method = method;
    }

    /** Makes this run known to all passes of the call, including copies made by advice. */
    void follow(MethodInvocation whole) {
        if (whole instanceof ProxyMethodInvocation proxied) {
            proxied.setUserAttribute(ATTRIBUTE, this);
        }
    }

    /** Returns the run of the whole call, or a new run if no outermost advice has seen the call. */
    static HandlerRun of(IdempotentMethod method, MethodInvocation invocation) {
        return invocation instanceof ProxyMethodInvocation proxied
                        && proxied.getUserAttribute(ATTRIBUTE) instanceof HandlerRun run
                ? run
                : new HandlerRun(method);
    }

    /** Begins the run. Returns true if the method may be entered. */
    synchronized boolean begins() {
        if (!mayRepeat()) {
            return false;
        }
        begun = true;
        returned = false;
        value = null;
        thrown = null;
        return true;
    }

    /** Returns true if the method has not been entered, or has thrown an exception that says that nothing was carried out. */
    synchronized boolean mayRepeat() {
        return !begun || (thrown != null && saysNothingHappened(thrown));
    }

    /** Notes that the call did not reach its method. */
    synchronized void refused() {
        begun = false;
    }

    synchronized void threw(Throwable why) {
        thrown = why;
    }

    /** @param result the result of the method; null as well if it went to a subscriber */
    synchronized void returned(@Nullable Object result) {
        returned = true;
        value = result;
    }

    /**
     * Returns the result of the earlier run.
     *
     * @throws Throwable the exception of that run
     */
    synchronized @Nullable Object earlier() throws Throwable {
        if (returned && (thrown == null || value instanceof CompletionStage<?>)) {
            return value;
        }
        throw why();
    }

    /** The reason why a repeated run has no result. */
    synchronized Throwable why() {
        return Objects.requireNonNullElseGet(
                thrown,
                () -> new IllegalStateException(method
                        + " was called for this request before, and is not called again: advice around it has repeated the"
                        + " call, although the first may have had its effect"));
    }

    /**
     * Returns true if the failure says that nothing happened. It follows the rule that frees the record: the closest configured class of
     * the failure decides.
     */
    private boolean saysNothingHappened(Throwable failure) {
        if (failure instanceof NotExecutedException) {
            return true;
        }
        for (Class<?> type = failure.getClass(); type != null; type = type.getSuperclass()) {
            if (method.declared().failOn().contains(type)) {
                return false;
            }
            if (method.declared().retryOn().contains(type)) {
                return true;
            }
        }
        return false;
    }
}
