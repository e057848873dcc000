package io.onefold.spring;

import io.onefold.Attempt;
import io.onefold.Key;
import io.onefold.Onefold;
import io.onefold.Operation;
import io.onefold.Outcome;
import io.onefold.http.Exchange;
import io.onefold.http.LateClaim;
import io.onefold.http.LateClaim.NotGrantedException;
import io.onefold.http.StoredAnswer;
import io.onefold.store.Payload;
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
 * Calls of handlers whose requests the HTTP filter holds. What is kept of them is the response that the filter sends, whoever made it; the
 * handler says here what the filter cannot see: the key, the transaction, and what was thrown.
 */
final class HandlerCalls {
    private HandlerCalls() {}

    /** The claim that a handler makes through the filter; null if the filter does not hold its request, or has claimed it. */
    static @Nullable LateClaim claim(
            IdempotentMethod method, Wiring wiring, Key key, Requests.@Nullable Request request) {
        Exchange exchange = request == null || method.door() != Door.HTTP ? null : request.exchange();
        LateClaim claim = exchange == null ? null : exchange.lateClaim();
        return claim == null || !claim.isOf(wiring.onefold().id(method.operation(), key)) ? null : claim;
    }

    static Operation<StoredAnswer<Object>> operation(IdempotentMethod method, LateClaim claim) {
        return method.handlerOperation(claim.operation(method.name()));
    }

    /** The same for a handler that joins a transaction: its response takes the place of its value after the commit. */
    static Operation<StoredAnswer<Object>> joinedOperation(IdempotentMethod method, LateClaim claim) {
        return operation(method, claim).amendable();
    }

