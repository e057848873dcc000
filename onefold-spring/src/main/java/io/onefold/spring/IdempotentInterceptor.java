package io.onefold.spring;

import io.onefold.Attempt;
import io.onefold.Key;
import io.onefold.Onefold;
import io.onefold.Operation;
import io.onefold.Outcome;
import io.onefold.store.RecordId;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/**
 * Makes the calls of annotated methods safe to repeat. It stands outside of transactions, so that it can begin them, and inside of
 * everything that decides whether a call may be made at all.
 */
final class IdempotentInterceptor implements MethodInterceptor {
    private final IdempotentMethods methods;

    IdempotentInterceptor(IdempotentMethods methods) {
        this.methods = methods;
    }

    @Override
    public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        IdempotentMethod method = methods.of(
                invocation.getMethod(), IdempotentMethods.target(Objects.requireNonNull(invocation.getThis())));
        if (method == null) {
            return invocation.proceed();
        }
        Wiring wiring = methods.wiring();
        return switch (method.returned().carrier()) {
            case NONE, FUTURE -> call(method, wiring, invocation, request(method, wiring, null));
            case MONO, FLUX -> Reactive.called(method, wiring, invocation);
        };
    }

    /** A call whose key is known when it is made. */
    private @Nullable Object call(
            IdempotentMethod method, Wiring wiring, MethodInvocation invocation, Requests.@Nullable Request request)
            throws Throwable {
        Attempt claimed = claimed(method, request);
        if (claimed != null) {
            return CurrentAttempt.with(claimed, () -> proceed(invocation));
        }
        Call call = new Call(method, invocation.getArguments(), request);
        Key key = key(wiring, call);
        if (key == null || nested(wiring, method, key)) {
            return invocation.proceed();
        }
        if (method.isShadow()) {
            wiring.shadow().observe(method, key);
            return invocation.proceed();
        }
        method.keepable();
        Told told = new Told(method, call, key);
        if (method.returned().carrier() == Returned.Carrier.FUTURE) {
            return later(
                    method,
                    wiring,
                    key,
                    told,
                    () -> Objects.requireNonNull((CompletionStage<?>) proceed(invocation), "a future"));
        }
        Onefold onefold = wiring.onefold();
        Operation<Object> operation = method.operation();
        Outcome<Object> outcome;
        if (method.mode() == Mode.JOINED) {
            outcome = Objects.requireNonNull(wiring.transactions())
                    .attempt(onefold, operation, key, method, attempt -> told.ran(attempt, () -> proceed(invocation)));
        } else {
            Transactions.refuse(method);
            outcome = onefold.attempt(operation, key, attempt -> told.ran(attempt, () -> proceed(invocation)));
        }
        return told.of(outcome);
    }

    static Requests.@Nullable Request request(IdempotentMethod method, Wiring wiring, @Nullable Object context) {
        return method.asksRequest() ? wiring.requests().current(context) : null;
    }

    /** What the filter has claimed for this very method. */
    static @Nullable Attempt claimed(IdempotentMethod method, Requests.@Nullable Request request) {
        Attempt attempt = request == null || method.door() != Door.HTTP ? null : request.attempt();
        if (request == null || attempt == null || !attempt.operation().equals(method.name())) {
            return null;
        }
        request.begun();
        return attempt;
    }

    /** Null if it runs unprotected. */
    static @Nullable Key key(Wiring wiring, Call call) {
        IdempotentMethod method = call.method();
        try {
            return method.keys().of(call);
        } catch (RuntimeException e) {
            if (method.isShadow()) {
                wiring.shadow().failed(method, e);
                return null;
            }
            throw Listening.refused(method.door(), e);
        }
    }

    /** A call inside of the one that has the same record is part of it. */
    static boolean nested(Wiring wiring, IdempotentMethod method, Key key) {
        Attempt outer = CurrentAttempt.get();
        if (outer == null) {
            return false;
        }
        RecordId id = wiring.onefold().id(method.operation(), key);
        return outer.operation().equals(id.operation()) && outer.safeKey().equals(id.safe());
    }

    /** Without holding a thread. */
    static CompletableFuture<@Nullable Object> later(
            IdempotentMethod method, Wiring wiring, Key key, Told told, Beginning beginning) {
        Transactions.refuse(method);
        return wiring.onefold()
                .attemptAsync(
                        method.operation(),
                        key,
                        attempt ->
                                CurrentAttempt.with(attempt, beginning::begin).thenApply(told::kept))
                .thenApply(told::of);
    }

    private static @Nullable Object proceed(MethodInvocation invocation) throws Exception {
        try {
            return invocation.proceed();
        } catch (Exception | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException("neither an exception nor an error", e);
        }
    }

    /** Begins what ends in its own time. */
    interface Beginning {
        CompletionStage<?> begin() throws Exception;
    }
}
