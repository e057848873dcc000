package io.onefold.spring;

import io.onefold.AsyncWork;
import io.onefold.Attempt;
import io.onefold.Key;
import io.onefold.Onefold;
import io.onefold.Operation;
import io.onefold.Outcome;
import io.onefold.Work;
import io.onefold.store.RecordId;
import io.onefold.store.StoreException;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;

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
        if (key == null || nested(wiring, method, key, CurrentAttempt.get())) {
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
        long began = System.nanoTime();
        Outcome<Object> outcome;
        try {
            outcome = attempted(method, wiring, key, attempt -> told.ran(attempt, () -> proceed(invocation)));
        } catch (SpringJoining.RolledBackException e) {
            return told.original();
        } catch (StoreException e) {
            Listening.hold(method, began);
            throw method.door() == Door.HTTP && !told.hasBegun() ? new UnrecordedException(e) : e;
        }
        if (Listening.isUnsettled(outcome)) {
            Listening.hold(method, began);
        }
        return told.of(outcome);
    }

    private static Outcome<Object> attempted(
            IdempotentMethod method, Wiring wiring, Key key, Work<Object, Exception> work) throws Exception {
        Onefold onefold = wiring.onefold();
        Operation<Object> operation = method.operation();
        if (method.mode() == Mode.JOINED) {
            return Objects.requireNonNull(wiring.transactions()).attempt(onefold, operation, key, method, work);
        }
        Transactions.refuse(method);
        return onefold.attempt(operation, key, work);
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
            throw Listening.unusable(method.door(), e);
        }
    }

    /** A call inside of the one that has the same record is part of it. */
    static boolean nested(Wiring wiring, IdempotentMethod method, Key key, @Nullable Attempt outer) {
        if (outer == null) {
            return false;
        }
        RecordId id = wiring.onefold().id(method.operation(), key);
        return outer.isOf(id) || CurrentAttempt.isInside(id);
    }

    /** Without holding a thread. */
    static CompletableFuture<@Nullable Object> later(
            IdempotentMethod method, Wiring wiring, Key key, Told told, Beginning beginning) {
        Transactions.refuse(method);
        long began = System.nanoTime();
        Onefold onefold = wiring.onefold();
        AsyncWork<Object> work = attempt -> told.started(attempt, beginning).thenApply(told::kept);
        // who calls a method that returns a future has a thread for its beginning, with all that is bound to it
        return (method.returned().carrier() == Returned.Carrier.FUTURE
                        ? onefold.attemptHere(method.operation(), key, work)
                        : onefold.attemptAsync(method.operation(), key, work))
                .thenCompose(outcome -> rested(method, outcome, began).thenApply(told::of));
    }

    private static CompletableFuture<Outcome<Object>> rested(
            IdempotentMethod method, Outcome<Object> outcome, long began) {
        long rest = Listening.isUnsettled(outcome) ? Listening.rest(method, began) : 0;
        if (rest <= 0) {
            return CompletableFuture.completedFuture(outcome);
        }
        Executor later = CompletableFuture.delayedExecutor(rest, TimeUnit.NANOSECONDS);
        return CompletableFuture.supplyAsync(() -> outcome, later);
    }

    /** Down the whole chain, each time: a transaction that was given up for another is repeated with all that is around it. */
    static @Nullable Object proceed(MethodInvocation invocation) throws Exception {
        MethodInvocation again =
                invocation instanceof ProxyMethodInvocation proxied ? proxied.invocableClone() : invocation;
        try {
            return again.proceed();
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
