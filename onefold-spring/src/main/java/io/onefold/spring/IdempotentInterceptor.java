package io.onefold.spring;

import io.onefold.AsyncWork;
import io.onefold.Attempt;
import io.onefold.CommittedFailureException;
import io.onefold.Key;
import io.onefold.WorkNotStartedException;
import io.onefold.Onefold;
import io.onefold.Operation;
import io.onefold.Outcome;
import io.onefold.UncountedFailureException;
import io.onefold.Work;
import io.onefold.http.HandlerClaim;
import io.onefold.payload.UnreadableResultException;
import io.onefold.store.TransactionConflictException;
import io.onefold.store.StoreException;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;

/**
 * Makes the calls of annotated methods idempotent. It stands outside of transactions, so that it can begin them, and inside of all advice
 * that decides whether a call may be made at all.
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
            case NONE -> call(method, wiring, invocation, request(method, wiring, null));
            case FUTURE -> {
                Requests.Request request = request(method, wiring, null);
                yield (method.door().listens() && !method.isShadow()) || (method.keyIsInRequest() && request == null)
                        ? promised(method, wiring, invocation, request)
                        : call(method, wiring, invocation, request);
            }
            case MONO, FLUX -> Reactive.called(method, wiring, invocation);
        };
    }

    /**
     * Makes a call that fails through its future and never throws. If a listener that returns a future throws, its container neither
     * acknowledges nor rejects the message. Advice that repeats a handler on its own thread may wait for ever, as Resilience4j's does.
     */
    private Object promised(
            IdempotentMethod method, Wiring wiring, MethodInvocation invocation, Requests.@Nullable Request request)
            throws Throwable {
        try {
            return Objects.requireNonNull(call(method, wiring, invocation, request), "a future");
        } catch (Exception e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /** Makes a call whose key is known at the beginning. */
    private @Nullable Object call(
            IdempotentMethod method, Wiring wiring, MethodInvocation invocation, Requests.@Nullable Request request)
            throws Throwable {
        Attempt claimed = claimed(method, request);
        if (request != null && claimed != null) {
            wiring.traces().tell(claimed, null);
            return HandlerCalls.claimed(method, claimed, request, invocation, false);
        }
        if (request != null && isObserved(method, request)) {
            entered(Entrance.around(invocation), request).run();
            return invocation.proceed();
        }
        if (isUnclaimed(method, request)) {
            return invocation.proceed();
        }
        if (request == null
                && method.door() == Door.HTTP
                && wiring.requests().isLeftToFilter()
                && (method.isShadow() || method.filterPolicy() != null)) {
            return method.isShadow() || !method.declared().required()
                    ? invocation.proceed()
                    : HandlerCalls.once(method, invocation);
        }
        if (request == null && method.door() == Door.HTTP) {
            HandlerRun run = HandlerRun.of(method, invocation);
            if (!run.mayRepeat()) {
                return run.earlier(); // advice repeats the handler on its own thread
            }
        }
        checkFound(method, wiring, request);
        Call call = new Call(method, invocation.getArguments(), request);
        Key key = key(wiring, call);
        if (key == null || nested(wiring, method, key, CurrentAttempt.held())) {
            return invocation.proceed();
        }
        if (method.isShadow()) {
            return Observed.call(method, wiring, key, new Told(method, call, key), invocation);
        }
        HandlerClaim claim = HandlerCalls.claim(method, wiring, key, request);
        if (claim != null && request != null && method.mode() != Mode.JOINED) {
            Transactions.refuse(method);
            return HandlerCalls.leased(method, wiring, key, new Told(method, call, key), claim, request, invocation);
        }
        if (claim == null) {
            method.keepable();
        }
        if (method.returned().carrier() == Returned.Carrier.FUTURE) {
            return later(
                    call,
                    wiring,
                    key,
                    new Told(method, call, key),
                    null,
                    () -> begun(method.door().listens() ? copy(invocation) : invocation));
        }
        return method.door().listens()
                ? wiring.unsettled()
                        .call(call, wiring, key, told -> pass(call, wiring, key, told, copy(invocation), null))
                : pass(call, wiring, key, new Told(method, call, key), invocation, claim);
    }

    /** Calls the method unless it was called before. Returns the result of this call or of the earlier one. */
    private static @Nullable Object pass(
            Call call, Wiring wiring, Key key, Told told, MethodInvocation invocation, @Nullable HandlerClaim claim)
            throws Throwable {
        IdempotentMethod method = call.method();
        long began = System.nanoTime();
        BooleanSupplier over = claim == null
                ? () -> true
                : Objects.requireNonNull(wiring.transactions()).watchOuter();
        Outcome<Object> outcome;
        try {
            outcome = method.mode() == Mode.JOINED
                    ? joined(method, wiring, key, told, invocation, claim, call.request())
                    : leased(method, wiring, key, attempt -> {
                        wiring.traces().tell(attempt, null);
                        return told.ran(attempt, () -> new Entrance().proceed(invocation));
                    });
        } catch (SpringJoining.RolledBackException e) {
            return told.original();
        } catch (StoreException e) {
            Listening.hold(method, began);
            if (claim != null && !told.hasBegun() && !(e instanceof TransactionConflictException)) {
                throw HandlerCalls.unasked(claim, e);
            }
            throw thrown(method, told, e);
        } catch (UnreadableResultException e) {
            throw claim == null ? e : HandlerCalls.unasked(claim, e);
        } catch (UncountedFailureException e) {
            Throwable cause = Objects.requireNonNull(e.getCause());
            HandlerCalls.rolledBack(method, wiring, key, Objects.requireNonNull(claim), cause, false, over);
            throw cause;
        } catch (Exception | Error e) {
            if (claim != null && told.attempt() != null && !(e instanceof WorkNotStartedException)) {
                // in the transaction of another call, for example
                HandlerCalls.rolledBack(method, wiring, key, claim, e, true, over);
            }
            throw thrown(method, told, e);
        }
        Throwable committed = outcome instanceof Outcome.Executed<Object> ? told.committed() : null;
        if (claim != null && committed != null) {
            HandlerCalls.committed(method, wiring, key, told, claim, committed, over);
            throw committed;
        }
        if (claim != null) {
            return HandlerCalls.joined(method, wiring, key, told, claim, outcome, over);
        }
        if (Listening.isUnsettled(outcome)) {
            Listening.hold(method, began);
        }
        return told.of(outcome);
    }

    private static CompletionStage<?> begun(MethodInvocation invocation) throws Exception {
        Entrance entrance = new Entrance();
        return entrance.ended(Objects.requireNonNull((CompletionStage<?>) entrance.proceed(invocation), "a future"));
    }

    private static Outcome<Object> joined(
            IdempotentMethod method,
            Wiring wiring,
            Key key,
            Told told,
            MethodInvocation invocation,
            @Nullable HandlerClaim claim,
            Requests.@Nullable Request request)
            throws Exception {
        JoinedTransactions transactions = Objects.requireNonNull(wiring.transactions());
        MethodTransaction own = transactions.of(method);
        boolean outer = transactions.isInOuter();
        if (claim != null) {
            claim.calls();
            own.countLater();
        }
        @SuppressWarnings("unchecked") // the payload of a handler is an object
        Operation<Object> operation = claim == null
                ? method.operation()
                : (Operation<Object>) (Operation<?>) HandlerCalls.joinedOperation(method, claim);
        return transactions.attempt(wiring.onefold(), operation, key, own, (attempt, transaction) -> {
            wiring.traces().tell(attempt, null);
            try {
                Object kept = told.ran(attempt, () -> {
                    MethodInvocation pass = copy(invocation);
                    own.watch(pass);
                    return new Entrance().proceed(pass);
                });
                transaction.flush();
                return claim == null ? kept : HandlerCalls.kept(told, claim, request);
            } catch (Exception | Error e) {
                if (transaction.keeps(e)) {
                    if (claim == null) {
                        throw new CommittedFailureException(e);
                    }
                    return told.committed(e);
                }
                // the filter can judge the failure once the response is known; in an outer transaction, the rollback counts the failure
                if (claim != null && !outer && !(e instanceof WorkNotStartedException)) {
                    throw new UncountedFailureException(e);
                }
                throw e;
            }
        });
    }

    private static Outcome<Object> leased(IdempotentMethod method, Wiring wiring, Key key, Work<Object, Exception> work)
            throws Exception {
        Transactions.refuse(method);
        return wiring.onefold().attempt(method.operation(), key, work);
    }

    static Requests.@Nullable Request request(IdempotentMethod method, Wiring wiring, @Nullable Object context) {
        return method.asksRequest() ? wiring.requests().current(context) : null;
    }

    /** Returns the attempt that the filter has claimed for this very method. */
    static @Nullable Attempt claimed(IdempotentMethod method, Requests.@Nullable Request request) {
        Attempt attempt = request == null || method.door() != Door.HTTP ? null : request.attempt();
        return attempt == null || !attempt.operation().equals(method.name()) ? null : attempt;
    }

    /** Returns true if the filter observes the request for this very method. */
    static boolean isObserved(IdempotentMethod method, Requests.@Nullable Request request) {
        return request != null && method.door() == Door.HTTP && method.name().equals(request.observed());
    }

    /** Returns true if the filter has let the request of a handler pass on purpose. */
    static boolean isUnclaimed(IdempotentMethod method, Requests.@Nullable Request request) {
        return request != null && method.door() == Door.HTTP && request.isUnclaimed();
    }

    /**
     * Reports that a handler begins.
     *
     * @param whole the entrance of the whole call; null if no outermost advice has seen the call
     */
    static Runnable entered(@Nullable Entrance whole, Requests.Request request) {
        return whole == null ? request::begun : whole::enter;
    }

    /** @throws IllegalStateException if the request that has the key of the call is not found */
    static void checkFound(IdempotentMethod method, Wiring wiring, Requests.@Nullable Request request) {
        if (request == null
                && method.keyIsInRequest()
                && !method.isShadow()
                && !wiring.requests().equals(Requests.NONE)) {
            throw new IllegalStateException(method
                    + " does not find the HTTP request that has its key, and was not run: advice around it has moved the call to"
                    + " another thread, or has dropped Reactor's context, or it was called from elsewhere. Put such advice on"
                    + " a service that the handler calls, and call that service from elsewhere, too");
        }
    }

    /** Returns null if the call runs unprotected. */
    static @Nullable Key key(Wiring wiring, Call call) {
        IdempotentMethod method = call.method();
        try {
            return method.keys().of(call);
        } catch (RuntimeException e) {
            if (method.isShadow()) {
                Observed.unusable(method, e);
                return null;
            }
            throw Listening.unusable(method.door(), e);
        }
    }

    /** Returns true if the call is made inside of a call that has the same record, and so is part of it. */
    static boolean nested(Wiring wiring, IdempotentMethod method, Key key, CurrentAttempt.@Nullable Held outer) {
        return outer != null && outer.isInside(wiring.onefold().id(method.operation(), key));
    }

    /**
     * Makes the call without holding a thread.
     *
     * @param observation the surrounding observation; null for the one of the thread
     */
    static CompletableFuture<@Nullable Object> later(
            Call call, Wiring wiring, Key key, Told told, @Nullable Object observation, Beginning beginning) {
        IdempotentMethod method = call.method();
        Transactions.refuse(method);
        return method.door().listens()
                ? wiring.unsettled()
                        .later(
                                call,
                                wiring,
                                key,
                                told,
                                () -> started(method, wiring, key, told, observation, beginning))
                : started(method, wiring, key, told, observation, beginning);
    }

    private static CompletableFuture<@Nullable Object> started(
            IdempotentMethod method,
            Wiring wiring,
            Key key,
            Told told,
            @Nullable Object observation,
            Beginning beginning) {
        long began = System.nanoTime();
        Onefold onefold = wiring.onefold();
        AsyncWork<Object> work = attempt -> {
            wiring.traces().tell(attempt, observation);
            return told.started(attempt, beginning).thenApply(told::kept);
        };
        // the caller of a method that returns a future provides a thread for its beginning, with everything that is bound to it
        return (method.returned().carrier() == Returned.Carrier.FUTURE
                        ? onefold.attemptHere(method.operation(), key, work)
                        : onefold.attemptAsync(method.operation(), key, work))
                .exceptionallyCompose(why -> rested(method, Told.unwrapped(why) instanceof StoreException, began)
                        .thenCompose(rested -> CompletableFuture.failedFuture(thrown(method, told, why))))
                .thenCompose(outcome ->
                        rested(method, Listening.isUnsettled(outcome), began).thenApply(rested -> told.of(outcome)));
    }

    /**
     * Returns the exception for the caller. If the store fails before anything has begun, clients do not see an error of the application.
     */
    private static Throwable thrown(IdempotentMethod method, Told told, Throwable why) {
        Throwable cause = Told.unwrapped(why);
        if (cause instanceof Entrance.RefusedException) {
            return Objects.requireNonNull(cause.getCause());
        }
        if (cause instanceof TransactionConflictException e && method.mode() == Mode.JOINED) {
            RuntimeException retryable = JoinedTransactions.retryable(e);
            return method.door().listens() ? Listening.unsettled(method.door(), retryable) : retryable;
        }
        if (cause instanceof StoreException e) {
            return method.door() == Door.HTTP && !told.hasBegun()
                    ? new UnrecordedException(e)
                    : method.door().listens() ? Listening.unsettled(method.door(), e) : why;
        }
        return why;
    }

    private static CompletableFuture<@Nullable Void> rested(IdempotentMethod method, boolean unsettled, long began) {
        long rest = unsettled ? Listening.rest(method, began) : 0;
        if (rest <= 0) {
            return CompletableFuture.completedFuture(null);
        }
        return CompletableFuture.runAsync(() -> {}, CompletableFuture.delayedExecutor(rest, TimeUnit.NANOSECONDS));
    }

    /** Passes the whole chain each time: if a transaction is rolled back in favour of another, everything around it is repeated with it. */
    static @Nullable Object again(MethodInvocation invocation) throws Exception {
        return proceed(copy(invocation));
    }

    static MethodInvocation copy(MethodInvocation invocation) {
        return invocation instanceof ProxyMethodInvocation proxied ? proxied.invocableClone() : invocation;
    }

    static @Nullable Object proceed(MethodInvocation invocation) throws Exception {
        try {
            return invocation.proceed();
        } catch (Exception | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException("neither an exception nor an error", e);
        }
    }

    /** Begins work that ends later. */
    interface Beginning {
        CompletionStage<?> begin() throws Exception;
    }
}
