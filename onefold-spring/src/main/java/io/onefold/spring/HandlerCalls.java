package io.onefold.spring;

import io.onefold.Attempt;
import io.onefold.Key;
import io.onefold.Onefold;
import io.onefold.Operation;
import io.onefold.Outcome;
import io.onefold.http.HandlerClaim;
import io.onefold.http.HandlerClaim.ClaimNotGrantedException;
import io.onefold.http.ProtectedExchange;
import io.onefold.http.StoredHandlerResult;
import io.onefold.store.ResultPayload;
import io.onefold.store.StoredRecord;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/**
 * Calls of handlers whose requests the HTTP filter holds. The record keeps the response that the filter sends, no matter which code made
 * it. The handler tells the filter what it cannot see: the key, the transaction and the exception.
 */
final class HandlerCalls {
    private HandlerCalls() {}

    /**
     * The claim that a handler makes through the filter. Null if the filter does not hold the handler's request, or has claimed it already.
     */
    static @Nullable HandlerClaim claim(
            IdempotentMethod method,
            IdempotentContext wiring,
            Key key,
            RequestResolver.@Nullable HandlerRequest request) {
        ProtectedExchange exchange =
                request == null || method.door() != InvocationSource.HTTP ? null : request.exchange();
        HandlerClaim claim = exchange == null ? null : exchange.lateClaim();
        return claim == null || !claim.isOf(wiring.onefold().id(method.operation(), key)) ? null : claim;
    }

    static Operation<StoredHandlerResult<Object>> operation(IdempotentMethod method, HandlerClaim claim) {
        return method.handlerOperation(claim.operation(method.name()));
    }

    /** The operation of a transactional handler. Its response replaces its value in the record after the commit. */
    static Operation<StoredHandlerResult<Object>> joinedOperation(IdempotentMethod method, HandlerClaim claim) {
        return operation(method, claim).amendable();
    }

    /** Claims, and calls the handler if it may run. */
    static @Nullable Object leased(
            IdempotentMethod method,
            IdempotentContext wiring,
            Key key,
            InvocationResult told,
            HandlerClaim claim,
            RequestResolver.HandlerRequest request,
            MethodInvocation invocation)
            throws Throwable {
        HandlerClaim.ClaimGrant permission = claim.claim(operation(method, claim), key);
        if (!permission.granted()) {
            return told.result(earlier(permission));
        }
        Attempt attempt = permission.attempt();
        if (attempt == null) {
            return invocation.proceed();
        }
        wiring.traces().tell(attempt, null);
        return claimed(method, attempt, request, invocation, true);
    }

    /** Returns the earlier response, to be rendered again by a handler that must not run. */
    static StoredHandlerResult<Object> earlier(HandlerClaim.ClaimGrant permission) {
        if (permission.earlier() == null) {
            throw new ClaimNotGrantedException();
        }
        return permission.earlier();
    }

    /**
     * Calls a handler that has its claim.
     *
     * @param late true if the handler made the claim itself: then no other code sees that advice rejects the call
     */
    static @Nullable Object claimed(
            IdempotentMethod method,
            Attempt attempt,
            RequestResolver.HandlerRequest request,
            MethodInvocation invocation,
            boolean late)
            throws Throwable {
        HandlerRun run = HandlerRun.of(method, invocation);
        if (!run.begins()) {
            return run.earlier();
        }
        called(request);
        Runnable entered =
                late ? request::begun : IdempotentInterceptor.entered(MethodEntryTracker.around(invocation), request);
        MethodEntryTracker entrance = new MethodEntryTracker(entered);
        HandlerEnds ends = new HandlerEnds(run, request, late);
        try {
            Object returned = CurrentAttempt.with(attempt, () -> entrance.proceed(invocation));
            Object noted = noted(returned, entrance, ends);
            // a value of the application's own class is returned unchanged
            Object told = invocation.getMethod().getReturnType().isInstance(noted) ? noted : returned;
            run.returned(told);
            return told;
        } catch (MethodEntryTracker.NotEnteredException e) {
            ends.refused();
            throw Objects.requireNonNull(e.getCause());
        } catch (Throwable e) {
            ends.threw(e);
            throw e;
        }
    }

