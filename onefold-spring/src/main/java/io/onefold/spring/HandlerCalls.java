package io.onefold.spring;

import io.onefold.Attempt;
import io.onefold.Key;
import io.onefold.Operation;
import io.onefold.Outcome;
import io.onefold.http.Exchange;
import io.onefold.http.LateClaim;
import io.onefold.http.LateClaim.NotGrantedException;
import io.onefold.http.StoredAnswer;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/**
 * Calls of handlers whose requests the HTTP filter holds. What is kept of them is the response that the filter sends, whoever made it; the
 * handler says here what the filter cannot see: the key, the transaction, and what was thrown.
 */
final class HandlerCalls {
    private HandlerCalls() {}

    /** The claim that a handler makes through the filter; null if the filter does not hold its request, or has claimed it. */
    static @Nullable LateClaim claim(IdempotentMethod method, Requests.@Nullable Request request) {
        Exchange exchange = request == null || method.door() != Door.HTTP ? null : request.exchange();
        return exchange == null ? null : exchange.lateClaim();
    }

    /** Claims, and calls the handler if it may run. */
    static @Nullable Object leased(
            IdempotentMethod method, Wiring wiring, Key key, Told told, Call call, MethodInvocation invocation)
            throws Throwable {
        Requests.Request request = Objects.requireNonNull(call.request());
        LateClaim.Permission permission =
                Objects.requireNonNull(claim(method, request)).claim(method.handlerOperation(), key);
        if (!permission.granted()) {
            return told.result(earlier(permission));
        }
        Attempt attempt = permission.attempt();
        if (attempt == null) {
            return invocation.proceed();
        }
        wiring.traces().tell(attempt, null);
        return claimed(attempt, request, invocation);
    }

    /** What a handler is to render again that must not run. */
    static StoredAnswer<Object> earlier(LateClaim.Permission permission) {
        if (permission.earlier() == null) {
            throw new NotGrantedException();
        }
        return permission.earlier();
    }

    /** Calls a handler that has its claim. */
    static @Nullable Object claimed(Attempt attempt, Requests.Request request, MethodInvocation invocation)
            throws Throwable {
        try {
            Object returned =
                    CurrentAttempt.with(attempt, () -> new Entrance(request::begun).proceed(invocation));
            return returned instanceof CompletionStage<?> stage ? noted(stage, request) : returned;
        } catch (Entrance.RefusedException e) {
            refused(request);
            throw Objects.requireNonNull(e.getCause());
        } catch (Throwable e) {
            threw(request, e);
            throw e;
        }
    }

    private static Object noted(CompletionStage<?> stage, Requests.Request request) {
        CompletionStage<?> noted = stage.whenComplete((value, thrown) -> {
            if (thrown != null) {
                threw(request, Told.unwrapped(thrown));
            }
        });
        return stage instanceof CompletableFuture<?> ? noted.toCompletableFuture() : noted;
    }

    /** The handler threw, whatever answer the application makes of it. */
    static void threw(Requests.Request request, Throwable thrown) {
        Exchange exchange = request.exchange();
        if (exchange != null) {
            exchange.threw(thrown);
        }
    }

    /** Advice refused a call that was claimed already. */
    static void refused(Requests.Request request) {
        Exchange exchange = request.exchange();
        if (exchange != null) {
            exchange.refusedBeforeHandler();
        }
    }

    /** Tells the filter what a joined call came to; what the handler returns. */
    @SuppressWarnings("unchecked") // what handlers keep is of this type
    static @Nullable Object joined(
            IdempotentMethod method, Wiring wiring, Key key, Told told, LateClaim claim, Outcome<Object> outcome) {
        Operation<StoredAnswer<Object>> operation = method.handlerOperation();
        if (outcome instanceof Outcome.Executed<Object>) {
            Attempt attempt = Objects.requireNonNull(told.attempt());
            claim.recorded(operation, answer -> wiring.onefold().amend(operation, key, attempt, answer));
            return told.original();
        }
        return told.result(earlier(claim.known(operation, (Outcome<StoredAnswer<Object>>) (Outcome<?>) outcome)));
    }
}
