package io.onefold.spring;

import io.onefold.NotExecutedException;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;

/**
 * The one run that a handler has for a request. Advice around the handler may call it again, as {@code @Retry} does: a second run could
 * repeat the effect of the first. It is allowed only if the first never came to its method, or has thrown what says that nothing was
 * carried out. Otherwise the second call comes to what the first came to.
 */
final class HandlerRun {
    /** Where a Reactor context has that of the whole call. */
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

    /** Passes of the call, which advice may copy, find it from now on. */
    void follow(MethodInvocation whole) {
        if (whole instanceof ProxyMethodInvocation proxied) {
            proxied.setUserAttribute(ATTRIBUTE, this);
        }
    }

    /** That of the whole call; one of its own if nobody has seen the call before all advice. */
    static HandlerRun of(IdempotentMethod method, MethodInvocation invocation) {
        return invocation instanceof ProxyMethodInvocation proxied
                        && proxied.getUserAttribute(ATTRIBUTE) instanceof HandlerRun run
                ? run
                : new HandlerRun(method);
    }

    /** Whether the method may be entered. */
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

    /** Whether the method has not been entered, or has thrown what says that nothing was carried out. */
    synchronized boolean mayRepeat() {
        return !begun || (thrown != null && saysNothingHappened(thrown));
    }

    /** The call did not come to its method. */
    synchronized void refused() {
        begun = false;
    }

    synchronized void threw(Throwable why) {
        thrown = why;
    }

    /** @param result what the method returned; null as well if it was told to a subscriber */
    synchronized void returned(@Nullable Object result) {
        returned = true;
        value = result;
    }

    /**
     * What the run came to.
     *
     * @throws Throwable what it threw
     */
    synchronized @Nullable Object earlier() throws Throwable {
        if (returned && (thrown == null || value instanceof CompletionStage<?>)) {
            return value;
        }
        throw why();
    }

    /** Why a run that is repeated does not come to a value. */
    synchronized Throwable why() {
        return Objects.requireNonNullElseGet(
                thrown,
                () -> new IllegalStateException(method
                        + " was called for this request before, and is not called again: advice around it has repeated the"
                        + " call, although the first may have had its effect"));
    }

    /** As the record is freed: by the class of the failure that is closest to it. */
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
