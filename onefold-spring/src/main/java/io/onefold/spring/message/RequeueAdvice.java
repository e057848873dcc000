package io.onefold.spring.message;

import io.onefold.spring.UnsettledMessageException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.aopalliance.aop.Advice;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/**
 * Returns a message that is not settled to its queue, past the advice in a container's chain. A retry there would try a few times, and then
 * reject the message, or hand it to a recoverer. So the innermost advice sets the failure aside, which looks like success to all others,
 * and the outermost throws it.
 */
final class RequeueAdvice {
    /** The pause of listeners that could not pause inside of their caller's transaction. */
    private static final Duration LEAST_REST = Duration.ofMillis(100);

    private static final ThreadLocal<@Nullable RequeueAdvice> CURRENT = new ThreadLocal<>();

    private final long began = System.nanoTime();
    private @Nullable Throwable unsettled;

    private RequeueAdvice() {}

    /** Returns the chain between the outermost and the innermost advice. */
    static Advice[] around(Advice[] chain) {
        List<Advice> longer = new ArrayList<>();
        longer.add((MethodInterceptor) RequeueAdvice::outermost);
        for (Advice advice : chain) {
            longer.add(RepeatableInvocation.allowing(advice));
        }
        longer.add((MethodInterceptor) RequeueAdvice::innermost);
        return longer.toArray(Advice[]::new);
    }

    private static @Nullable Object outermost(MethodInvocation invocation) throws Throwable {
        RequeueAdvice outer = CURRENT.get();
        RequeueAdvice own = new RequeueAdvice();
        CURRENT.set(own);
        try {
            Object returned = invocation.proceed();
            if (own.unsettled == null) {
                return returned;
            }
        } catch (Throwable e) {
            if (own.unsettled == null) {
                throw e;
            }
        } finally {
            if (outer == null) {
                CURRENT.remove();
            } else {
                CURRENT.set(outer);
            }
        }
        own.rest();
        throw own.unsettled;
    }

    private static @Nullable Object innermost(MethodInvocation invocation) throws Throwable {
        RequeueAdvice current = CURRENT.get();
        try {
            return invocation.proceed();
        } catch (Throwable e) {
            if (current == null || !isUnsettled(e)) {
                throw e;
            }
            current.unsettled = e;
            return null;
        }
    }

    private static boolean isUnsettled(Throwable thrown) {
        for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
            if (cause instanceof UnsettledMessageException) {
                return true;
            }
        }
        return false;
    }

    private void rest() {
        try {
            TimeUnit.NANOSECONDS.sleep(LEAST_REST.toNanos() - (System.nanoTime() - began));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