    /** Calls a handler that the filter has claimed for, and that cannot find its request. */
    static @Nullable Object once(IdempotentMethod method, MethodInvocation invocation) throws Throwable {
        HandlerRun run = HandlerRun.of(method, invocation);
        if (!run.begins()) {
            return run.earlier();
        }
        MethodEntryTracker entrance = new MethodEntryTracker();
        try {
            Object returned = entrance.proceed(invocation);
            run.returned(returned);
            if (returned instanceof CompletionStage<?> stage) {
                var unused = entrance.ended(stage).exceptionally(why -> {
                    failed(run, why);
                    return null;
                });
            }
            return returned;
        } catch (Exception | Error e) {
            failed(run, e);
            throw e instanceof MethodEntryTracker.NotEnteredException ? Objects.requireNonNull(e.getCause()) : e;
        }
    }

    private static void failed(HandlerRun run, Throwable why) {
        if (InvocationResult.unwrapped(why) instanceof MethodEntryTracker.NotEnteredException) {
            run.refused();
        } else {
            run.threw(InvocationResult.unwrapped(why));
        }
    }

    /** Notes how a handler ends, now or later. */
    private static @Nullable Object noted(@Nullable Object returned, MethodEntryTracker entrance, HandlerEnds ends) {
        if (returned instanceof Callable<?> later) {
            return (Callable<@Nullable Object>) () -> {
                try {
                    Object value = later.call();
                    ends.returned();
                    return value;
                } catch (Throwable e) {
                    ends.threw(e);
                    throw e;
                }
            };
        }
        if (!(returned instanceof CompletionStage<?> stage)) {
            ends.returned();
            return returned;
        }
        ProtectedExchange exchange = ends.request().exchange();
        if (exchange != null) {
            // if the future is of the application's own class, Spring's callback may run before ours: then the report
            // asks the stage
            exchange.handlerReport().returned(stage);
        }
        CompletionStage<?> noted = stage.whenComplete((value, thrown) -> {
            if (thrown == null) {
                ends.returned();
            } else if (entrance.close()) {
                ends.refused();
            } else {
                ends.threw(InvocationResult.unwrapped(thrown));
            }
        });
        return stage instanceof CompletableFuture<?> ? noted.toCompletableFuture() : noted;
    }

    /**
     * Records the end of a handler's call.
     *
     * @param late true if the handler made the claim itself: then no other code sees that advice rejects the call
     */
    record HandlerEnds(HandlerRun run, RequestResolver.HandlerRequest request, boolean late) {
        void returned() {
            ProtectedExchange exchange = request.exchange();
            if (exchange != null) {
                exchange.handlerReport().returned();
            }
        }

        void refused() {
            run.refused();
            ProtectedExchange exchange = request.exchange();
            if (exchange != null) {
                exchange.handlerReport().calls();
            }
            if (late) {
                HandlerCalls.refused(request);
            }
        }

        void threw(Throwable why) {
            run.threw(why);
            HandlerCalls.threw(request, why);
        }
    }

    /** Notes that the handler is called, possibly again. */
    static void called(RequestResolver.HandlerRequest request) {
        ProtectedExchange exchange = request.exchange();
        if (exchange != null) {
            exchange.handlerReport().begins();
        }
    }

    /** Notes that the handler threw, no matter which response the application makes of it. */
    private static void threw(RequestResolver.HandlerRequest request, Throwable thrown) {
        ProtectedExchange exchange = request.exchange();
        if (exchange != null) {
            exchange.handlerReport().threw(thrown);
        }
    }

    /** Notes that advice rejected a call that was claimed already. */
    private static void refused(RequestResolver.HandlerRequest request) {
        ProtectedExchange exchange = request.exchange();
        if (exchange != null) {
            exchange.handlerReport().refusedBefore();
        }
    }

    /**
     * Returns the payload for the transaction of a transactional handler. It is the value, unless the response is something else, or
     * nothing of the response is to be kept.
     */
    static StoredHandlerResult<?> kept(
            InvocationResult told, HandlerClaim claim, RequestResolver.@Nullable HandlerRequest request) {
        return claim.keepsBody() && (request == null || !request.isAnswered())
                ? told.answer()
                : StoredHandlerResult.done();
    }