    /** Claims, and calls the handler if it may run. */
    static @Nullable Object leased(
            IdempotentMethod method,
            Wiring wiring,
            Key key,
            Told told,
            LateClaim claim,
            Requests.Request request,
            MethodInvocation invocation)
            throws Throwable {
        LateClaim.Permission permission = claim.claim(operation(method, claim), key);
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

    /** What a handler is to render again that must not run. */
    static StoredAnswer<Object> earlier(LateClaim.Permission permission) {
        if (permission.earlier() == null) {
            throw new NotGrantedException();
        }
        return permission.earlier();
    }

    /**
     * Calls a handler that has its claim.
     *
     * @param late whether the handler has claimed itself: then nobody else sees that advice refuses the call
     */
    static @Nullable Object claimed(
            IdempotentMethod method,
            Attempt attempt,
            Requests.Request request,
            MethodInvocation invocation,
            boolean late)
            throws Throwable {
        HandlerRun run = HandlerRun.of(method, invocation);
        if (!run.begins()) {
            return run.earlier();
        }
        called(request);
        Runnable entered = late ? request::begun : IdempotentInterceptor.entered(Entrance.around(invocation), request);
        Entrance entrance = new Entrance(entered);
        Ends ends = new Ends(run, request, late);
        try {
            Object returned = CurrentAttempt.with(attempt, () -> entrance.proceed(invocation));
            Object noted = noted(returned, entrance, ends);
            // what is of a class of the application's own is returned as it is
            Object told = invocation.getMethod().getReturnType().isInstance(noted) ? noted : returned;
            run.returned(told);
            return told;
        } catch (Entrance.RefusedException e) {
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
        Entrance entrance = new Entrance();
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
            throw e instanceof Entrance.RefusedException ? Objects.requireNonNull(e.getCause()) : e;
        }
    }

    private static void failed(HandlerRun run, Throwable why) {
        if (Told.unwrapped(why) instanceof Entrance.RefusedException) {
            run.refused();
        } else {
            run.threw(Told.unwrapped(why));
        }
    }

    /** Notes how a handler ends, now or later. */
    private static @Nullable Object noted(@Nullable Object returned, Entrance entrance, Ends ends) {
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
        Exchange exchange = ends.request().exchange();
        if (exchange != null) {
            // of a future of the application's own class, Spring's callback may be called before ours: then the report
            // asks the stage
            exchange.handlerReport().returned(stage);
        }
        CompletionStage<?> noted = stage.whenComplete((value, thrown) -> {
            if (thrown == null) {
                ends.returned();
            } else if (entrance.close()) {
                ends.refused();
            } else {
                ends.threw(Told.unwrapped(thrown));
            }
        });
        return stage instanceof CompletableFuture<?> ? noted.toCompletableFuture() : noted;
    }

    /**
     * Where the end of a handler's call is noted.
     *
     * @param late whether the handler has claimed itself: then nobody else sees that advice refuses the call
     */
    record Ends(HandlerRun run, Requests.Request request, boolean late) {
        void returned() {
            Exchange exchange = request.exchange();
            if (exchange != null) {
                exchange.handlerReport().returned();
            }
        }

        void refused() {
            run.refused();
            Exchange exchange = request.exchange();
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

    /** The handler is called, perhaps once more. */
    static void called(Requests.Request request) {
        Exchange exchange = request.exchange();
        if (exchange != null) {
            exchange.handlerReport().begins();
        }
    }

    /** The handler threw, whatever answer the application makes of it. */
    private static void threw(Requests.Request request, Throwable thrown) {
        Exchange exchange = request.exchange();
        if (exchange != null) {
            exchange.handlerReport().threw(thrown);
        }
    }

    /** Advice refused a call that was claimed already. */
    private static void refused(Requests.Request request) {
        Exchange exchange = request.exchange();
        if (exchange != null) {
            exchange.handlerReport().refusedBefore();
        }
    }

    /** What the transaction of a joined handler keeps: the value, unless that is not the answer, or nothing of the answer is to be kept. */
    static StoredAnswer<?> kept(Told told, LateClaim claim, Requests.@Nullable Request request) {
        return claim.keepsBody() && (request == null || !request.isAnswered()) ? told.answer() : StoredAnswer.done();
    }

    /**
     * Tells the filter what a joined call came to; what the handler returns.
     *
     * @param over whether the transaction is over. As long as somebody outside of the filter holds it, the value stays in the record:
     *     whoever changed that would wait for this very request
     */
    @SuppressWarnings("unchecked") // what handlers keep is of this type
    static @Nullable Object joined(
            IdempotentMethod method,
            Wiring wiring,
            Key key,
            Told told,
            LateClaim claim,
            Outcome<Object> outcome,
            BooleanSupplier over) {
        if (outcome instanceof Outcome.Executed<Object> executed) {
            Operation<StoredAnswer<Object>> operation = joinedOperation(method, claim);
            Attempt attempt = Objects.requireNonNull(told.attempt());
            boolean failed = Entities.status(told.original()) >= 500;
            // the value stands where rendering it has failed: the next time it may not
            claim.recorded(answer -> (failed || answer.status() < 500)
                    && over.getAsBoolean()
                    && (answer.hasAnswer() || !isKept(wiring.onefold(), operation, key, executed))
                    && wiring.onefold().amend(operation, key, attempt, answer));
            return told.original();
        }
        return told.result(earlier(claim.known((Outcome<StoredAnswer<Object>>) (Outcome<?>) outcome)));
    }

    /** Tells the filter that a joined call could not ask what became of the request; what the handler is to throw. */
    static NotGrantedException unasked(LateClaim claim, RuntimeException why) {
        claim.unasked(why);
        return new NotGrantedException();
    }

    /** Whether the record has the value: rendered again, it says more than a response without its body. */
    private static boolean isKept(
            Onefold onefold, Operation<StoredAnswer<Object>> operation, Key key, Outcome.Executed<Object> executed) {
        if (!(executed.value() instanceof StoredAnswer<?> answer) || !answer.hasValue()) {
            return false;
        }
        // it may have been too large, or not have been read back as itself
        return onefold.find(operation, key)
                .map(StoredRecord::payload)
                .filter(payload -> payload.kind() != Payload.Kind.NOT_KEPT)
                .isPresent();
    }

    /** Tells the filter that a joined call threw, and was committed all the same: its answer is that of its exception, whatever it is. */
    static void committed(
            IdempotentMethod method,
            Wiring wiring,
            Key key,
            Told told,
            LateClaim claim,
            Throwable thrown,
            BooleanSupplier over) {
        Operation<StoredAnswer<Object>> operation = joinedOperation(method, claim);
        Attempt attempt = Objects.requireNonNull(told.attempt());
        claim.committed(
                thrown, answer -> over.getAsBoolean() && wiring.onefold().amend(operation, key, attempt, answer));
    }

    /**
     * Tells the filter that a joined call was rolled back. Its answer is kept, or its failure counted, in a transaction of their own: one
     * that takes the lock of the record, and leaves the record to whoever has it.
     *
     * @param counted whether the failure is counted already, or will be by the rollback
     * @param over whether the transaction is over: nobody can have its record before
     */
    static void rolledBack(
            IdempotentMethod method,
            Wiring wiring,
            Key key,
            LateClaim claim,
            Throwable thrown,
            boolean counted,
            BooleanSupplier over) {
        Onefold onefold = wiring.onefold();
        Operation<StoredAnswer<Object>> operation =
                method.afterRollback(claim.operation(method.name())).amendable().waitFor(Duration.ZERO);
        claim.rolledBack(thrown, answer -> {
            if (!over.getAsBoolean()) {
                return false;
            }
            if (answer != null) {
                return onefold.attemptInTransaction(operation, key, (attempt, connection) -> answer)
                        instanceof Outcome.Executed<StoredAnswer<Object>>;
            }
            if (counted) {
                return false;
            }
            try {
                onefold.attemptInTransaction(operation, key, (attempt, connection) -> {
                    throw new CountedException(thrown);
                });
            } catch (CountedException e) {
                // as it should be
            }
            return false;
        });
    }

    /** Stands for a failure that is counted. */
    private static final class CountedException extends RuntimeException {
        private static final long serialVersionUID = 1;

        CountedException(Throwable cause) {
            super(cause.getMessage(), cause, false, false);
        }
    }
}
