package io.onefold.spring;

import io.onefold.Key;
import io.onefold.ShadowObserver;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/** Calls in shadow mode. Each call runs, and its end is reported to {@link ShadowObserver} as its operation would see it. */
final class ShadowCalls {
    private ShadowCalls() {}

    static @Nullable Object call(
            IdempotentMethod method,
            IdempotentContext wiring,
            Key key,
            InvocationResult told,
            MethodInvocation invocation)
            throws Throwable {
        CompletableFuture<@Nullable Object> end = begin(method, wiring, key, told);
        Object returned;
        try {
            returned = invocation.proceed();
        } catch (Throwable e) {
            end.completeExceptionally(e);
            throw e;
        }
        if (returned instanceof CompletionStage<?> later) {
            var unused = later.whenComplete((value, thrown) -> {
                if (thrown == null) {
                    end.complete(value);
                } else {
                    end.completeExceptionally(InvocationResult.unwrapped(thrown));
                }
            });
        } else {
            end.complete(returned);
        }
        return returned;
    }

    /** Begins the observation of a call. The caller completes the future when the call ends. */
    static CompletableFuture<@Nullable Object> begin(
            IdempotentMethod method, IdempotentContext wiring, Key key, InvocationResult told) {
        CompletableFuture<@Nullable Object> end = new CompletableFuture<>();
        boolean joined = method.mode() == TransactionMode.JOINED;
        CompletionStage<?> seen = joined ? end : end.thenApply(told::kept);
        ShadowObserver.observe(wiring.onefold(), method.operation(), key, joined, seen);
        return end;
    }

    /** Reports a call whose key cannot be found. */
    static void unusable(IdempotentMethod method, RuntimeException why) {
        if (why instanceof MissingKeyException || why instanceof MalformedKeyException) {
            ShadowObserver.refused(method.name(), String.valueOf(why.getMessage()));
        } else {
            ShadowObserver.failed(method.name(), why);
        }
    }
}