    /**
     * Tells the filter the result of a transactional call, and returns the handler's result.
     *
     * @param over returns true if the transaction is over. While a caller outside of the filter holds the transaction, the value stays in
     *     the record: a change of it would wait for this very request
     */
    @SuppressWarnings("unchecked") // what handlers keep is of this type
    static @Nullable Object joined(
            IdempotentMethod method,
            IdempotentContext wiring,
            Key key,
            InvocationResult told,
            HandlerClaim claim,
            Outcome<Object> outcome,
            BooleanSupplier over) {
        if (outcome instanceof Outcome.Executed<Object> executed) {
            Operation<StoredHandlerResult<Object>> operation = joinedOperation(method, claim);
            Attempt attempt = Objects.requireNonNull(told.attempt());
            boolean failed = ResponseEntities.status(told.original()) >= 500;
            // if rendering has failed, the value stays: the next rendering may succeed
            claim.recorded(answer -> (failed || answer.status() < 500)
                    && over.getAsBoolean()
                    && (answer.hasAnswer() || !isKept(wiring.onefold(), operation, key, executed))
                    && wiring.onefold().amend(operation, key, attempt, answer));
            return told.original();
        }
        return told.result(earlier(claim.known((Outcome<StoredHandlerResult<Object>>) (Outcome<?>) outcome)));
    }

    /**
     * Tells the filter that a transactional call could not read the state of the request. Returns the exception for the handler to throw.
     */
    static ClaimNotGrantedException unasked(HandlerClaim claim, RuntimeException why) {
        claim.unasked(why);
        return new ClaimNotGrantedException();
    }

    /** Returns true if the record has the value. Rendered again, the value says more than a response without its body. */
    private static boolean isKept(
            Onefold onefold,
            Operation<StoredHandlerResult<Object>> operation,
            Key key,
            Outcome.Executed<Object> executed) {
        if (!(executed.value() instanceof StoredHandlerResult<?> answer) || !answer.hasValue()) {
            return false;
        }
        // the value may have been too large, or was not read back unchanged
        return onefold.find(operation, key)
                .map(StoredRecord::payload)
                .filter(payload -> payload.kind() != ResultPayload.Kind.NOT_KEPT)
                .isPresent();
    }

    /** Tells the filter that a transactional call threw and was committed all the same. Its response is the one made of the exception. */
    static void committed(
            IdempotentMethod method,
            IdempotentContext wiring,
            Key key,
            InvocationResult told,
            HandlerClaim claim,
            Throwable thrown,
            BooleanSupplier over) {
        Operation<StoredHandlerResult<Object>> operation = joinedOperation(method, claim);
        Attempt attempt = Objects.requireNonNull(told.attempt());
        claim.committed(
                thrown, answer -> over.getAsBoolean() && wiring.onefold().amend(operation, key, attempt, answer));
    }

    /**
     * Tells the filter that a transactional call was rolled back. Its response is kept, or its failure counted, in a separate transaction.
     * That one takes the lock of the record, and leaves the record alone if another call owns it.
     *
     * @param counted true if the failure is counted already, or will be by the rollback
     * @param over returns true if the transaction is over: no other call can have its record before
     */
    static void rolledBack(
            IdempotentMethod method,
            IdempotentContext wiring,
            Key key,
            HandlerClaim claim,
            Throwable thrown,
            boolean counted,
            BooleanSupplier over) {
        Onefold onefold = wiring.onefold();
        Operation<StoredHandlerResult<Object>> operation =
                method.afterRollback(claim.operation(method.name())).amendable().waitFor(Duration.ZERO);
        claim.rolledBack(thrown, answer -> {
            if (!over.getAsBoolean()) {
                return false;
            }
            if (answer != null) {
                return onefold.attemptInTransaction(operation, key, (attempt, connection) -> answer)
                        instanceof Outcome.Executed<StoredHandlerResult<Object>>;
            }
            if (counted) {
                return false;
            }
            try {
                onefold.attemptInTransaction(operation, key, (attempt, connection) -> {
                    throw new CountedFailureException(thrown);
                });
            } catch (CountedFailureException e) {
                // as it should be
            }
            return false;
        });
    }

    /** Stands in for a failure that is counted already. */
    private static final class CountedFailureException extends RuntimeException {
        private static final long serialVersionUID = 1;

        CountedFailureException(Throwable cause) {
            super(cause.getMessage(), cause, false, false);
        }
    }
}
