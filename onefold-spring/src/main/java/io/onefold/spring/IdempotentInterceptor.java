package io.onefold.spring;

import io.onefold.AsyncWork;
import io.onefold.Attempt;
import io.onefold.CommittedFailureException;
import io.onefold.Key;
import io.onefold.Onefold;
import io.onefold.Operation;
import io.onefold.Outcome;
import io.onefold.UncountedFailureException;
import io.onefold.Work;
import io.onefold.WorkNotStartedException;
import io.onefold.http.HandlerClaim;
import io.onefold.payload.UnreadableResultException;
import io.onefold.store.StoreException;
import io.onefold.store.TransactionConflictException;
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
    private final IdempotentMethodRegistry methods;

    IdempotentInterceptor(IdempotentMethodRegistry methods) {
        this.methods = methods;
    }

    @Override
    public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        IdempotentMethod method = methods.of(
                invocation.getMethod(), IdempotentMethodRegistry.target(Objects.requireNonNull(invocation.getThis())));
        if (method == null) {
            return invocation.proceed();
        }
        IdempotentContext wiring = methods.wiring();
        return switch (method.returned().carrier()) {
            case NONE -> call(method, wiring, invocation, request(method, wiring, null));
            case FUTURE -> {
                RequestResolver.HandlerRequest request = request(method, wiring, null);
                yield (method.door().listens() && !method.isShadow()) || (method.keyIsInRequest() && request == null)
                        ? promised(method, wiring, invocation, request)
                        : call(method, wiring, invocation, request);
            }
            case MONO, FLUX -> ReactiveMethods.called(method, wiring, invocation);
        };
    }

    /**
     * Makes a call that fails through its future and never throws. If a listener that returns a future throws, its container neither
     * acknowledges nor rejects the message. Advice that repeats a handler on its own thread may wait for ever, as Resilience4j's does.
     */
    private Object promised(
            IdempotentMethod method,
            IdempotentContext wiring,
            MethodInvocation invocation,
            RequestResolver.@Nullable HandlerRequest request)
            throws Throwable {
        try {
            return Objects.requireNonNull(call(method, wiring, invocation, request), "a future");
        } catch (Exception e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /** Makes a call whose key is known at the beginning. */
    private @Nullable Object call(
            IdempotentMethod method,
            IdempotentContext wiring,
            MethodInvocation invocation,
            RequestResolver.@Nullable HandlerRequest request)
            throws Throwable {
        Attempt claimed = claimed(method, request);
        if (request != null && claimed != null) {
            wiring.traces().tell(claimed, null);
            return HandlerCalls.claimed(method, claimed, request, invocation, false);
        }
        if (request != null && isObserved(method, request)) {
            entered(MethodEntryTracker.around(invocation), request).run();
            return invocation.proceed();
        }
        if (isUnclaimed(method, request)) {
            return invocation.proceed();
        }
        if (request == null
                && method.door() == InvocationSource.HTTP
                && wiring.requests().isLeftToFilter()
                && (method.isShadow() || method.filterPolicy() != null)) {
            return method.isShadow() || !method.declared().required()
                    ? invocation.proceed()
                    : HandlerCalls.once(method, invocation);
        }
        if (request == null && method.door() == InvocationSource.HTTP) {
            HandlerRun run = HandlerRun.of(method, invocation);
            if (!run.mayRepeat()) {
                return run.earlier(); // advice repeats the handler on its own thread
            }
        }
        checkFound(method, wiring, request);
        MethodCall call = new MethodCall(method, invocation.getArguments(), request);
        Key key = key(wiring, call);
        if (key == null || nested(wiring, method, key, CurrentAttempt.held())) {
            return invocation.proceed();
        }
        if (method.isShadow()) {
            return ShadowCalls.call(method, wiring, key, new InvocationResult(method, call, key), invocation);
        }
        HandlerClaim claim = HandlerCalls.claim(method, wiring, key, request);
        if (claim != null && request != null && method.mode() != TransactionMode.JOINED) {
            TransactionDetector.refuse(method);
            return HandlerCalls.leased(
                    method, wiring, key, new InvocationResult(method, call, key), claim, request, invocation);
        }
        if (claim == null) {
            method.keepable();
        }
        if (method.returned().carrier() == ReturnType.AsyncWrapper.FUTURE) {
            return later(
                    call,
                    wiring,
                    key,
                    new InvocationResult(method, call, key),
                    null,
                    () -> begun(method.door().listens() ? copy(invocation) : invocation));
        }
        return method.door().listens()
                ? wiring.unsettled()
                        .call(call, wiring, key, told -> pass(call, wiring, key, told, copy(invocation), null))
                : pass(call, wiring, key, new InvocationResult(method, call, key), invocation, claim);
    }

    /** Calls the method unless it was called before. Returns the result of this call or of the earlier one. */
    private static @Nullable Object pass(
            MethodCall call,
            IdempotentContext wiring,
            Key key,
            InvocationResult told,
            MethodInvocation invocation,
            @Nullable HandlerClaim claim)
            throws Throwable {
        IdempotentMethod method = call.method();
        long began = System.nanoTime();
        BooleanSupplier over = claim == null
                ? () -> true
                : Objects.requireNonNull(wiring.transactions()).watchOuter();
        Outcome<Object> outcome;
        try {
            outcome = method.mode() == TransactionMode.JOINED
                    ? joined(method, wiring, key, told, invocation, claim, call.request())
                    : leased(method, wiring, key, attempt -> {
                        wiring.traces().tell(attempt, null);
                        return told.ran(attempt, () -> new MethodEntryTracker().proceed(invocation));
                    });
        } catch (SpringStoreTransactions.RolledBackException e) {
            return told.original();
        } catch (StoreException e) {
            ListenerExceptions.hold(method, began);
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
        if (ListenerExceptions.isUnsettled(outcome)) {
            ListenerExceptions.hold(method, began);
        }
        return told.of(outcome);
    }

    private static CompletionStage<?> begun(MethodInvocation invocation) throws Exception {
        MethodEntryTracker entrance = new MethodEntryTracker();
        return entrance.ended(Objects.requireNonNull((CompletionStage<?>) entrance.proceed(invocation), "a future"));
    }

    private static Outcome<Object> joined(
            IdempotentMethod method,
            IdempotentContext wiring,
            Key key,
            InvocationResult told,
            MethodInvocation invocation,
            @Nullable HandlerClaim claim,
            RequestResolver.@Nullable HandlerRequest request)
            throws Exception {
        SpringTransactionSupport transactions = Objects.requireNonNull(wiring.transactions());
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
                    return new MethodEntryTracker().proceed(pass);
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
                // the filter can judge the failure once the response is known; in an outer transaction, the rollback
                // counts the failure
                if (claim != null && !outer && !(e instanceof WorkNotStartedException)) {
                    throw new UncountedFailureException(e);
                }
                throw e;
            }
        });
    }

    private static Outcome<Object> leased(
            IdempotentMethod method, IdempotentContext wiring, Key key, Work<Object, Exception> work) throws Exception {
        TransactionDetector.refuse(method);
        return wiring.onefold().attempt(method.operation(), key, work);
    }

    static RequestResolver.@Nullable HandlerRequest request(
            IdempotentMethod method, IdempotentContext wiring, @Nullable Object context) {
        return method.asksRequest() ? wiring.requests().current(context) : null;
    }

    /** Returns the attempt that the filter has claimed for this very method. */
    static @Nullable Attempt claimed(IdempotentMethod method, RequestResolver.@Nullable HandlerRequest request) {
        Attempt attempt = request == null || method.door() != InvocationSource.HTTP ? null : request.attempt();
        return attempt == null || !attempt.operation().equals(method.name()) ? null : attempt;
    }

    /** Returns true if the filter observes the request for this very method. */
    static boolean isObserved(IdempotentMethod method, RequestResolver.@Nullable HandlerRequest request) {
        return request != null
                && method.door() == InvocationSource.HTTP
                && method.name().equals(request.observed());
    }

    /** Returns true if the filter has let the request of a handler pass on purpose. */
    static boolean isUnclaimed(IdempotentMethod method, RequestResolver.@Nullable HandlerRequest request) {
        return request != null && method.door() == InvocationSource.HTTP && request.isUnclaimed();
    }

    /**
     * Reports that a handler begins.
     *
     * @param whole the entrance of the whole call; null if no outermost advice has seen the call
     */
    static Runnable entered(@Nullable MethodEntryTracker whole, RequestResolver.HandlerRequest request) {
        return whole == null ? request::begun : whole::enter;
    }

    /** @throws IllegalStateException if the request that has the key of the call is not found */
    static void checkFound(
            IdempotentMethod method, IdempotentContext wiring, RequestResolver.@Nullable HandlerRequest request) {
        if (request == null
                && method.keyIsInRequest()
                && !method.isShadow()
                && !wiring.requests().equals(RequestResolver.NONE)) {
            throw new IllegalStateException(method
                    + " does not find the HTTP request that has its key, and was not run: advice around it has moved the call to"
                    + " another thread, or has dropped Reactor's context, or it was called from elsewhere. Put such advice on"
                    + " a service that the handler calls, and call that service from elsewhere, too");
        }
    }

    /** Returns null if the call runs unprotected. */
    static @Nullable Key key(IdempotentContext wiring, MethodCall call) {
        IdempotentMethod method = call.method();
        try {
            return method.keys().of(call);
        } catch (RuntimeException e) {
            if (method.isShadow()) {
                ShadowCalls.unusable(method, e);
                return null;
            }
            throw ListenerExceptions.unusable(method.door(), e);
        }
    }

    /** Returns true if the call is made inside of a call that has the same record, and so is part of it. */
    static boolean nested(
            IdempotentContext wiring, IdempotentMethod method, Key key, CurrentAttempt.@Nullable AttemptBinding outer) {
        return outer != null && outer.isInside(wiring.onefold().id(method.operation(), key));
    }

    /**
     * Makes the call without holding a thread.
     *
     * @param observation the surrounding observation; null for the one of the thread
     */
    static CompletableFuture<@Nullable Object> later(
            MethodCall call,
            IdempotentContext wiring,
            Key key,
            InvocationResult told,
            @Nullable Object observation,
            AsyncStart beginning) {
        IdempotentMethod method = call.method();
        TransactionDetector.refuse(method);
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
            IdempotentContext wiring,
            Key key,
            InvocationResult told,
            @Nullable Object observation,
            AsyncStart beginning) {
        long began = System.nanoTime();
        Onefold onefold = wiring.onefold();
        AsyncWork<Object> work = attempt -> {
            wiring.traces().tell(attempt, observation);
            return told.started(attempt, beginning).thenApply(told::kept);
        };
        // the caller of a method that returns a future provides a thread for its beginning, with everything that is
        // bound to it
        return (method.returned().carrier() == ReturnType.AsyncWrapper.FUTURE
                        ? onefold.attemptHere(method.operation(), key, work)
                        : onefold.attemptAsync(method.operation(), key, work))
                .exceptionallyCompose(
                        why -> rested(method, InvocationResult.unwrapped(why) instanceof StoreException, began)
                                .thenCompose(rested -> CompletableFuture.failedFuture(thrown(method, told, why))))
                .thenCompose(outcome -> rested(method, ListenerExceptions.isUnsettled(outcome), began)
                        .thenApply(rested -> told.of(outcome)));
    }

    /**
     * Returns the exception for the caller. If the store fails before anything has begun, clients do not see an error of the application.
     */
    private static Throwable thrown(IdempotentMethod method, InvocationResult told, Throwable why) {
        Throwable cause = InvocationResult.unwrapped(why);
        if (cause instanceof MethodEntryTracker.NotEnteredException) {
            return Objects.requireNonNull(cause.getCause());
        }
        if (cause instanceof TransactionConflictException e && method.mode() == TransactionMode.JOINED) {
            RuntimeException retryable = SpringTransactionSupport.retryable(e);
            return method.door().listens() ? ListenerExceptions.unsettled(method.door(), retryable) : retryable;
        }
        if (cause instanceof StoreException e) {
            return method.door() == InvocationSource.HTTP && !told.hasBegun()
                    ? new ClaimNotRecordedException(e)
                    : method.door().listens() ? ListenerExceptions.unsettled(method.door(), e) : why;
        }
        return why;
    }

    private static CompletableFuture<@Nullable Void> rested(IdempotentMethod method, boolean unsettled, long began) {
        long rest = unsettled ? ListenerExceptions.rest(method, began) : 0;
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
    interface AsyncStart {
        CompletionStage<?> begin() throws Exception;
    }
}
